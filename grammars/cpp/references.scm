; Imports, definitions with their types, calls. See grammars/README.md.

(preproc_include path: [(string_literal) (system_lib_string)]) @import

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
(function_definition
  type: (_) @type
  declarator: (pointer_declarator
    declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name parameters: (_) @params)))) @function
; What the linker does not see. In a header, whoever includes it sees it.
(translation_unit
  (function_definition
    (storage_class_specifier "static")
    declarator: [
      (function_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
      (reference_declarator (function_declarator declarator: (identifier) @name))
    ]) @function @static)
(declaration_list
  (function_definition
    (storage_class_specifier "static")
    declarator: [
      (function_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
      (reference_declarator (function_declarator declarator: (identifier) @name))
    ]) @function @static)
(namespace_definition
  !name
  body: (declaration_list
    (function_definition
      declarator: [
        (function_declarator declarator: (identifier) @name)
        (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
        (reference_declarator (function_declarator declarator: (identifier) @name))
      ]) @function @static))
; What follows a macro is most often the body of a test.
(translation_unit (compound_statement) @lambda)
(declaration_list (compound_statement) @lambda)
(preproc_function_def name: (_) @name) @function @static

; Members that are declared here, and often defined elsewhere.
(field_declaration
  type: (_) @type
  declarator: [
    (function_declarator declarator: [(field_identifier) (operator_name)] @name parameters: (_) @params)
    (pointer_declarator
      declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name parameters: (_) @params))
    (reference_declarator
      (function_declarator declarator: [(field_identifier) (operator_name)] @name parameters: (_) @params))
    (pointer_declarator
      declarator: (pointer_declarator
        declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name parameters: (_) @params)))
  ]) @function @declared
(field_declaration_list
  (template_declaration
    (declaration
      type: (_) @type
      declarator: [
        (function_declarator declarator: (identifier) @name parameters: (_) @params)
        (pointer_declarator declarator: (function_declarator declarator: (identifier) @name parameters: (_) @params))
        (reference_declarator (function_declarator declarator: (identifier) @name parameters: (_) @params))
      ]) @function @declared))
(lambda_expression declarator: (abstract_function_declarator parameters: (_) @params)) @lambda

(class_specifier name: (_) @name body: (_)) @class
(class_specifier name: (_) @name (base_class_clause) @bases body: (_)) @class
(struct_specifier name: (_) @name body: (_)) @class
(struct_specifier name: (_) @name (base_class_clause) @bases body: (_)) @class
(union_specifier name: (_) @name body: (_)) @class
(enum_specifier name: (_) @name body: (_)) @class
(type_definition type: (_) @type declarator: (type_identifier) @name) @alias
(type_definition type: (_) @type declarator: (pointer_declarator declarator: (type_identifier) @name)) @alias
; Only the name of the type, or of the field, tells what this is.
(type_definition type: [(struct_specifier !name) (union_specifier !name)] declarator: (type_identifier) @name) @class
(field_declaration type: [(struct_specifier !name) (union_specifier !name)] declarator: (field_identifier) @name) @class
(alias_declaration name: (_) @name type: (_) @type) @alias

(field_declaration type: (_) @type declarator: (field_identifier) @name) @variable
(field_declaration
  type: (_) @type
  declarator: [
    (array_declarator declarator: (field_identifier) @name)
    (reference_declarator (field_identifier) @name)
    (pointer_declarator
      declarator: [
        (field_identifier) @name
        (array_declarator declarator: (field_identifier) @name)
        (pointer_declarator declarator: (field_identifier) @name)
      ])
  ]) @variable
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
    (reference_declarator (identifier) @name)
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
      (reference_declarator (identifier) @name)
      (pointer_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
      (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
    ]
    value: (_) @value)) @variable
; `Pool pool(size);` reads like a function that is declared.
(compound_statement
  (declaration type: (_) @type declarator: (function_declarator declarator: (identifier) @name)) @variable)
(for_range_loop
  type: (_) @type
  declarator: [
    (identifier) @name
    (reference_declarator (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)
  ]
  right: (_) @iterable) @variable
(preproc_def name: (_) @name) @variable @static

(call_expression function: (_) @callee) @call
(new_expression type: (_) @callee) @call
(compound_literal_expression type: (_) @callee) @call

[(for_statement) (for_range_loop) (while_statement) (do_statement)] @loop
[(if_statement) (switch_statement) (conditional_expression)] @condition
(try_statement) @try
