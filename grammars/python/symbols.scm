(comment) @doc
(decorator) @doc

(decorated_definition definition: (_) @wrapped) @wrapper

(class_definition name: (_) @name body: (_) @body) @class
(function_definition name: (_) @name body: (_) @body) @function
(module
  (expression_statement
    (assignment left: (identifier) @name right: (lambda body: (_) @body)) @function))
(type_alias_statement left: (type) @name) @interface

; Types that are assigned: made by a call, a type variable, an alias.
((module
  (expression_statement
    (assignment
      left: (identifier) @name
      right: (call function: [(identifier) @_made (attribute attribute: (identifier) @_made)])) @class))
  (#any-of? @_made
    "namedtuple" "NamedTuple" "TypedDict" "make_dataclass" "Enum" "IntEnum" "StrEnum" "Flag" "IntFlag"))
((module
  (expression_statement
    (assignment
      left: (identifier) @name
      right: (call function: [(identifier) @_made (attribute attribute: (identifier) @_made)])) @interface))
  (#any-of? @_made "TypeVar" "ParamSpec" "TypeVarTuple" "NewType" "TypeAliasType"))
((module
  (expression_statement (assignment left: (identifier) @name type: (_) @_type) @interface))
  (#match? @_type "\\bTypeAlias$"))
((module
  (expression_statement
    (assignment
      left: (identifier) @name
      !type
      right: [(subscript) (binary_operator operator: "|")]) @interface))
  (#match? @name "^_*[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*$"))

; The variables of a module, which editors list in their outlines too. A script's own are local to it.
((module
  (expression_statement
    [
      (assignment left: (identifier) @name) @variable
      (assignment left: (pattern_list (identifier) @name @variable))
    ]))
  (#not-eq? @name "_"))
((module
  (if_statement
    condition: (_) @_condition
    [
      (block (expression_statement (assignment left: (identifier) @name) @variable))
      (elif_clause (block (expression_statement (assignment left: (identifier) @name) @variable)))
      (else_clause (block (expression_statement (assignment left: (identifier) @name) @variable)))
    ]))
  (#not-match? @_condition "__name__"))
(module
  (try_statement
    [
      (block (expression_statement (assignment left: (identifier) @name) @variable))
      (except_clause (block (expression_statement (assignment left: (identifier) @name) @variable)))
      (else_clause (block (expression_statement (assignment left: (identifier) @name) @variable)))
    ]))

; The constants of a class, members of an enumeration among them.
((class_definition
  body: (block
    (expression_statement (assignment left: (identifier) @name) @variable)))
  (#match? @name "^_*[A-Z][A-Z0-9_]*$"))
