; Imports, definitions with their types, calls. See grammars/README.md.

(preproc_include path: [(string_literal) (system_lib_string)]) @import

(function_definition
  declarator: (function_declarator declarator: (identifier) @name parameters: (_) @params)) @function
(function_definition
  type: (_) @type
  declarator: (function_declarator declarator: (identifier) @name parameters: (_) @params)) @function
(function_definition
  type: (_) @type
  declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name parameters: (_) @params))) @function
(function_definition
  type: (_) @type
  declarator: (pointer_declarator
    declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name parameters: (_) @params)))) @function
; Internal linkage: other files do not see the name, except those that include the file.
(function_definition
  (storage_class_specifier "static")
  declarator: (function_declarator declarator: (identifier) @name)) @function @static
(function_definition
  (storage_class_specifier "static")
  declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @function @static
(function_definition
  (storage_class_specifier "static")
  declarator: (pointer_declarator
    declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) @function @static
(preproc_function_def name: (_) @name) @function @static

(struct_specifier name: (_) @name body: (_)) @class
(union_specifier name: (_) @name body: (_)) @class
(enum_specifier name: (_) @name body: (_)) @class
(type_definition type: (_) @type declarator: (type_identifier) @name) @alias
(type_definition type: (_) @type declarator: (pointer_declarator declarator: (type_identifier) @name)) @alias
; Only the name of the type, or of the field, tells what this is.
(type_definition type: [(struct_specifier !name) (union_specifier !name)] declarator: (type_identifier) @name) @class
(type_definition
  type: [(struct_specifier !name) (union_specifier !name)]
  declarator: (pointer_declarator declarator: (type_identifier) @name)) @class
(field_declaration type: [(struct_specifier !name) (union_specifier !name)] declarator: (field_identifier) @name) @class

(field_declaration type: (_) @type declarator: (field_identifier) @name) @variable
(field_declaration type: (_) @type declarator: (array_declarator declarator: (field_identifier) @name)) @variable
(field_declaration
  type: (_) @type
  declarator: (pointer_declarator
    declarator: [
      (field_identifier) @name
      (array_declarator declarator: (field_identifier) @name)
      (pointer_declarator declarator: (field_identifier) @name)
    ])) @variable
; Pointers to functions.
(field_declaration
  declarator: [
    (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))
    (pointer_declarator
      declarator: (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name))))
  ]) @variable
(declaration
  declarator: [
    (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
    (init_declarator
      declarator: (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
  ]) @variable

(declaration type: (_) @type declarator: (identifier) @name) @variable
(declaration
  type: (_) @type
  declarator: [
    (array_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
    (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
  ]) @variable
(declaration
  type: (_) @type
  declarator: (init_declarator
    declarator: [
      (identifier) @name
      (array_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
      (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
    ]
    value: (_) @value)) @variable
(declaration (storage_class_specifier "static") declarator: (identifier) @name) @variable @static
(declaration (storage_class_specifier "static") declarator: (init_declarator declarator: (identifier) @name)) @variable @static
(preproc_def name: (_) @name) @variable @static

(call_expression function: (_) @callee) @call

[(for_statement) (while_statement) (do_statement)] @loop
[(if_statement) (switch_statement) (conditional_expression)] @condition
