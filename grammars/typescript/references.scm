; What TypeScript and TSX add.

(abstract_class_declaration name: (_) @name) @class
(abstract_class_declaration name: (_) @name (class_heritage) @bases) @class
(interface_declaration name: (_) @name) @interface
(interface_declaration name: (_) @name (extends_type_clause) @bases) @interface
(enum_declaration name: (_) @name) @class
((type_alias_declaration name: (_) @name value: (_) @type) @alias (#not-match? @type "^\\{"))
; The type of an object is an interface by another way of writing it.
(type_alias_declaration name: (_) @name value: (object_type)) @interface
(type_alias_declaration name: (_) @name value: (intersection_type (type_identifier) @bases (object_type))) @interface
(internal_module name: (_) @name) @namespace

(function_declaration name: (_) @name parameters: (_) @params return_type: (_) @type) @function
(generator_function_declaration name: (_) @name parameters: (_) @params return_type: (_) @type) @function
(function_signature name: (_) @name parameters: (_) @params return_type: (_)? @type) @function
(method_definition name: (_) @name parameters: (_) @params return_type: (_) @type) @function
(method_definition "get" @property name: (_) @name parameters: (_) @params return_type: (_) @type) @function
(method_signature name: (_) @name parameters: (_) @params return_type: (_)? @type) @function
(abstract_method_signature name: (_) @name parameters: (_) @params return_type: (_)? @type) @function
(arrow_function parameters: (_) @params return_type: (_) @type) @lambda
(function_expression parameters: (_) @params return_type: (_) @type) @lambda

(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @function
(public_field_definition name: (_) @name !value type: (_)? @type) @variable
(public_field_definition name: (_) @name type: (_)? @type value: (_) @value) @variable
(property_signature name: (_) @name type: (_)? @type) @variable
(property_signature name: (_) @name type: (type_annotation (function_type parameters: (_) @params return_type: (_) @type))) @function
(variable_declarator name: (_) @name type: (_) @type !value) @variable
(variable_declarator name: (_) @name type: (_) @type value: (_) @value) @variable
