; What can be jumped to: elements with an id.

(comment) @doc

((element
  (start_tag
    (attribute (attribute_name) @_name (quoted_attribute_value (attribute_value) @name))) @body) @class
  (#eq? @_name "id"))
