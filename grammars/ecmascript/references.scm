; What JavaScript, TypeScript and TSX share: imports, definitions with their types, calls. See grammars/README.md.

(import_statement) @import
(export_statement source: (_)) @import
(export_statement (export_clause)) @import
(export_statement "default" value: (identifier)) @import
(variable_declarator value: (call_expression function: (identifier) @_require) (#eq? @_require "require")) @import
(variable_declarator value: (await_expression (call_expression function: (import)))) @import
(call_expression function: (import)) @import
(call_expression function: (identifier) @_require (#eq? @_require "require")) @import

(class_declaration name: (_) @name) @class
(class_declaration name: (_) @name (class_heritage) @bases) @class
(class name: (_)? @name) @class
(class name: (_)? @name (class_heritage) @bases) @class

(function_declaration name: (_) @name parameters: (_) @params) @function
(generator_function_declaration name: (_) @name parameters: (_) @params) @function
(method_definition name: (_) @name parameters: (_) @params) @function
(method_definition "get" @property name: (_) @name parameters: (_) @params) @function

(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @function
(pair key: (_) @name value: [(arrow_function) (function_expression)]) @function
(assignment_expression left: (_) @name right: [(arrow_function) (function_expression)]) @function
(export_statement "default" value: [(arrow_function) (function_expression)]) @function
(arrow_function parameters: (_) @params) @lambda
(arrow_function parameter: (_) @params) @lambda
(function_expression parameters: (_) @params) @lambda
(generator_function parameters: (_) @params) @lambda

(variable_declarator name: (identifier) @name value: (object)) @object
(export_statement "default" value: (object)) @object
; What an object has under a name that is defined elsewhere.
(variable_declarator value: (object (shorthand_property_identifier) @variable @name @value))
(variable_declarator value: (object (pair key: (property_identifier) @name value: (identifier) @value) @variable))
(export_statement "default" value: (object (shorthand_property_identifier) @variable @name @value))
(export_statement "default" value: (object (pair key: (property_identifier) @name value: (identifier) @value) @variable))
(variable_declarator name: (_) @name !value) @variable
(variable_declarator name: (_) @name value: (_) @value) @variable
(assignment_expression left: (member_expression) @name right: (_) @value) @variable
(export_statement "default" value: (_) @value) @variable
(export_statement "default" declaration: (_ name: (_) @value)) @variable
((assignment_expression left: (member_expression) @_exports right: (object)) @import (#eq? @_exports "module.exports"))
(for_in_statement left: (_) @name right: (_) @iterable) @variable
(catch_clause parameter: (_) @name) @variable

(return_statement (_) @value) @return
(arrow_function body: [(call_expression) (new_expression) (identifier) (member_expression) (await_expression) (parenthesized_expression)] @value) @return

(call_expression function: (_) @callee) @call
(new_expression constructor: (_) @callee) @call
; `open.call(this, x)` calls `open`. With another first argument it is as often a method that is named `call`.
((call_expression
  function: (member_expression object: [(identifier) (member_expression)] @callee property: (_) @_call) @call
  arguments: (arguments . [(this) (null) (undefined) (identifier)] @_this))
  (#any-of? @_call "call" "apply")
  (#any-of? @_this "this" "null" "undefined" "self" "that" "_this" "thisArg"))
; It is called where it is handed to; `this.open = this.open.bind(this)` calls nothing.
([(arguments (call_expression
    function: (member_expression object: [(identifier) (member_expression)] @callee property: (_) @_bind) @call
    arguments: (arguments . (_) @_this)))
  (array (call_expression
    function: (member_expression object: [(identifier) (member_expression)] @callee property: (_) @_bind) @call
    arguments: (arguments . (_) @_this)))]
  (#eq? @_bind "bind")
  (#any-of? @_this "this" "null" "undefined" "self" "that" "_this" "thisArg"))

[(for_statement) (for_in_statement) (while_statement) (do_statement)] @loop
[(if_statement) (switch_statement) (ternary_expression)] @condition
(try_statement) @try
