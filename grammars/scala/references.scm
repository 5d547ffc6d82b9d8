; Imports, definitions with their types, calls. See grammars/README.md.

(package_clause name: (_) @package)
(import_declaration) @import

(class_definition name: (_) @name) @class
(object_definition name: (_) @name) @class
(enum_definition name: (_) @name) @class
(trait_definition name: (_) @name) @interface
(extends_clause) @base
(instance_expression . (_) @bases (template_body) @class)
(type_definition name: (_) @name type: (_) @type) @alias
(class_parameter name: (_) @name type: (_) @type) @variable

(function_definition name: (_) @name parameters: (_)? @params return_type: (_)? @type) @function
(function_declaration name: (_) @name parameters: (_)? @params return_type: (_)? @type) @function
; Of the lists after the first one.
(function_definition
  parameters: (_) parameters: (parameters (parameter name: (_) @name type: (_) @type) @variable))
(function_declaration
  parameters: (_) parameters: (parameters (parameter name: (_) @name type: (_) @type) @variable))
(function_definition
  parameters: (_) parameters: (_) parameters: (parameters (parameter name: (_) @name type: (_) @type) @variable))
(lambda_expression) @lambda

(val_definition pattern: (identifier) @name type: (_)? @type value: (_)? @value) @variable
(var_definition pattern: (identifier) @name type: (_)? @type value: (_)? @value) @variable
(val_declaration name: (_) @name type: (_) @type) @variable

(call_expression function: (_) @callee) @call
(instance_expression (type_identifier) @callee) @call
(instance_expression (generic_type) @callee) @call
(instance_expression (compound_type base: (_) @callee)) @call

[(for_expression) (while_expression)] @loop
[(if_expression) (match_expression)] @condition
(try_expression) @try
