; A block is called as it is referred to elsewhere, a resource without its word: aws_instance.web, data.aws_ami.linux.

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
  . (string_lit (template_literal) @qualifier)
  . (string_lit (template_literal) @name)
  (body)? @body) @class))
(config_file (body (block . (identifier) @type @name . (block_start) (body)? @body) @class))

; `local.name` elsewhere; around it is the block `locals`.
(config_file (body (block
  . (identifier) @_locals
  (body (attribute . (identifier) @name) @class)))
  (#eq? @_locals "locals"))
