(comment) @doc

; `private def name` and `private attr = ...` on one line.
(call arguments: (argument_list . (method) @wrapped .)) @wrapper

(module name: (_) @name body: (_)? @body) @class
(class name: (_) @name superclass: (_)? body: (_)? @body) @class
(method name: (_) @name body: (_)? @body) @function
(singleton_method name: (_) @name body: (_)? @body) @method
((assignment
  left: (constant) @name
  right: (call receiver: (constant) @_made method: (identifier) @_new)) @class
  (#any-of? @_made "Struct" "Class" "Module" "Data")
  (#any-of? @_new "new" "define"))

; Constants.
(assignment left: (constant) @name) @variable
