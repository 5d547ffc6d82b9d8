--- Starts the server with vim.lsp.enable() if available, else with vim.lsp.start() for each buffer.

local M = {}

M.NAME = 'cocosearch'

--- The configuration from lsp/cocosearch.lua and from the user.
---@return table
function M.config()
  if vim.lsp.config then
    return vim.lsp.config[M.NAME]
  end
  local shipped = vim.api.nvim_get_runtime_file('lsp/cocosearch.lua', false)[1]
  return vim.tbl_deep_extend('force', dofile(shipped), vim.g.cocosearch_config or {})
end

--- For Neovim 0.10.
---@param buffer integer
local function attach(buffer)
  if vim.bo[buffer].buftype ~= '' or vim.api.nvim_buf_get_name(buffer) == '' then
    return
  end
  local config = M.config()
  local root = vim.fs.root(buffer, config.root_markers)
  if root then
    vim.lsp.start(vim.tbl_extend('force', config, { name = M.NAME, root_dir = root }), { bufnr = buffer })
  end
end

function M.start()
  if vim.lsp.enable then
    return vim.lsp.enable(M.NAME)
  end
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('cocosearch', {}),
    callback = function(event)
      attach(event.buf)
    end,
  })
  -- A plugin manager may load this file after the first buffers are open.
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) then
      attach(buffer)
    end
  end
end

--- The project of a buffer; for a buffer without a file, the project of the current folder.
---@param buffer integer
---@return string?
local function root_of(buffer)
  local markers = M.config().root_markers
  local has_file = vim.bo[buffer].buftype == '' and vim.api.nvim_buf_get_name(buffer) ~= ''
  return vim.fs.root(has_file and buffer or vim.fn.getcwd(), markers)
end

--- The client of a folder, started or starting.
---@param root string
---@return integer? id
local function started_in(root)
  for _, client in ipairs(vim.lsp.get_clients({ name = M.NAME, _uninitialized = true })) do
    if client.root_dir == root and not client.rpc.is_closing() then
      return client.id
    end
  end
end

---@param root string
---@return integer? id
local function start_in(root)
  local config = vim.tbl_extend('force', M.config(), { name = M.NAME, root_dir = root })
  if vim.fn.has('nvim-0.11') == 1 then
    return vim.lsp.start(config, { attach = false, silent = true })
  end
  return (vim.lsp.start_client(config))
end

--- Why the program cannot be started.
---@return string?
function M.missing()
  local cmd = M.config().cmd
  if type(cmd) ~= 'table' or vim.fn.executable(cmd[1]) == 1 then
    return nil
  end
  return ('`%s` is not on the PATH: install it, or name it in the configuration of the server (:help cocosearch-settings)'):format(
    cmd[1]
  )
end

--- The client of a buffer's project, started if needed; it may still be starting. Outside any project, any
--- running client.
---@param buffer integer
---@return integer? id
---@return string? problem where there is none
function M.client_of(buffer)
  local attached = vim.lsp.get_clients({ name = M.NAME, bufnr = buffer })[1]
  if attached then
    return attached.id
  end
  local root = root_of(buffer)
  if not root then
    local any = vim.lsp.get_clients({ name = M.NAME })[1]
    return any and any.id, 'not running: open a file of a project (:checkhealth cocosearch says more)'
  end
  local running = started_in(root)
  if running then
    return running
  end
  local missing = M.missing()
  if missing then
    return nil, missing
  end
  return start_in(root), 'the server was not started (:checkhealth cocosearch says more)'
end

return M
