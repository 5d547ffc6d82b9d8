; Classes, structs, enums, actors and extensions are one kind of node; an extension names a type that is there already.

(comment) @doc
(multiline_comment) @doc
(attribute) @doc

(class_declaration name: (type_identifier) @name body: (_) @body) @class
(class_declaration name: (user_type) @name body: (_) @body) @owner
(protocol_declaration name: (_) @name body: (_) @body) @interface
(typealias_declaration name: (type_identifier) @name) @interface

(function_declaration name: (simple_identifier) @name body: (_)? @body) @function
(function_declaration name: "init" @name body: (_)? @body) @method
(protocol_function_declaration name: (simple_identifier) @name) @function
(protocol_function_declaration name: "init" @name) @method

; Most operators are no named node. Without the field the query is made in a minute and not in half a second.
(function_declaration
  name: [
    (custom_operator) (bang) "==" "!=" "===" "!==" "<" ">" "<=" ">=" "=" "~"
    "+" "-" "*" "/" "%" "+=" "-=" "*=" "/=" "%=" "++" "--" "&" "|" "^" "<<" ">>"
  ] @name
  body: (_)? @body) @function
(protocol_function_declaration
  name: [
    (custom_operator) (bang) "==" "!=" "===" "!==" "<" ">" "<=" ">=" "=" "~"
    "+" "-" "*" "/" "%" "+=" "-=" "*=" "/=" "%=" "++" "--" "&" "|" "^" "<<" ">>"
  ] @name) @function
(deinit_declaration "deinit" @name body: (_) @body) @method
(subscript_declaration "subscript" @name (computed_property) @body) @method
(property_declaration
  name: (pattern bound_identifier: (_) @name)
  computed_value: (_) @body) @function
