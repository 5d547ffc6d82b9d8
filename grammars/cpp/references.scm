; What C++ has besides C: c/references.scm is joined with this file, see grammars/sources.json.

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
; Internal linkage, as in C.
(function_definition
  (storage_class_specifier "static")
  declarator: (reference_declarator (function_declarator declarator: (identifier) @name))) @function @static
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
(struct_specifier name: (_) @name (base_class_clause) @bases body: (_)) @class
(alias_declaration name: (_) @name type: (_) @type) @alias

(field_declaration type: (_) @type declarator: (reference_declarator (field_identifier) @name)) @variable
(declaration type: (_) @type declarator: (reference_declarator (identifier) @name)) @variable
(declaration
  type: (_) @type
  declarator: (init_declarator declarator: (reference_declarator (identifier) @name) value: (_) @value)) @variable
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

(new_expression type: (_) @callee) @call
(compound_literal_expression type: (_) @callee) @call

(for_range_loop) @loop
(try_statement) @try
