--- Finds the running server and asks it.

local start = require('cocosearch.start')

local M = {}

local NOT_RUNNING = 'not running: open a file of a project (:checkhealth cocosearch says more)'

---@param sentence string
---@param level? integer of vim.log.levels
function M.notify(sentence, level)
  vim.notify('cocosearch: ' .. sentence, level or vim.log.levels.INFO)
end

--- The server of the current buffer's project; in a buffer of no project, any that runs.
---@return vim.lsp.Client?
function M.current()
  return vim.lsp.get_clients({ name = start.NAME, bufnr = 0 })[1] or vim.lsp.get_clients({ name = start.NAME })[1]
end

--- Calls a method of a client: until 0.10 they were functions without self.
---@param client vim.lsp.Client
---@param method string
local function call(client, method, ...)
  if vim.fn.has('nvim-0.11') == 1 then
    return client[method](client, ...)
  end
  return client[method](...)
end

--- Asks the server. A refusal is shown; `answered` is called with an answer only, on the main loop.
---@param method string
---@param params table
---@param answered fun(answer: any)
---@return fun() cancel
function M.request(method, params, answered)
  local client = M.current()
  if not client then
    M.notify(NOT_RUNNING, vim.log.levels.WARN)
    return function() end
  end
  -- No buffer is named: Neovim then sends the latest text of all buffers first, and with 0 that of none.
  local sent, id = call(client, 'request', method, params, function(problem, answer)
    if problem then
      return M.notify(problem.message, vim.log.levels.ERROR)
    end
    answered(answer)
  end)
  return function()
    if sent then
      call(client, 'cancel_request', id)
    end
  end
end

return M
