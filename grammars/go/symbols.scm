(comment) @doc

(type_declaration . [(type_spec) (type_alias)] @wrapped .) @wrapper

(function_declaration name: (_) @name body: (_)? @body) @function
(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @qualifier
        (generic_type type: (type_identifier) @qualifier)
        (pointer_type (type_identifier) @qualifier)
        (pointer_type (generic_type type: (type_identifier) @qualifier))
      ]))
  name: (_) @name
  body: (_)? @body) @method

(type_spec name: (_) @name type: (struct_type (field_declaration_list) @body)) @class
(type_spec name: (_) @name type: (interface_type)) @interface
(type_spec name: (_) @name) @interface
(type_alias name: (_) @name) @interface
(method_elem name: (_) @name) @function

; The constants and variables of a package, sentinel errors among them.
((source_file (const_declaration (const_spec name: (identifier) @name) @variable))
  (#not-eq? @name "_"))
((source_file (var_declaration (var_spec name: (identifier) @name) @variable))
  (#not-eq? @name "_"))
((source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @variable)))
  (#not-eq? @name "_"))
