(comment) @doc

; Up to its parameters, what defines a function is its signature.
((list_lit
  . (sym_lit name: (_) @_define)
  . (sym_lit name: (_) @name)
  . (str_lit)?
  . (vec_lit)
  . (_) @body) @function
  (#any-of? @_define "defn" "defn-" "defmacro" "deftest" "definline"))

((list_lit . (sym_lit name: (_) @_define) . (sym_lit name: (_) @name)) @function
  (#any-of? @_define "defn" "defn-" "defmacro" "defmulti" "defmethod" "deftest" "definline"))
((list_lit . (sym_lit name: (_) @_define) . (sym_lit name: (_) @name)) @class
  (#any-of? @_define "defrecord" "deftype" "defstruct"))
((list_lit . (sym_lit name: (_) @_define) . (sym_lit name: (_) @name)) @interface
  (#any-of? @_define "defprotocol" "definterface"))
