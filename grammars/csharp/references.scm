; Imports, definitions with their types, calls. See grammars/README.md.

(using_directive) @import
(namespace_declaration name: (_) @package)
(file_scoped_namespace_declaration name: (_) @package)

(class_declaration name: (_) @name (parameter_list)? @params) @class
(struct_declaration name: (_) @name (parameter_list)? @params) @class
(record_declaration name: (_) @name (parameter_list)? @params) @class
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
(base_list [(identifier) (generic_name) (qualified_name) (alias_qualified_name)] @base)
(primary_constructor_base_type type: (_) @base)
(primary_constructor_base_type type: (_) @callee) @call
(base_list (identifier) @callee . (argument_list)) @call
(base_list (generic_name) @callee . (argument_list)) @call

(method_declaration returns: (_) @type name: (_) @name parameters: (_) @params) @function
(local_function_statement type: (_) @type name: (_) @name parameters: (_) @params) @function
(constructor_declaration name: (_) @name parameters: (_) @params) @function
(lambda_expression) @lambda
(lambda_expression parameters: [(parameter_list) (implicit_parameter)] @params) @lambda

(field_declaration (variable_declaration type: (_) @type (variable_declarator name: (_) @name))) @variable
(property_declaration type: (_) @type name: (_) @name) @variable
(local_declaration_statement
  (variable_declaration type: (implicit_type) (variable_declarator name: (_) @name (_) @value .))) @variable
(local_declaration_statement
  (variable_declaration type: [(identifier) (generic_name) (qualified_name) (nullable_type) (array_type)] @type (variable_declarator name: (_) @name))) @variable
(foreach_statement type: (_) @type left: (_) @name right: (_) @iterable) @variable
(for_statement initializer: (variable_declaration type: (_) @type (variable_declarator name: (_) @name))) @variable
(using_statement (variable_declaration type: (implicit_type) (variable_declarator name: (_) @name (_) @value .))) @variable
(declaration_pattern type: (_) @type name: (_) @name) @variable
(declaration_expression type: (_) @type name: (_) @name) @variable
(catch_declaration type: (_) @type name: (_) @name) @variable
(enum_member_declaration name: (_) @name) @variable

(invocation_expression function: (_) @callee) @call
(object_creation_expression type: (_) @callee) @call
; `new()` makes what is expected at its place.
(variable_declaration type: (_) @callee (variable_declarator (implicit_object_creation_expression) @made))
(property_declaration type: (_) @callee value: (implicit_object_creation_expression) @made)
(property_declaration type: (_) @callee value: (arrow_expression_clause (implicit_object_creation_expression) @made))
(method_declaration returns: (_) @callee body: (arrow_expression_clause (implicit_object_creation_expression) @made))
(return_statement (implicit_object_creation_expression) @made)
(constructor_initializer ["base" "this"] @callee) @call

[(for_statement) (foreach_statement) (while_statement) (do_statement)] @loop
[(if_statement) (switch_statement) (conditional_expression)] @condition
(try_statement) @try
