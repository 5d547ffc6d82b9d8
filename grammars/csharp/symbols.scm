; Names are not qualified by namespaces, as in Java: half of them have no block of their own.

(comment) @doc
(attribute_list) @doc

(class_declaration name: (_) @name body: (_)? @body) @class
(struct_declaration name: (_) @name body: (_)? @body) @class
(record_declaration name: (_) @name body: (_)? @body) @class
(enum_declaration name: (_) @name body: (_)? @body) @class
(interface_declaration name: (_) @name body: (_)? @body) @interface
(delegate_declaration name: (_) @name) @interface

(method_declaration name: (_) @name body: (_)? @body) @function
(constructor_declaration name: (_) @name body: (_)? @body) @method
(destructor_declaration name: (_) @name body: (_)? @body) @method
(operator_declaration "operator" @name body: (_) @body) @method
(local_function_statement name: (_) @name body: (_) @body) @function
(indexer_declaration "this" @name) @method

; Properties that do something; those that only hold a value are fields.
(property_declaration
  name: (_) @name
  accessors: (accessor_list (accessor_declaration body: (_))) @body) @function
(property_declaration name: (_) @name value: (arrow_expression_clause) @body) @function

; Constants, static fields that are set once, and members of enumerations.
((field_declaration
  (modifier) @_modifier
  (variable_declaration (variable_declarator name: (identifier) @name))) @variable
  (#any-of? @_modifier "const" "static"))
(enum_member_declaration name: (identifier) @name) @variable
