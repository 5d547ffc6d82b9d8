(comment) @doc
(block_comment) @doc
(annotation) @doc

(class_definition name: (_) @name body: (_)? @body) @class
(object_definition name: (_) @name body: (_)? @body) @class
(package_object name: (_) @name body: (_)? @body) @class
(enum_definition name: (_) @name body: (_)? @body) @class
(trait_definition name: (_) @name body: (_)? @body) @interface
(type_definition name: (_) @name) @interface
(given_definition name: (_) @name body: (_)? @body) @class

(function_definition name: (_) @name body: (_)? @body) @function
(function_declaration name: (_) @name) @function
(val_definition
  pattern: (identifier) @name
  value: [(lambda_expression) (case_block)] @body) @function
