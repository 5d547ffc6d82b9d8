; Imports, definitions with their types, calls. See grammars/README.md.

(using_directive) @import
(namespace_declaration name: (_) @package)
(file_scoped_namespace_declaration name: (_) @package)

(class_declaration name: (_) @name) @class
(struct_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
([
  (class_declaration (modifier) @_partial name: (_) @name)
  (struct_declaration (modifier) @_partial name: (_) @name)
  (record_declaration (modifier) @_partial name: (_) @name)
] @class @partial
  (#eq? @_partial "partial"))
((interface_declaration (modifier) @_partial name: (_) @name) @interface @partial
  (#eq? @_partial "partial"))
(base_list) @base

(method_declaration returns: (_) @type name: (_) @name parameters: (_) @params) @function
(local_function_statement type: (_) @type name: (_) @name parameters: (_) @params) @function
(constructor_declaration name: (_) @name parameters: (_) @params) @function
(lambda_expression) @lambda

(field_declaration (variable_declaration type: (_) @type (variable_declarator name: (_) @name))) @variable
(property_declaration type: (_) @type name: (_) @name) @variable
(local_declaration_statement
  (variable_declaration type: (implicit_type) (variable_declarator name: (_) @name (_) @value .))) @variable
(local_declaration_statement
  (variable_declaration type: [(identifier) (generic_name) (qualified_name) (nullable_type) (array_type)] @type (variable_declarator name: (_) @name))) @variable
(foreach_statement type: (_) @type left: (_) @name right: (_) @iterable) @variable
(enum_member_declaration name: (_) @name) @variable

(invocation_expression function: (_) @callee) @call
(object_creation_expression type: (_) @callee) @call

[(for_statement) (foreach_statement) (while_statement) (do_statement)] @loop
[(if_statement) (switch_statement) (conditional_expression)] @condition
(try_statement) @try
