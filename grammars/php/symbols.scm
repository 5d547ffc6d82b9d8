(comment) @doc
(attribute_list) @doc

(class_declaration name: (_) @name body: (_) @body) @class
(trait_declaration name: (_) @name body: (_) @body) @class
(enum_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(function_definition name: (_) @name body: (_) @body) @function
(method_declaration name: (_) @name body: (_)? @body) @method
(namespace_definition name: (_) @name body: (_)) @namespace

; Constants and cases of enumerations.
(const_declaration (const_element (name) @name) @variable)
(enum_case name: (name) @name) @variable
