; Imports, definitions with their types, calls. See grammars/README.md.

(package_header (identifier) @package)
(import_header) @import

(class_declaration (type_identifier) @name) @class
(class_declaration "interface" (type_identifier) @name) @interface
(object_declaration (type_identifier) @name) @class
(companion_object (type_identifier)? @name) @class
(object_literal) @class
(type_alias (type_identifier) @name (_) @type) @alias
(delegation_specifier (user_type) @base)
(delegation_specifier (constructor_invocation (user_type) @base))
(delegation_specifier (explicit_delegation (user_type) @base))
(class_parameter (simple_identifier) @name [(user_type) (nullable_type)] @type) @variable
(enum_entry (simple_identifier) @name @static) @variable

(function_declaration (simple_identifier) @name (function_value_parameters) @params) @function
(function_declaration (simple_identifier) @name (function_value_parameters) @params [(user_type) (nullable_type)] @type) @function
(function_declaration
  [(user_type) (nullable_type)] @receiver . (simple_identifier) @name (function_value_parameters) @params) @function
(secondary_constructor (function_value_parameters) @params) @lambda
(lambda_literal) @lambda

(property_declaration (variable_declaration (simple_identifier) @name)) @variable
(property_declaration (variable_declaration (simple_identifier) @name [(user_type) (nullable_type)] @type)) @variable
(property_declaration
  (variable_declaration (simple_identifier) @name)
  [(call_expression) (navigation_expression) (simple_identifier)] @value) @variable
; What is made when it is needed is what its block gives.
((property_declaration
  (variable_declaration (simple_identifier) @name)
  (property_delegate (call_expression
    [(simple_identifier) @_lazy (call_expression . (simple_identifier) @_lazy)]
    (call_suffix (annotated_lambda (lambda_literal (statements (_) @value .))))))) @variable
  (#eq? @_lazy "lazy"))
(for_statement (variable_declaration (simple_identifier) @name) (call_expression) @iterable) @variable

(call_expression . (_) @callee) @call
(delegation_specifier (constructor_invocation (user_type) @callee) @call)
((callable_reference) @handed (#not-match? @handed "::class$"))

[(for_statement) (while_statement) (do_while_statement)] @loop
[(if_expression) (when_expression)] @condition
(try_expression) @try
