; Imports, definitions with their types, calls. See grammars/README.md.

((call !receiver method: (identifier) @_require arguments: (argument_list (string))) @import
  (#match? @_require "^(require|require_relative|load)$"))
((call !receiver method: (identifier) @_autoload arguments: (argument_list (simple_symbol) (string))) @import
  (#eq? @_autoload "autoload"))

(module name: (_) @name) @namespace
(class name: (_) @name) @class
(superclass (_) @base)
((call !receiver method: (identifier) @_include arguments: (argument_list [(constant) (scope_resolution)] @base))
  (#match? @_include "^(include|extend|prepend)$"))

(method name: (_) @name parameters: (_)? @params) @function
(singleton_method name: (_) @name parameters: (_)? @params) @function @static
(singleton_class body: (body_statement (method name: (_) @name parameters: (_)? @params) @function @static))
; What the class body makes is as much a method as what `def` does.
((call !receiver method: (identifier) @_attribute arguments: (argument_list (simple_symbol) @function @name))
  (#match? @_attribute "^(attr_reader|attr_accessor|attr_writer|delegate|class_attribute|[cm]attr_(reader|accessor|writer)|def_delegators?|define_method)$"))
(alias name: (_) @name alias: (_) @value) @variable
((call !receiver method: (identifier) @_alias
  arguments: (argument_list . (simple_symbol) @name . (simple_symbol) @value)) @variable
  (#eq? @_alias "alias_method"))
(block parameters: (_)? @params) @lambda
(do_block parameters: (_)? @params) @lambda
(lambda parameters: (_) @params) @lambda

(assignment left: [(identifier) (constant) (instance_variable) (left_assignment_list)] @name right: (_) @value) @variable
(operator_assignment left: [(identifier) (instance_variable)] @name operator: "||=" right: (_) @value) @variable
(for pattern: (_) @name) @variable
(exception_variable (identifier) @name) @variable

; A method gives what its last expression gives.
(method body: (body_statement [(call) (identifier) (constant) (scope_resolution) (instance_variable)] @return @value .))
(method body: (body_statement [(assignment right: (_) @value) (operator_assignment right: (_) @value)] @return .))
(method body: [(call) (identifier) (constant) (scope_resolution) (instance_variable)] @return @value)
(singleton_method body: (body_statement [(call) (identifier) (constant) (scope_resolution) (instance_variable)] @return @value .))
(singleton_method body: (body_statement [(assignment right: (_) @value) (operator_assignment right: (_) @value)] @return .))
(singleton_method body: [(call) (identifier) (constant) (scope_resolution) (instance_variable)] @return @value)
(return (argument_list . (_) @return @value .))

(call receiver: (_) @receiver method: (_) @name) @call
(call !receiver method: (_) @name) @call
; A name alone is a call where nothing around gives it a value.
[
  (program (identifier) @bare)
  (body_statement (identifier) @bare)
  (method body: (identifier) @bare)
  (singleton_method body: (identifier) @bare)
  (block_body (identifier) @bare)
  (parenthesized_statements (identifier) @bare)
  (begin (identifier) @bare)
  (then (identifier) @bare)
  (else (identifier) @bare)
  (ensure (identifier) @bare)
  (interpolation (identifier) @bare)
  (argument_list (identifier) @bare)
  (array (identifier) @bare)
  (unary (identifier) @bare)
  (binary (identifier) @bare)
  (conditional (identifier) @bare)
  (splat_argument (identifier) @bare)
  (hash_splat_argument (identifier) @bare)
  (block_argument (identifier) @bare)
  (range (identifier) @bare)
  (element_reference (identifier) @bare)
  (right_assignment_list (identifier) @bare)
  (call receiver: (identifier) @bare)
  (assignment right: (identifier) @bare)
  (operator_assignment right: (identifier) @bare)
  (pair value: (identifier) @bare)
  (if condition: (identifier) @bare)
  (elsif condition: (identifier) @bare)
  (unless condition: (identifier) @bare)
  (while condition: (identifier) @bare)
  (until condition: (identifier) @bare)
  (if_modifier (identifier) @bare)
  (unless_modifier (identifier) @bare)
  (while_modifier (identifier) @bare)
  (until_modifier (identifier) @bare)
  (rescue_modifier (identifier) @bare)
  (case value: (identifier) @bare)
  (pattern (identifier) @bare)
]

[(for) (while) (until)] @loop
[(if) (unless) (case) (if_modifier) (unless_modifier) (conditional)] @condition
(begin) @try
