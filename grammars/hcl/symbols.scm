; A block is called by its labels, as it is referred to elsewhere: aws_instance.web, variable.region.

(comment) @doc

((config_file (body (block
  . (identifier) @type
  . (string_lit (template_literal) @qualifier)
  . (string_lit (template_literal) @name)
  (body)? @body) @class))
  (#eq? @type "resource"))
(config_file (body (block
  . (identifier) @type @qualifier
  . [(string_lit (template_literal) @name) (identifier) @name]
  . (block_start)
  (body)? @body) @class))
(config_file (body (block
  . (identifier) @type @qualifier
  . (string_lit)
  . (string_lit (template_literal) @name)
  (body)? @body) @class))
(config_file (body (block . (identifier) @type @name . (block_start) (body)? @body) @class))
