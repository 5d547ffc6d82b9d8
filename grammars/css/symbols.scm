; A rule is called as the first of its selectors.

(comment) @doc

(rule_set (selectors . (_) @name) (block) @body) @class
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @class
