; What TypeScript and TSX add.

(ambient_declaration (_) @wrapped) @wrapper

(abstract_class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(type_alias_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name body: (_) @body) @class
(internal_module name: (identifier) @name body: (_) @body) @module
(module name: (identifier) @name body: (_) @body) @module

(function_signature name: (_) @name) @function
(method_signature name: (_) @name) @function
(abstract_method_signature name: (_) @name) @function

(public_field_definition
  name: (_) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ]) @function

(export_statement
  (lexical_declaration
    (variable_declarator
      name: (identifier) @name
      value: [
        (as_expression (object) @body)
        (satisfies_expression (object) @body)
      ]) @class))
