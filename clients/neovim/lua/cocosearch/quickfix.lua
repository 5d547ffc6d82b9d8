--- Lists answers in the quickfix list, best first.

local hits = require('cocosearch.hits')

local M = {}

--- A bug report or a stack trace is known by its first line.
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
