(line_comment) @doc
(block_comment) @doc
(annotation) @doc

(class_declaration "interface" name: (_) @name [(class_body) (enum_class_body)]? @body) @interface
(class_declaration name: (_) @name [(class_body) (enum_class_body)]? @body) @class
(object_declaration name: (_) @name (class_body)? @body) @class
(companion_object name: (_) @name (class_body) @body) @class
(type_alias type: (identifier) @name) @interface

; An extension belongs to what it extends.
(function_declaration
  [
    (user_type . (identifier) @qualifier .)
    (user_type . (identifier) @qualifier . (type_arguments))
    (nullable_type (user_type . (identifier) @qualifier))
  ]
  .
  name: (_) @name
  (function_body)? @body) @function
(function_declaration name: (_) @name (function_body)? @body) @function
(secondary_constructor "constructor" @name (block)? @body) @method
(property_declaration (variable_declaration (identifier) @name) [(getter) (setter)] @body) @function
