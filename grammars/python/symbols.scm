(comment) @doc
(decorator) @doc

(decorated_definition definition: (_) @wrapped) @wrapper

(class_definition name: (_) @name body: (_) @body) @class
(function_definition name: (_) @name body: (_) @body) @function
(module
  (expression_statement
    (assignment left: (identifier) @name right: (lambda body: (_) @body)) @function))
(type_alias_statement left: (type) @name) @interface
