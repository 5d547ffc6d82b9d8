; What JavaScript, TypeScript and TSX share.

(comment) @doc
(decorator) @doc

(export_statement declaration: (_) @wrapped) @wrapper
(export_statement value: (_) @wrapped) @wrapper
(lexical_declaration . (variable_declarator) @wrapped .) @wrapper
(variable_declaration . (variable_declarator) @wrapped .) @wrapper
(expression_statement . (_) @wrapped .) @wrapper

(function_declaration name: (_) @name body: (_) @body) @function
(generator_function_declaration name: (_) @name body: (_) @body) @function
(class_declaration name: (_) @name body: (_) @body) @class
(method_definition name: (_) @name body: (_) @body) @function

; A function that gets its name from what it is assigned to.
(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @function
(pair
  key: [(property_identifier) (string)] @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @function
(assignment_expression
  left: [(identifier) (member_expression)] @name
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @function

(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @class
(assignment_expression left: (_) @name right: (class body: (_) @body)) @class

; A function made by another one: memo(() => ...), create((set) => ...), and whatever a module exports so.
(program
  (lexical_declaration
    (variable_declarator
      name: (identifier) @name
      value: (call_expression
        arguments: (arguments
          [
            (arrow_function body: (_) @body)
            (function_expression body: (_) @body)
          ]))) @function))
(export_statement
  (lexical_declaration
    (variable_declarator
      name: (identifier) @name
      value: (call_expression
        arguments: (arguments
          [
            (arrow_function body: (_) @body)
            (function_expression body: (_) @body)
          ]))) @function))
(export_statement
  (lexical_declaration
    (variable_declarator
      name: (identifier) @name
      value: [(call_expression) (new_expression) (await_expression)]) @function))
(export_statement
  (lexical_declaration
    (variable_declarator name: (identifier) @name value: (object) @body) @class))

; What a module is: its own name, where it has one.
((assignment_expression
  left: (_) @_module
  right: [
    (function_expression name: (_) @name body: (_) @body)
    (class name: (_) @name body: (_) @body)
  ]) @function
  (#match? @_module "^(module\\.)?exports$"))

; A function that is handed over or returned, when it has a name of its own.
(arguments (function_expression name: (_) @name body: (_) @body) @function)
(return_statement (function_expression name: (_) @name body: (_) @body) @function)

; The methods of an object belong to its name.
(variable_declarator name: (identifier) @name value: (object)) @owner
(assignment_expression left: (member_expression) @name right: (object)) @owner

; Exported values, and the constants of a module.
(export_statement
  (lexical_declaration
    (variable_declarator
      name: (identifier) @name
      value: [
        (string) (template_string) (number) (regex) (true) (false) (null) (undefined)
        (array) (identifier) (member_expression) (unary_expression) (binary_expression)
      ]) @variable))
((program (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
  (#match? @name "^_*[A-Z][A-Z0-9_]+$"))
((program (variable_declaration (variable_declarator name: (identifier) @name) @variable))
  (#match? @name "^_*[A-Z][A-Z0-9_]+$"))
