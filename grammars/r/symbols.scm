(comment) @doc

(binary_operator
  lhs: [(identifier) (string)] @name
  operator: ["<-" "<<-" "="]
  rhs: (function_definition body: (_) @body)) @function

((binary_operator
  lhs: (identifier) @name
  rhs: (call function: [(identifier) (namespace_operator)] @_make)) @class
  (#match? @_make "(R6Class|setRefClass|setClass|new_class)$"))
((call
  function: (identifier) @_make
  arguments: (arguments . (argument value: (string content: (_) @name)))) @class
  (#any-of? @_make "setClass" "setRefClass"))
((call
  function: (identifier) @_make
  arguments: (arguments . (argument value: (string content: (_) @name)))) @function
  (#any-of? @_make "setGeneric" "setMethod"))

; The methods of a class stand in a list.
((call
  function: (identifier) @_list
  arguments: (arguments
    (argument name: (identifier) @name value: (function_definition body: (_) @body)) @function))
  (#eq? @_list "list"))
