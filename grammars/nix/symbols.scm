; Functions are symbols; sets only give their names to what is in them.

(comment) @doc

(binding
  attrpath: (_) @name
  expression: (function_expression body: (_) @body)) @function
(binding attrpath: (_) @name expression: [(attrset_expression) (rec_attrset_expression)]) @owner
