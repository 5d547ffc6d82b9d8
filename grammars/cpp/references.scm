; Imports, definitions with their types, calls. See grammars/README.md.

(preproc_include path: (string_literal)) @import
(preproc_include path: (system_lib_string)) @import

(namespace_definition name: (_) @name body: (_)) @namespace

(function_definition
  declarator: (function_declarator declarator: (_) @name parameters: (_) @params)) @function
(function_definition
  type: (_) @type
  declarator: (function_declarator declarator: (_) @name parameters: (_) @params)) @function
(function_definition
  type: (_) @type
  declarator: (reference_declarator (function_declarator declarator: (_) @name parameters: (_) @params))) @function
(function_definition
  type: (_) @type
  declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name parameters: (_) @params))) @function
(field_declaration
  type: (_) @type
  declarator: (function_declarator declarator: (_) @name parameters: (_) @params)) @function
(lambda_expression declarator: (abstract_function_declarator parameters: (_) @params)) @lambda
(preproc_function_def name: (_) @name) @function

(class_specifier name: (_) @name body: (_)) @class
(class_specifier name: (_) @name (base_class_clause) @bases body: (_)) @class
(struct_specifier name: (_) @name body: (_)) @class
(struct_specifier name: (_) @name (base_class_clause) @bases body: (_)) @class
(union_specifier name: (_) @name body: (_)) @class
(enum_specifier name: (_) @name body: (_)) @class
(type_definition type: (_) @type declarator: (type_identifier) @name) @alias
(alias_declaration name: (_) @name type: (_) @type) @alias
(field_declaration type: (_) @type declarator: (field_identifier) @name) @variable
(field_declaration type: (_) @type declarator: (pointer_declarator declarator: (field_identifier) @name)) @variable

(declaration type: (_) @type declarator: (identifier) @name) @variable
(declaration type: (_) @type declarator: (pointer_declarator declarator: (identifier) @name)) @variable
(declaration type: (_) @type declarator: (init_declarator declarator: (identifier) @name value: (_) @value)) @variable
(preproc_def name: (_) @name) @variable

(call_expression function: (_) @callee) @call
(new_expression type: (_) @callee) @call

[(for_statement) (for_range_loop) (while_statement) (do_statement)] @loop
[(if_statement) (switch_statement) (conditional_expression)] @condition
(try_statement) @try
