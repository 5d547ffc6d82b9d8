; Also read for C++. Declarations without a body are not definitions.

(comment) @doc

(function_definition
  declarator: (function_declarator declarator: (identifier) @name)
  body: (_) @body) @function
(function_definition
  declarator: (pointer_declarator
    declarator: (function_declarator declarator: (identifier) @name))
  body: (_) @body) @function
(function_definition
  declarator: (pointer_declarator
    declarator: (pointer_declarator
      declarator: (function_declarator declarator: (identifier) @name)))
  body: (_) @body) @function
(preproc_function_def name: (_) @name value: (_)? @body) @function

(struct_specifier name: (_) @name body: (_) @body) @class
(union_specifier name: (_) @name body: (_) @body) @class
(enum_specifier name: (_) @name body: (_) @body) @class

(type_definition
  type: [
    (struct_specifier body: (_) @body)
    (union_specifier body: (_) @body)
    (enum_specifier body: (_) @body)
  ]
  declarator: (type_identifier) @name) @class
(type_definition declarator: [(type_identifier) (primitive_type)] @name) @interface
(type_definition
  declarator: (pointer_declarator declarator: (type_identifier) @name)) @interface
(type_definition
  declarator: (function_declarator
    declarator: (parenthesized_declarator
      (pointer_declarator declarator: (type_identifier) @name)))) @interface

; Constants: macros with a value, except guards of headers, and members of enumerations.
((preproc_def name: (identifier) @name value: (preproc_arg)) @variable
  (#not-match? @name "_(?:H|HH|HPP|HXX|INCLUDED)_*$"))
(enumerator name: (identifier) @name) @variable
