; Imports, definitions with their types, calls. See grammars/README.md.

(preproc_include path: (string_literal)) @import

(function_definition
  type: (_) @type
  declarator: (function_declarator declarator: (_) @name parameters: (_) @params)) @function
(function_definition
  type: (_) @type
  declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name parameters: (_) @params))) @function
(preproc_function_def name: (_) @name) @function

(struct_specifier name: (_) @name body: (_)) @class
(union_specifier name: (_) @name body: (_)) @class
(enum_specifier name: (_) @name body: (_)) @class
(type_definition type: (_) @type declarator: (type_identifier) @name) @alias
(field_declaration type: (_) @type declarator: (field_identifier) @name) @variable
(field_declaration type: (_) @type declarator: (pointer_declarator declarator: (field_identifier) @name)) @variable

(declaration type: (_) @type declarator: (identifier) @name) @variable
(declaration type: (_) @type declarator: (pointer_declarator declarator: (identifier) @name)) @variable
(declaration type: (_) @type declarator: (init_declarator declarator: (identifier) @name value: (_) @value)) @variable
(declaration
  type: (_) @type
  declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @name) value: (_) @value)) @variable
(preproc_def name: (_) @name) @variable

(call_expression function: (_) @callee) @call

[(for_statement) (while_statement) (do_statement)] @loop
[(if_statement) (switch_statement) (conditional_expression)] @condition
