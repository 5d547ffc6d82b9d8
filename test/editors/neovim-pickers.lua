-- Loaded into a real Neovim: what a test asks from outside about what its user would see. Answers are JSON.

local namespace = vim.api.nvim_create_namespace('cocosearch.context')

local is_indexed = false
vim.api.nvim_create_autocmd('LspProgress', {
  callback = function(event)
    is_indexed = is_indexed or event.data.params.value.kind == 'end'
  end,
})

--- The marked lines of the preview, wherever it is.
local function marked()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local buffer = vim.api.nvim_win_get_buf(window)
    local lines = vim.tbl_map(function(mark)
      return vim.api.nvim_buf_get_lines(buffer, mark[2], mark[2] + 1, false)[1]
    end, vim.api.nvim_buf_get_extmarks(buffer, namespace, 0, -1, {}))
    if #lines > 0 then
      return lines
    end
  end
  return {}
end

local function windows()
  return vim.tbl_map(function(window)
    return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
  end, vim.api.nvim_list_wins())
end

--- The quickfix list: its title, and each line as its place and its text.
local function quickfix()
  local list = vim.fn.getqflist({ title = 0, items = 0 })
  local lines = vim.tbl_map(function(item)
    return ('%s:%d %s'):format(vim.fn.fnamemodify(vim.fn.bufname(item.bufnr), ':.'), item.lnum, item.text)
  end, list.items)
  return { title = list.title, lines = lines }
end

function _G.cocosearch_test()
  return vim.json.encode({
    quickfix = quickfix(),
    is_indexed = is_indexed,
    marked = marked(),
    windows = windows(),
    at = ('%s:%d'):format(vim.fn.expand('%:.'), vim.fn.line('.')),
    mode = vim.fn.mode(),
    messages = vim.fn.execute('messages'),
  })
end
