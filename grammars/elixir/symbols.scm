; Everything is a call; what it defines is told by its target. The clauses of a function are one definition.

(comment) @doc
((unary_operator operator: "@" operand: (call target: (identifier) @_attribute)) @doc
  (#any-of? @_attribute "doc" "moduledoc" "typedoc" "spec" "impl" "deprecated"))

((call target: (identifier) @_define (arguments . (alias) @name) (do_block) @body) @module
  (#eq? @_define "defmodule"))
((call target: (identifier) @_define (arguments . (alias) @name) (do_block) @body) @interface
  (#eq? @_define "defprotocol"))
((call target: (identifier) @_define (arguments . (alias) @name) (do_block)) @owner
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
    ])
  (do_block)? @body) @clause
  (#not-eq? @name "when")
  (#any-of? @_define
    "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defn" "defnp"))

; What a module asks of those that implement it, and types.
((unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_attribute
    (arguments
      .
      [
        (binary_operator left: (call target: (identifier) @name))
        (binary_operator left: (identifier) @name)
        (binary_operator left: (binary_operator left: (call target: (identifier) @name)))
      ]))) @clause
  (#any-of? @_attribute "callback" "macrocallback"))
((unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_attribute
    (arguments
      .
      [
        (binary_operator left: (call target: (identifier) @name))
        (binary_operator left: (identifier) @name)
      ]))) @interface
  (#any-of? @_attribute "type" "typep" "opaque"))
