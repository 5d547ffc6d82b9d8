; A signature and the equations below it are one function.

(haddock) @doc
(comment) @doc

(data_type name: (_) @name) @class
(newtype name: (_) @name) @class
(type_synomym name: (_) @name) @interface
(type_family name: (_) @name) @interface
(class name: (_) @name declarations: (_)? @body) @interface
(instance name: (_) @name) @owner

(declarations [
  (signature name: [(variable) @name (prefix_id (_) @name)])
  (function name: [(variable) @name (prefix_id (_) @name)])
  (function (infix operator: [(operator) @name (infix_id (_) @name)]))
  (bind name: (variable) @name)
] @clause)
(class_declarations [
  (signature name: [(variable) @name (prefix_id (_) @name)])
  (function name: [(variable) @name (prefix_id (_) @name)])
  (function (infix operator: [(operator) @name (infix_id (_) @name)]))
  (bind name: (variable) @name)
] @clause)
(instance_declarations [
  (function name: [(variable) @name (prefix_id (_) @name)])
  (function (infix operator: [(operator) @name (infix_id (_) @name)]))
  (bind name: (variable) @name)
] @clause)
