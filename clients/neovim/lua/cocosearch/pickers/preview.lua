--- Previews a hit: highlights its context range, its best line and the query words.

require('cocosearch.highlights')
local words = require('cocosearch.words')

local M = {}

local CONTEXT = vim.api.nvim_create_namespace('cocosearch.context')
local MATCHES = vim.api.nvim_create_namespace('cocosearch.matches')

--- A longer file is shown without highlighting, to keep moving through the list fast.
local MAX_COLORED_LINES = 10000

---@param buffer integer
---@param item cocosearch.Item
---@param last integer
---@param question string
local function mark_words(buffer, item, last, question)
  local wanted = words.of(question)
  local lines = vim.api.nvim_buf_get_lines(buffer, item.first - 1, last, false)
  for index, line in ipairs(lines) do
    local is_best = item.first + index - 1 == item.lnum
    -- The server sends the matching words of the best line.
    local places = is_best and item.highlights or words.places(line, wanted)
    for _, place in ipairs(places) do
      vim.api.nvim_buf_set_extmark(buffer, MATCHES, item.first + index - 2, math.min(place[1], #line), {
        end_col = math.min(place[2], #line),
        hl_group = 'CocoSearchMatch',
        priority = 200,
      })
    end
  end
end

--- Highlights only the context range of an item in a buffer with its file.
---@param buffer integer
---@param item cocosearch.Item
---@param question? string
function M.mark(buffer, item, question)
  vim.api.nvim_buf_clear_namespace(buffer, CONTEXT, 0, -1)
  vim.api.nvim_buf_clear_namespace(buffer, MATCHES, 0, -1)
  -- The file may be shorter now.
  local last = math.min(item.last, vim.api.nvim_buf_line_count(buffer))
  for line = item.first, last do
    local group = line == item.lnum and 'CocoSearchLine' or 'CocoSearchContext'
    vim.api.nvim_buf_set_extmark(buffer, CONTEXT, line - 1, 0, { line_hl_group = group })
  end
  mark_words(buffer, item, last, question or '')
end

--- Centers the best line in a window.
---@param window integer
---@param item cocosearch.Item
function M.center(window, item)
  local count = vim.api.nvim_buf_line_count(vim.api.nvim_win_get_buf(window))
  vim.api.nvim_win_set_cursor(window, { math.min(item.lnum, count), 0 })
  vim.api.nvim_win_call(window, function()
    vim.cmd('normal! zz')
  end)
end

--- The text of a file, including unsaved changes of an open buffer.
---@param filename string
---@return string[]
local function lines_of(filename)
  local open = vim.fn.bufexists(filename) == 1 and vim.fn.bufnr(filename) or -1
  if open > 0 and vim.api.nvim_buf_is_loaded(open) then
    return vim.api.nvim_buf_get_lines(open, 0, -1, false)
  end
  local read, lines = pcall(vim.fn.readfile, filename)
  return read and lines or {}
end

---@param buffer integer
---@param filename string
local function color(buffer, filename)
  vim.treesitter.stop(buffer)
  vim.bo[buffer].syntax = ''
  local filetype = vim.filetype.match({ filename = filename, buf = buffer })
  if not filetype or vim.api.nvim_buf_line_count(buffer) > MAX_COLORED_LINES then
    return
  end
  local language = vim.treesitter.language.get_lang(filetype)
  if not (language and pcall(vim.treesitter.start, buffer, language)) then
    -- Do not set the file type, which would start language servers for the preview.
    vim.bo[buffer].syntax = filetype
  end
end

--- Shows an item in a preview window.
---@param window integer
---@param buffer integer
---@param item cocosearch.Item
---@param question string
function M.show(window, buffer, item, question)
  if vim.b[buffer].cocosearch_file ~= item.filename then
    local lines = vim.tbl_map(function(line)
      return (line:gsub('\n', '\0'))
    end, lines_of(item.filename))
    vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
    color(buffer, item.filename)
    vim.b[buffer].cocosearch_file = item.filename
  end
  M.mark(buffer, item, question)
  M.center(window, item)
end

return M
