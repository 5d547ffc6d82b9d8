; Imports, definitions with their types, calls. See grammars/README.md.

(package_declaration (_) @package .)
(import_declaration) @import

(class_declaration name: (_) @name) @class
(superclass) @base
(super_interfaces) @base
(extends_interfaces) @base
(record_declaration name: (_) @name parameters: (_) @params) @class
(enum_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(annotation_type_declaration name: (_) @name) @interface
(object_creation_expression type: (_) @bases (class_body) @class)
(enum_constant name: (_) @name @static) @variable

(method_declaration type: (_) @type name: (_) @name parameters: (_) @params) @function
(constructor_declaration name: (_) @name parameters: (_) @params) @function
(annotation_type_element_declaration type: (_) @type name: (_) @name) @function
(lambda_expression parameters: (_) @params) @lambda

(field_declaration type: (_) @type declarator: (variable_declarator name: (_) @name value: (_)? @value)) @variable
(local_variable_declaration type: (_) @type declarator: (variable_declarator name: (_) @name value: (_)? @value)) @variable
(enhanced_for_statement type: (_) @type name: (_) @name value: (_) @iterable) @variable
(resource type: (_) @type name: (_) @name value: (_) @value) @variable
(catch_formal_parameter (catch_type) @type name: (_) @name) @variable
(instanceof_expression right: (_) @type name: (_) @name) @variable

(method_invocation object: (_)? @receiver name: (_) @name) @call
(object_creation_expression type: (_) @callee) @call
(explicit_constructor_invocation constructor: (_) @callee) @call
(method_reference) @handed

[(for_statement) (enhanced_for_statement) (while_statement) (do_statement)] @loop
[(if_statement) (switch_expression) (ternary_expression)] @condition
[(try_statement) (try_with_resources_statement)] @try
