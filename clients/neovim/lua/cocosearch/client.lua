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

--- M.current(), which is started where nothing runs.
---@param use fun(client: vim.lsp.Client?)
function M.with(use)
  local running = M.current()
  if running then
    return use(running)
  end
  start.here(use)
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

--- Asks a server; `answered` is called once, on the main loop, unless it is cancelled.
---@param client vim.lsp.Client? of M.current()
---@param method string
---@param params table
---@param answered fun(problem: string?, answer: any)
---@return fun() cancel
function M.ask(client, method, params, answered)
  if not client then
    answered(NOT_RUNNING)
    return function() end
  end
  -- No buffer is named: Neovim then sends the latest text of all buffers first, and with 0 that of none.
  local sent, id = call(client, 'request', method, params, function(problem, answer)
    answered(problem and problem.message, answer)
  end)
  return function()
    if sent then
      call(client, 'cancel_request', id)
    end
  end
end

--- Asks the server of the current buffer for its user, who is told of a refusal.
---@param method string
---@param params table
---@param answered fun(answer: any)
function M.request(method, params, answered)
  M.with(function(client)
    M.ask(client, method, params, function(problem, answer)
      if problem then
        return M.notify(problem, vim.log.levels.WARN)
      end
      answered(answer)
    end)
  end)
end

return M
