; A block is called by its labels, as it is referred to elsewhere: aws_instance.web, data.aws_ami.linux.

(comment) @doc

((config_file (body (block
  . (identifier) @_type
  . (string_lit (template_literal) @qualifier)
  . (string_lit (template_literal) @name)
  (body)? @body) @class))
  (#eq? @_type "resource"))
(config_file (body (block
  . (identifier) @qualifier
  . [(string_lit (template_literal) @name) (identifier) @name]
  . (block_start)
  (body)? @body) @class))
(config_file (body (block
  . (identifier) @qualifier
  . (string_lit)
  . (string_lit (template_literal) @name)
  (body)? @body) @class))
(config_file (body (block . (identifier) @name . (block_start) (body)? @body) @class))
