; Definitions and calls. What a module imports is read from the text. See grammars/README.md.

((call target: (identifier) @_define (arguments . (alias) @name) (do_block)) @class
  (#eq? @_define "defmodule"))
((call target: (identifier) @_define (arguments . (alias) @name) (do_block)) @interface
  (#eq? @_define "defprotocol"))
((call target: (identifier) @_define (arguments . (alias) @name) (do_block)) @extension
  (#eq? @_define "defimpl"))

((call
  target: (identifier) @_define
  (arguments
    .
    [
      (identifier) @name
      (call target: (identifier) @name)
      (binary_operator left: (call target: (identifier) @name) operator: "when")
      (binary_operator left: (identifier) @name operator: "when")
      (binary_operator operator: _ @name)
      (binary_operator left: (binary_operator operator: _ @name) operator: "when")
    ])) @function
  (#not-eq? @name "when")
  (#any-of? @_define
    "def" "defmacro" "defguard" "defdelegate" "defn"))
; Of ExUnit's case templates: what is in it is given to those that use the module.
((call target: (identifier) @name (do_block)) @function (#eq? @name "using"))
((call target: (identifier) @_use (arguments . (alias) @base)) (#eq? @_use "use"))
; These are seen in their own module alone.
((call
  target: (identifier) @static
  (arguments
    .
    [
      (identifier) @name
      (call target: (identifier) @name)
      (binary_operator left: (call target: (identifier) @name) operator: "when")
      (binary_operator left: (identifier) @name operator: "when")
      (binary_operator operator: _ @name)
      (binary_operator left: (binary_operator operator: _ @name) operator: "when")
    ])) @function
  (#not-eq? @name "when")
  (#any-of? @static "defp" "defmacrop" "defguardp" "defnp"))
(anonymous_function) @lambda

((call target: [(identifier) (dot right: (_))] @callee) @call
  (#not-any-of? @callee
    "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defn" "defnp" "defmodule" "defprotocol"
    "defimpl" "defstruct" "defexception" "defoverridable" "alias" "import" "use" "require" "if" "unless" "case" "cond"
    "with" "for" "try" "receive" "quote" "unquote" "unquote_splicing" "fn" "raise" "throw" "super"))
(binary_operator operator: "|>" right: (identifier) @callee) @call
; `&open/1`
((unary_operator operand: (binary_operator left: (identifier) @callee right: (integer))) @call)

((call target: (identifier) @_condition (do_block)) @condition
  (#any-of? @_condition "if" "unless" "case" "cond"))
((call target: (identifier) @_try (do_block)) @try (#eq? @_try "try"))

; Types and attributes look like calls.
((unary_operator operator: "@" operand: (call target: (identifier) @_attribute)) @ignored
  (#any-of? @_attribute "spec" "callback" "macrocallback" "type" "typep" "opaque" "doc" "moduledoc" "typedoc" "impl" "derive"))
