; A package reaches to the next one.

(comments) @doc
(pod_statement) @doc

(package_statement (package_name) @name) @package
(function_definition name: (_) @name body: (_) @body) @function
