(comment) @doc

; The name of what brings other namespaces in: the file's.
((list_lit . (sym_lit name: (_) @_define) . (sym_lit name: (_) @name)) @class
  (#any-of? @_define "ns" "in-ns"))

; Up to its parameters, what defines a function is its signature.
((list_lit
  . (sym_lit name: (_) @_define)
  . (sym_lit name: (_) @name)
  . (str_lit)?
  . (vec_lit)
  . (_) @body) @function
  (#match? @_define "^def(?!ault|er|record$|type$|struct$|protocol$|interface$)"))

((list_lit . (sym_lit name: (_) @_define) . (sym_lit name: (_) @name)) @class
  (#any-of? @_define "defrecord" "deftype" "defstruct"))
((list_lit . (sym_lit name: (_) @_define) . (sym_lit name: (_) @name)) @interface
  (#any-of? @_define "defprotocol" "definterface"))
; A project's macros that define something are named like those of the language.
((list_lit . (sym_lit name: (_) @_define) . (sym_lit name: (_) @name)) @function
  (#match? @_define "^def(?!ault|er)"))
