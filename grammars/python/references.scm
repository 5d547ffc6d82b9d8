; Imports, definitions with their types, calls. See grammars/README.md.

(import_statement) @import
(import_from_statement) @import

(class_definition name: (_) @name) @class
(class_definition name: (_) @name superclasses: (_) @bases) @class

(function_definition name: (_) @name parameters: (_) @params) @function
(function_definition name: (_) @name parameters: (_) @params return_type: (_) @type) @function
(decorated_definition
  (decorator [(identifier) (attribute)] @property)
  definition: (function_definition name: (_) @name parameters: (_) @params return_type: (_)? @type) @function
  (#match? @property "property$|\\.getter$"))
(decorated_definition
  (decorator (identifier) @static)
  definition: (function_definition name: (_) @name parameters: (_) @params return_type: (_)? @type) @function
  (#match? @static "^(staticmethod|classmethod)$"))
(lambda parameters: (_)? @params) @lambda

(assignment left: (_) @name type: (_)? @type right: (_)? @value) @variable
(named_expression name: (_) @name value: (_) @value) @variable
(for_statement left: (_) @name right: (_) @iterable) @variable
(for_in_clause left: (_) @name right: (_) @iterable) @variable
(as_pattern (_) @value alias: (_) @name) @variable

(return_statement (_) @value) @return

(call function: (_) @callee) @call

[(for_statement) (while_statement)] @loop
[(if_statement) (conditional_expression) (match_statement)] @condition
(try_statement) @try
