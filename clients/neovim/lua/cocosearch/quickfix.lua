--- Lists hits in the quickfix list, best first.

local hits = require('cocosearch.hits')

local M = {}

--- The title is the first line of the query.
---@param question string
---@return string
function M.title(question)
  return 'CocoSearch: ' .. vim.split(vim.trim(question), '\n')[1]
end

---@param items cocosearch.Item[]
---@param question string
function M.show(items, question)
  vim.fn.setqflist({}, ' ', { title = M.title(question), items = hits.quickfix(items) })
  vim.cmd('botright copen')
end

return M
