--- Listens for the end of indexing, so that incomplete answers are refreshed.

local M = {}

local EVENT = 'cocosearch/statusChanged'

local listeners = {}
local changes = 0

--- The number of ended passes, to detect a pass that ended while an answer was on its way.
---@return integer
function M.changes()
  return changes
end

--- Calls `run` once, at the next end of a pass.
---@param run fun()
---@return fun() cancel
function M.when_indexed(run)
  listeners[run] = true
  return function()
    listeners[run] = nil
  end
end

local before = vim.lsp.handlers[EVENT]
vim.lsp.handlers[EVENT] = function(problem, params, context)
  if before then
    before(problem, params, context)
  end
  if params.state == 'indexing' then
    return
  end
  changes = changes + 1
  local told = listeners
  listeners = {}
  for run in pairs(told) do
    run()
  end
end

return M
