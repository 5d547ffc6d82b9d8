--- Shows in a preview what belongs to a hit: its context range.

local M = {}

local NAMESPACE = vim.api.nvim_create_namespace('cocosearch.context')

vim.api.nvim_set_hl(0, 'CocoSearchContext', { link = 'Visual', default = true })

--- Marks the context range of an item, and nothing else, in a buffer that shows its file.
---@param buffer integer
---@param item cocosearch.Item
function M.mark(buffer, item)
  vim.api.nvim_buf_clear_namespace(buffer, NAMESPACE, 0, -1)
  -- The file may have become shorter since.
  local last = math.min(item.last, vim.api.nvim_buf_line_count(buffer))
  for line = item.first, last do
    vim.api.nvim_buf_set_extmark(buffer, NAMESPACE, line - 1, 0, { line_hl_group = 'CocoSearchContext' })
  end
end

--- Puts the line of the definition's name in the middle of a window.
---@param window integer
---@param item cocosearch.Item
function M.center(window, item)
  local count = vim.api.nvim_buf_line_count(vim.api.nvim_win_get_buf(window))
  vim.api.nvim_win_set_cursor(window, { math.min(item.lnum, count), 0 })
  vim.api.nvim_win_call(window, function()
    vim.cmd('normal! zz')
  end)
end

return M
