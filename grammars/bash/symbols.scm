(comment) @doc

(function_definition name: (_) @name body: (_) @body) @function
