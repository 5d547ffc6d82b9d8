--- Asks while somebody types: the newest question wins.

local client = require('cocosearch.client')
local hits = require('cocosearch.hits')

local M = {}

--- As many as a picker shows at once.
local LIMIT = 30

--- A function that asks and gives the items: none where an answer fails. A question takes back the one before.
---
--- To be called before a picker opens, while the buffer is current whose project is meant.
---@return fun(question: string, give: fun(items: cocosearch.Item[])): fun() cancel
function M.asker()
  local target = client.current()
  local cancel = function() end
  local is_told = false
  return function(question, give)
    cancel()
    if vim.trim(question) == '' then
      give({})
      return cancel
    end
    local params = { query = question, limit = LIMIT, includeText = true }
    cancel = client.ask(target, 'cocosearch/search', params, function(problem, answer)
      if problem and not is_told then
        is_told = true
        client.notify(problem, vim.log.levels.WARN)
      end
      give(problem and {} or hits.items(answer))
    end)
    return cancel
  end
end

return M
