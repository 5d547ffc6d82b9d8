(comment) @doc

(variable_declaration (assignment_statement) @wrapped) @wrapper

(function_declaration name: (identifier) @name body: (_)? @body) @function
(function_declaration
  name: (dot_index_expression table: (_) @qualifier field: (_) @name)
  body: (_)? @body) @function
(function_declaration
  name: (method_index_expression table: (_) @qualifier method: (_) @name)
  body: (_)? @body) @function

; A function that gets its name from what it is assigned to.
(assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition body: (_)? @body))) @function
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @qualifier field: (_) @name))
  (expression_list . value: (function_definition body: (_)? @body))) @function
(field
  name: (identifier) @name
  value: (function_definition body: (_)? @body)) @function

(assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (table_constructor))) @owner
