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


; A class: made from another one, by a function of a library, or a table that is named like one.
((assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list
    . value: (function_call name: (method_index_expression method: (identifier) @_made)))) @class
  (#any-of? @_made "extend" "subclass"))
((chunk
  [
    (assignment_statement
      (variable_list . name: (identifier) @name)
      (expression_list . value: (function_call name: (identifier) @_made))) @class
    (variable_declaration
      (assignment_statement
        (variable_list . name: (identifier) @name)
        (expression_list . value: (function_call name: (identifier) @_made))) @class)
  ])
  (#any-of? @_made "class" "Class" "setmetatable"))
((chunk
  [
    (assignment_statement
      (variable_list . name: (identifier) @name)
      (expression_list . value: (table_constructor))) @class
    (variable_declaration
      (assignment_statement
        (variable_list . name: (identifier) @name)
        (expression_list . value: (table_constructor))) @class)
  ])
  (#match? @name "^[A-Z]\\w*[a-z]"))

(assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (table_constructor))) @owner

; The constants of a file.
((chunk
  [
    (assignment_statement (variable_list . name: (identifier) @name)) @variable
    (variable_declaration (assignment_statement (variable_list . name: (identifier) @name)) @variable)
  ])
  (#match? @name "^_*[A-Z][A-Z0-9_]+$"))
