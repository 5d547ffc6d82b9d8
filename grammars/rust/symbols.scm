(line_comment) @doc
(block_comment) @doc
(attribute_item) @doc

(function_item name: (_) @name body: (_) @body) @function
(function_signature_item name: (_) @name) @function
(macro_definition name: (_) @name) @function

(struct_item name: (_) @name body: (_)? @body) @class
(union_item name: (_) @name body: (_) @body) @class
(enum_item name: (_) @name body: (_) @body) @class
(trait_item name: (_) @name body: (_) @body) @interface
(source_file (type_item name: (_) @name) @interface)
(mod_item body: (declaration_list (type_item name: (_) @name) @interface))

(impl_item
  type: [
    (type_identifier) @name
    (generic_type type: (type_identifier) @name)
    (generic_type type: (scoped_type_identifier name: (_) @name))
    (scoped_type_identifier name: (_) @name)
    (reference_type type: (type_identifier) @name)
    (dynamic_type trait: (type_identifier) @name)
  ]) @owner
(mod_item name: (_) @name body: (_)) @namespace

; Constants and statics, also of an implementation and a trait.
((source_file (const_item name: (identifier) @name) @variable)
  (#not-eq? @name "_"))
((declaration_list (const_item name: (identifier) @name) @variable)
  (#not-eq? @name "_"))
(source_file (static_item name: (identifier) @name) @variable)
(declaration_list (static_item name: (identifier) @name) @variable)
