--- Starts the server: by vim.lsp.enable() where Neovim has it, else by vim.lsp.start() for each buffer.

local M = {}

M.NAME = 'cocosearch'

--- What lsp/cocosearch.lua and the user say about the server.
---@return table
function M.config()
  if vim.lsp.config then
    return vim.lsp.config[M.NAME]
  end
  local shipped = vim.api.nvim_get_runtime_file('lsp/cocosearch.lua', false)[1]
  return vim.tbl_deep_extend('force', dofile(shipped), vim.g.cocosearch_config or {})
end

--- In Neovim 0.10.
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
  -- A plugin manager may load this after the first files were opened.
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) then
      attach(buffer)
    end
  end
end

--- Starts the server for the project around the current folder, for somebody who asks before opening a file.
---@param started fun(client: vim.lsp.Client?) with nil where there is no project, or Neovim is too old for it
function M.here(started)
  local config = M.config()
  local root = vim.fs.root(vim.fn.getcwd(), config.root_markers)
  if not root or vim.fn.has('nvim-0.11') == 0 then
    return started(nil)
  end
  local on_init = type(config.on_init) == 'table' and config.on_init or { config.on_init }
  -- Neovim finds a client only after these have been called.
  local function tell(client)
    vim.schedule(function()
      started(client)
    end)
  end
  local own = { name = M.NAME, root_dir = root, on_init = vim.list_extend({ tell }, on_init) }
  vim.lsp.start(vim.tbl_extend('force', config, own), { attach = false })
end

return M
