(comment) @doc

(class_statement . (simple_name) @name) @class
(enum_statement . (simple_name) @name) @class
(class_method_definition (simple_name) @name (script_block) @body) @method
(function_statement (function_name) @name (script_block) @body) @function
