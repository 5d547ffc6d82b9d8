(line_comment) @doc
(block_comment) @doc
(modifiers [(marker_annotation) (annotation)] @doc)

(class_declaration name: (_) @name body: (_) @body) @class
(record_declaration name: (_) @name body: (_) @body) @class
(enum_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(annotation_type_declaration name: (_) @name body: (_) @body) @interface

(method_declaration name: (_) @name body: (_)? @body) @method
(constructor_declaration name: (_) @name body: (_) @body) @method
(compact_constructor_declaration name: (_) @name body: (_) @body) @method
(annotation_type_element_declaration name: (_) @name) @method

; Constants: static final fields, fields of interfaces, and members of enumerations.
((field_declaration (modifiers) @_modifiers declarator: (variable_declarator name: (identifier) @name)) @variable
  (#match? @_modifiers "\\bstatic\\b")
  (#match? @_modifiers "\\bfinal\\b"))
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @variable
(enum_constant name: (identifier) @name) @variable
