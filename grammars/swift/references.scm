; Imports, definitions with their types, calls. See grammars/README.md.

(import_declaration) @import

(class_declaration name: (type_identifier) @name) @class
(class_declaration name: (user_type) @name) @extension
(protocol_declaration name: (type_identifier) @name) @interface
(inheritance_specifier inherits_from: (_) @base)
(typealias_declaration name: (type_identifier) @name (_) @type .) @alias

(function_declaration name: (simple_identifier) @name) @function
; With the arrow, which the fields do not need, the query is made in 50 ms and not in 3 s.
(function_declaration name: (simple_identifier) @name "->" name: [(user_type) (optional_type) (array_type)] @type) @function
(function_declaration name: "init" @name) @function
(protocol_function_declaration name: (simple_identifier) @name) @function
(protocol_function_declaration name: (simple_identifier) @name "->" name: [(user_type) (optional_type) (array_type)] @type) @function
(lambda_literal) @lambda

(parameter name: (simple_identifier) @name . name: (_) @type) @variable
(lambda_parameter name: (simple_identifier) @name) @variable

(property_declaration name: (pattern bound_identifier: (_) @name)) @variable
(property_declaration name: (pattern bound_identifier: (_) @name) (type_annotation) @type) @variable
(property_declaration
  name: (pattern bound_identifier: (_) @name)
  value: [(call_expression) (navigation_expression) (simple_identifier) (try_expression) (await_expression)] @value) @variable
(protocol_property_declaration name: (pattern bound_identifier: (_) @name) (type_annotation) @type) @variable
(enum_entry (simple_identifier) @name @variable @static)
(if_statement bound_identifier: (simple_identifier) @name . "=" . condition: (_) @value) @variable
(guard_statement bound_identifier: (simple_identifier) @name . "=" . condition: (_) @value) @variable
(for_statement item: (pattern bound_identifier: (_) @name) collection: (_) @iterable) @variable

; With square brackets it is an element.
(call_expression . (_) @callee (call_suffix (value_arguments "("))) @call
(call_expression . (_) @callee (call_suffix (lambda_literal))) @call

[(for_statement) (while_statement) (repeat_while_statement)] @loop
[(if_statement) (guard_statement) (switch_statement) (ternary_expression)] @condition
(do_statement) @try
