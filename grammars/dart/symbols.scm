; The body of a function stands beside its signature, not in it.

(comment) @doc
(documentation_comment) @doc
(annotation) @doc

(class_definition name: (_) @name body: (_) @body) @class
(mixin_declaration (identifier) @name (class_body) @body) @class
(extension_declaration name: (_) @name body: (_) @body) @class
(enum_declaration name: (_) @name body: (_) @body) @class
(type_alias . (type_identifier) @name) @interface

((method_signature
  [
    (function_signature name: (_) @name)
    (getter_signature name: (_) @name)
    (setter_signature name: (_) @name)
    (constructor_signature name: (_) @name)
    (factory_constructor_signature (identifier) @name)
    (operator_signature "operator" @name)
  ]) @method
  .
  (function_body) @body)
(declaration
  [
    (function_signature name: (_) @name)
    (constructor_signature name: (_) @name)
    (constant_constructor_signature (identifier) @name)
  ]) @method

(program (function_signature name: (_) @name) @function . (function_body) @body)
(program (getter_signature name: (_) @name) @function . (function_body) @body)
