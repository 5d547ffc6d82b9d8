; Imports, definitions with their types, calls. See grammars/README.md.

(use_declaration) @import
(extern_crate_declaration) @import
(mod_item !body) @import
(mod_item name: (_) @name body: (_)) @namespace

(function_item name: (_) @name parameters: (_) @params return_type: (_)? @type) @function
(function_signature_item name: (_) @name parameters: (_) @params return_type: (_)? @type) @function
(closure_expression parameters: (_) @params return_type: (_)? @type) @lambda
(macro_definition name: (_) @name) @function @static

(struct_item name: (_) @name) @class
(union_item name: (_) @name) @class
(enum_item name: (_) @name) @class
(trait_item name: (_) @name bounds: (_)? @bases) @interface
; By convention a derive macro implements the trait of its name.
((attribute_item (attribute (identifier) @_derive arguments: (token_tree) @bases))
  . (attribute_item)*
  . [(struct_item name: (_) @name) (enum_item name: (_) @name)] @class
  (#eq? @_derive "derive"))
; A type parameter has the members of its bounds.
(type_parameter name: (_) @name bounds: (_) @type) @alias @static
(where_predicate left: (type_identifier) @name bounds: (_) @type) @alias @static
(type_item name: (_) @name type: (_) @type) @alias
(associated_type name: (_) @name) @alias
(impl_item trait: (_)? @bases type: (_) @name) @extension
(field_declaration name: (_) @name type: (_) @type) @variable
(enum_variant name: (_) @name) @variable

(let_declaration pattern: (_) @name type: (_)? @type value: (_)? @value) @variable
(let_condition pattern: (_) @name value: (_) @value) @variable
; A constant or a variant alone binds nothing.
(match_expression
  value: (_) @value
  body: (match_block ((match_arm pattern: (match_pattern . (_) @name)) @variable
    (#not-match? @name "^[A-Z_][A-Za-z0-9_]*$"))))
(const_item name: (_) @name type: (_) @type) @variable
(static_item name: (_) @name type: (_) @type) @variable
(for_expression pattern: (_) @name value: (_) @iterable) @variable

(call_expression function: (_) @callee) @call
; What begins with a capital is a constant or a variant.
((arguments [(identifier) (scoped_identifier)] @handed)
  (#match? @handed "(^|::)[a-z_][A-Za-z0-9_]*$"))
(macro_invocation macro: (_) @callee (token_tree) @tokens) @call
(macro_rule right: (token_tree) @tokens) @call
(source_file (macro_invocation macro: (identifier) @callee (token_tree) @params) @generated)
(source_file (expression_statement (macro_invocation macro: (identifier) @callee (token_tree) @params) @generated))
(declaration_list (macro_invocation macro: (identifier) @callee (token_tree) @params) @generated)

[(for_expression) (while_expression) (loop_expression)] @loop
[(if_expression) (match_expression)] @condition
