--- Finds or starts the server, waits for it, and sends requests. Each request gets an answer or a reason.

local start = require('cocosearch.start')

local M = {}

--- Interval of checks of a starting or busy server: Neovim sends no event when it ends.
local LOOK_EVERY_MS = 100

---@param sentence string
---@param level? integer of vim.log.levels
function M.notify(sentence, level)
  vim.notify('cocosearch: ' .. sentence, level or vim.log.levels.INFO)
end

--- Shows a message if the buffer has no file.
---@return string? file of the current buffer
function M.current_file()
  local name = vim.api.nvim_buf_get_name(0)
  if vim.bo.buftype ~= '' or name == '' then
    M.notify('this buffer has no file', vim.log.levels.WARN)
    return nil
  end
  return name
end

--- The folder of the current buffer's server; outside any project, of any running server.
---@return string?
function M.root()
  local here = vim.lsp.get_clients({ name = start.NAME, bufnr = 0 })[1]
  local client = here or vim.lsp.get_clients({ name = start.NAME })[1]
  return client and client.root_dir
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

---@param id integer
---@return vim.lsp.Client? where its process still runs
local function living(id)
  local client = vim.lsp.get_client_by_id(id)
  return client and not client.rpc.is_closing() and client or nil
end

--- Calls `look` repeatedly until it returns true.
---@param look fun(): boolean?
---@return fun() stop
local function poll(look)
  local timer = assert(vim.uv.new_timer())
  local function stop()
    if not timer:is_closing() then
      timer:close()
    end
  end
  timer:start(
    LOOK_EVERY_MS,
    LOOK_EVERY_MS,
    vim.schedule_wrap(function()
      if not timer:is_closing() and look() then
        stop()
      end
    end)
  )
  return stop
end

--- Runs the program to learn why it ended, such as an old version of Node.
---@param tell fun(problem: string)
local function explain_end(tell)
  local cmd = start.config().cmd
  local unknown = 'the server ended (:LspLog and :checkhealth cocosearch say more)'
  if type(cmd) ~= 'table' then
    return tell(unknown)
  end
  local ran = pcall(
    vim.system,
    { cmd[1], '--version' },
    { text = true, timeout = 10000 },
    vim.schedule_wrap(function(ended)
      local said = vim.trim(ended.stderr or '')
      tell(ended.code ~= 0 and said ~= '' and 'the server ended: ' .. vim.split(said, '\n')[1] or unknown)
    end)
  )
  if not ran then
    tell(start.missing() or unknown)
  end
end

--- Waits until the server of a buffer's project has started. `use` is called once, with the client or a reason;
--- immediately if it is running.
---@param buffer integer
---@param use fun(client: vim.lsp.Client?, problem: string?)
---@return fun() cancel
function M.connect(buffer, use)
  buffer = vim.api.nvim_buf_is_valid(buffer) and buffer or vim.api.nvim_get_current_buf()
  local id, problem = start.client_of(buffer)
  if not id then
    use(nil, problem)
    return function() end
  end
  local client = living(id)
  if client and client.initialized then
    use(client)
    return function() end
  end
  local is_cancelled = false
  local stop = poll(function()
    local starting = living(id)
    if starting and not starting.initialized then
      return false
    end
    if starting then
      use(starting)
    else
      explain_end(function(reason)
        if not is_cancelled then
          use(nil, reason)
        end
      end)
    end
    return true
  end)
  return function()
    is_cancelled = true
    stop()
  end
end

--- Sends a request. Calls either `answered`, or `ended` if the server ends before it answers.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@param answered fun(problem: string?, answer: any)
---@param ended fun()
---@return fun() cancel
local function send(client, method, params, answered, ended)
  local is_over, stop = false, function() end
  local function finish(run, ...)
    if not is_over then
      is_over = true
      stop()
      run(...)
    end
  end
  -- Without a buffer, Neovim first sends pending changes of all buffers; with 0, of none.
  local sent, request = call(client, 'request', method, params, function(problem, answer)
    finish(answered, problem and problem.message, answer)
  end)
  if not sent then
    finish(ended)
  elseif not is_over then
    stop = poll(function()
      if living(client.id) then
        return false
      end
      finish(ended)
      return true
    end)
  end
  return function()
    finish(function()
      if living(client.id) then
        call(client, 'cancel_request', request)
      end
    end)
  end
end

--- Sends a request to the server of a buffer's project. Starts it if needed, and retries once if it dies before
--- it answers. `answered` is called once, unless the request is cancelled.
---@param buffer integer
---@param method string
---@param params table
---@param answered fun(problem: string?, answer: any)
---@return fun() cancel
function M.ask(buffer, method, params, answered)
  local is_cancelled, is_second = false, false
  local connecting, sending
  local function connect()
    if is_cancelled then
      return
    end
    connecting = M.connect(buffer, function(client, problem)
      if is_cancelled then
        return
      end
      if not client then
        return answered(problem)
      end
      sending = send(client, method, params, answered, function()
        if is_second then
          return explain_end(answered)
        end
        is_second = true
        vim.schedule(connect)
      end)
    end)
  end
  connect()
  return function()
    is_cancelled = true
    for _, stop in pairs({ connecting, sending }) do
      stop()
    end
  end
end

--- Whether the server of a buffer's project has started.
---@param buffer integer
---@return boolean
function M.is_ready(buffer)
  local id = start.client_of(vim.api.nvim_buf_is_valid(buffer) and buffer or vim.api.nvim_get_current_buf())
  local client = id and living(id)
  return client ~= nil and client.initialized == true
end

--- Sends a request to the server of the current buffer, and shows refusals and a starting server to the user.
---@param method string
---@param params table
---@param answered fun(answer: any)
function M.request(method, params, answered)
  local is_answered = false
  M.ask(vim.api.nvim_get_current_buf(), method, params, function(problem, answer)
    is_answered = true
    if problem then
      return M.notify(problem, vim.log.levels.WARN)
    end
    answered(answer)
  end)
  if not is_answered and not M.is_ready(vim.api.nvim_get_current_buf()) then
    M.notify('the server is starting; the answer comes as soon as it runs')
  end
end

return M
