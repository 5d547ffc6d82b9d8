; What C++ adds to C.

(template_declaration (_) @wrapped) @wrapper

(class_specifier name: (_) @name body: (_) @body) @class
(alias_declaration name: (_) @name) @interface
(concept_definition name: (_) @name) @interface

; Inside a class, or out of it with the class before the name. A defaulted member has no body.
(function_definition
  declarator: (function_declarator
    declarator: [
      (field_identifier)
      (destructor_name)
      (operator_name)
      (qualified_identifier)
      (template_function)
      (template_method)
    ] @name)
  body: (_)? @body) @function
(function_definition
  declarator: (pointer_declarator
    declarator: (function_declarator
      declarator: [(field_identifier) (operator_name) (qualified_identifier)] @name))
  body: (_) @body) @function
(function_definition
  declarator: (reference_declarator
    (function_declarator
      declarator: [(identifier) (field_identifier) (operator_name) (qualified_identifier)] @name))
  body: (_) @body) @function
(function_definition
  declarator: [(operator_cast) (qualified_identifier name: (operator_cast))] @name
  body: (_) @body) @function

(namespace_definition name: (_) @name body: (_)) @namespace
