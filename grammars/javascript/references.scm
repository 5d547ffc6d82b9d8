; What only the grammar of JavaScript calls so.

(field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @function
(field_definition property: (_) @name !value) @variable
(field_definition property: (_) @name value: (_) @value) @variable
