(comment) @doc

(variable_declaration
  (identifier) @name
  [
    (struct_declaration)
    (enum_declaration)
    (union_declaration)
    (opaque_declaration)
    (error_set_declaration)
  ] @body) @class

; A function that makes a type is how generic types are written.
((function_declaration name: (_) @name type: (builtin_type) @_type body: (_) @body) @class
  (#eq? @_type "type"))
(function_declaration name: (_) @name body: (_)? @body) @function
