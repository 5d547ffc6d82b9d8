(line_comment) @doc
(multiline_comment) @doc
(annotation) @doc

(class_declaration
  "interface"
  (type_identifier) @name
  [(class_body) (enum_class_body)]? @body) @interface
(class_declaration (type_identifier) @name [(class_body) (enum_class_body)]? @body) @class
(object_declaration (type_identifier) @name (class_body)? @body) @class
(companion_object (type_identifier) @name (class_body) @body) @class
(type_alias . (type_identifier) @name) @interface

; An extension belongs to what it extends.
(function_declaration
  [
    (user_type . (type_identifier) @qualifier .)
    (user_type . (type_identifier) @qualifier . (type_arguments))
    (nullable_type (user_type . (type_identifier) @qualifier))
  ]
  .
  (simple_identifier) @name
  (function_body)? @body) @function
(function_declaration (simple_identifier) @name (function_body)? @body) @function
(secondary_constructor "constructor" @name (statements)? @body) @method

; An accessor stands beside its property.
((property_declaration (variable_declaration (simple_identifier) @name)) @function
  . [(getter) (setter)] @body)

; Constants, and members of enumerations.
((property_declaration (modifiers) @_modifiers (variable_declaration (simple_identifier) @name)) @variable
  (#match? @_modifiers "\\bconst\\b"))
((property_declaration (variable_declaration (simple_identifier) @name)) @variable
  (#match? @name "^[A-Z][A-Z0-9_]+$"))
(enum_entry (simple_identifier) @name) @variable
