--- Goes to a place, and adds the old position to the jump list.

local M = {}

---@param filename string
---@param line integer from 1
---@param column integer from 1, in bytes
---@param how 'edit'|'split'|'vsplit'|'tabedit'
function M.to(filename, line, column, how)
  vim.cmd("normal! m'")
  if how ~= 'edit' or vim.api.nvim_buf_get_name(0) ~= filename then
    vim.cmd[how](vim.fn.fnameescape(filename))
  end
  local last = vim.api.nvim_buf_line_count(0)
  vim.api.nvim_win_set_cursor(0, { math.min(line, last), math.max(0, column - 1) })
  vim.cmd('normal! zvzz')
end

return M
