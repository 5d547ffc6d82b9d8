; Imports, definitions with their types, calls. See grammars/README.md.

(namespace_definition name: (_) @package)
(namespace_use_declaration) @import
[(require_once_expression) (require_expression) (include_once_expression) (include_expression)] @import

(class_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(trait_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(base_clause (_) @base)
(class_interface_clause (_) @base)
(use_declaration (_) @base)

(function_definition name: (_) @name parameters: (_) @params return_type: (_)? @type) @function
(method_declaration name: (_) @name parameters: (_) @params return_type: (_)? @type) @function
(anonymous_function parameters: (_) @params) @lambda
(arrow_function parameters: (_) @params) @lambda

(property_declaration type: (_)? @type (property_element name: (_) @name)) @variable
(const_element (name) @name) @variable
(enum_case name: (_) @name @static) @variable
(assignment_expression left: (variable_name) @name right: (_) @value) @variable
(assignment_expression left: (member_access_expression) @name right: (_) @value) @variable
(foreach_statement . (_) @iterable . (variable_name) @name) @variable
(foreach_statement . (_) @iterable . (pair (_) (variable_name) @name)) @variable

; `$open()` calls what the variable holds, and not the function of its name; `$this()` has a method for it.
((function_call_expression function: (_) @callee) @call
  (#not-match? @callee "^[$](?!this$)\\w+$"))
(member_call_expression object: (_) @receiver name: (_) @name) @call
(nullsafe_member_call_expression object: (_) @receiver name: (_) @name) @call
(scoped_call_expression scope: (_) @receiver name: (_) @name) @call
(object_creation_expression [(name) (qualified_name)] @callee) @call

[(for_statement) (foreach_statement) (while_statement) (do_statement)] @loop
[(if_statement) (switch_statement) (conditional_expression) (match_expression)] @condition
(try_statement) @try
