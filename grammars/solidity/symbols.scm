(comment) @doc

(contract_declaration name: (_) @name body: (_) @body) @class
(library_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(struct_declaration name: (_) @name body: (_) @body) @class
(enum_declaration name: (_) @name body: (_) @body) @class

(function_definition name: (_) @name body: (_)? @body) @function
(modifier_definition name: (_) @name body: (_)? @body) @function
(event_definition name: (_) @name) @function
(error_declaration name: (_) @name) @function
(constructor_definition "constructor" @name body: (_) @body) @method
(fallback_receive_definition ["receive" "fallback"] @name body: (_)? @body) @method
