; Imports, definitions, calls. See grammars/README.md.

((variable_declaration
  (assignment_statement
    (variable_list . name: (identifier))
    (expression_list . value: (function_call name: (identifier) @_require)))) @import
  (#eq? @_require "require"))
((function_call name: (identifier) @_require) @import (#eq? @_require "require"))

; A table that functions are added to is what other languages call a class.
((assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_call name: (identifier) @_setmetatable))) @class
  (#eq? @_setmetatable "setmetatable"))
(assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (table_constructor))) @class

(function_declaration name: (_) @name parameters: (_)? @params) @function
(assignment_statement
  (variable_list . name: (_) @name)
  (expression_list . value: (function_definition parameters: (_)? @params))) @function
(field name: (identifier) @name value: (function_definition parameters: (_)? @params)) @function
(function_definition parameters: (_)? @params) @lambda

(assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (_) @value)) @variable

(return_statement (expression_list . (_) @value)) @return

(function_call name: (_) @callee) @call

[(for_statement) (while_statement) (repeat_statement)] @loop
(if_statement) @condition
