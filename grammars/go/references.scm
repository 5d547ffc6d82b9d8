; Imports, definitions with their types, calls. See grammars/README.md.

(package_clause (_) @package)
(import_spec) @import

(function_declaration name: (_) @name parameters: (_) @params result: (_)? @type) @function
(method_declaration receiver: (_) @receiver name: (_) @name parameters: (_) @params result: (_)? @type) @function
(func_literal parameters: (_) @params result: (_)? @type) @lambda

(type_spec name: (_) @name type: (struct_type)) @class
(type_spec name: (_) @name type: (interface_type)) @interface
(type_spec
  name: (_) @name
  type: [(type_identifier) (qualified_type) (generic_type) (pointer_type) (function_type) (map_type) (slice_type) (array_type) (channel_type)] @type) @class
(type_alias name: (_) @name type: (_) @type) @alias
(field_declaration name: (_) @name type: (_) @type) @variable
(field_declaration !name type: (_)) @base
(method_elem name: (_) @name parameters: (_) @params result: (_)? @type) @function
(interface_type (type_elem) @base)

(var_spec name: (_) @name type: (_)? @type value: (_)? @value) @variable
(const_spec name: (_) @name type: (_)? @type value: (_)? @value) @variable
(short_var_declaration left: (_) @name right: (_) @value) @variable
(range_clause left: (_) @name right: (_) @iterable) @variable

(call_expression function: (_) @callee) @call
(argument_list [(identifier) (selector_expression)] @handed)
(keyed_element value: (literal_element [(identifier) (selector_expression)] @handed))

(for_statement) @loop
[(if_statement) (expression_switch_statement) (type_switch_statement) (select_statement)] @condition
