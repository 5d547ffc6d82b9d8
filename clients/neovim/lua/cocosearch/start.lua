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

return M
