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
(singleton_method name: (_) @name parameters: (_)? @params) @function
; What the class body makes is as much a method as what `def` does.
((call !receiver method: (identifier) @_attribute arguments: (argument_list (simple_symbol) @function @name))
  (#match? @_attribute "^(attr_reader|attr_accessor|attr_writer|delegate|class_attribute|[cm]attr_(reader|accessor|writer)|def_delegators?|define_method)$"))
[(block) (do_block)] @lambda

(assignment left: [(identifier) (constant) (instance_variable)] @name right: (_) @value) @variable

(call receiver: (_) @receiver method: (_) @name) @call
(call !receiver method: (_) @name) @call

[(for) (while) (until)] @loop
[(if) (unless) (case) (if_modifier) (unless_modifier) (conditional)] @condition
(begin) @try
