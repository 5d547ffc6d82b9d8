--- Converts hits for quickfix lists and pickers.

local M = {}

--- Lines count from 1.
---@class cocosearch.Item
---@field filename string
---@field lnum integer the line that answers best
---@field col integer
---@field first integer the context range
---@field last integer
---@field score number 0 to 1
---@field name string the definition's name, or the scope around what was found
---@field line string the line of code at lnum
---@field is_weak boolean whether the server is unsure of it
---@field highlights? { [1]: integer, [2]: integer }[] words of the question in the line at lnum, as bytes from 0

---@param hit table a hit of cocosearch/search
---@return string
local function name_of(hit)
  return hit.symbol and hit.symbol.name or hit.hierarchy or ''
end

--- `text` is the context range, including unsaved changes.
---@param hit table
---@return string
local function line_of(hit)
  if hit.bestLine then
    return hit.bestLine.text
  end
  local lines = vim.split(hit.text or '', '\n')
  local line = lines[hit.selectionRange.start.line - hit.contextRange.start.line + 1]
  return vim.trim(line or hit.symbol and hit.symbol.signature or '')
end

--- The position encoding of the server, which in Neovim 0.10 differs from byte columns.
---@return string
local function encoding()
  local client = vim.lsp.get_clients({ name = 'cocosearch' })[1]
  return client and client.offset_encoding or 'utf-8'
end

--- The byte column, from 0, of a character in a line of an answer. Only indentation precedes its text.
---@param line? { text: string, textStart: integer }
---@param character integer
---@return integer
function M.byte_in(line, character)
  local counted_in = encoding()
  if not line or counted_in == 'utf-8' or character <= line.textStart then
    return character
  end
  local within = character - line.textStart
  local ok, byte
  if vim.fn.has('nvim-0.11') == 1 then
    ok, byte = pcall(vim.str_byteindex, line.text, counted_in, within)
  else
    ok, byte = pcall(vim.str_byteindex, line.text, within, counted_in == 'utf-16')
  end
  return line.textStart + (ok and byte or within)
end

---@param hit table
---@param character integer
---@return integer
local function byte_of(hit, character)
  return M.byte_in(hit.bestLine, character)
end

---@param hit table
local function highlights_of(hit)
  return hit.bestLine
    and vim.tbl_map(function(range)
      return { byte_of(hit, range.start.character), byte_of(hit, range['end'].character) }
    end, hit.bestLine.highlights)
end

---@param hit table
---@return cocosearch.Item
function M.item(hit)
  local start = hit.selectionRange.start
  return {
    filename = vim.uri_to_fname(hit.location.uri),
    lnum = start.line + 1,
    col = byte_of(hit, start.character) + 1,
    first = hit.contextRange.start.line + 1,
    -- A range of the protocol ends at the start of the line after the last.
    last = hit.contextRange['end'].line,
    score = hit.score,
    name = name_of(hit),
    line = line_of(hit),
    is_weak = hit.relevance == 'weak' or hit.relevance == 'chance',
    highlights = highlights_of(hit),
  }
end

--- Prefix of weak matches in lists without headings.
---@param item cocosearch.Item
---@return string
function M.weak(item)
  return item.is_weak and '(weak) ' or ''
end

--- An entry of the quickfix list.
---@param item cocosearch.Item
---@return string
function M.text(item)
  local name = item.name == '' and '' or item.name .. ' | '
  return ('%.2f %s%s%s'):format(item.score, M.weak(item), name, item.line)
end

local EIGHTHS = { '▏', '▎', '▍', '▌', '▋', '▊', '▉' }

--- A score as a bar of four columns.
---@param score number
---@return string
function M.bar(score)
  local eighths = math.floor(math.max(0, math.min(1, score)) * 32 + 0.5)
  local full, rest = math.floor(eighths / 8), eighths % 8
  local bar = ('█'):rep(full) .. (EIGHTHS[rest] or '')
  return bar .. (' '):rep(4 - full - (rest > 0 and 1 or 0))
end

--- An entry of a picker: name, place, line of code.
---@param item cocosearch.Item
---@return string name
---@return string place
---@return string line
function M.columns(item)
  local path = vim.fn.fnamemodify(item.filename, ':~:.')
  local place = ('%s:%d'):format(path, item.lnum)
  if item.name == '' then
    return item.line == '' and path or item.line, place, ''
  end
  return item.name, place, item.line
end

---@param items cocosearch.Item[]
---@return table[] for setqflist()
function M.quickfix(items)
  return vim.tbl_map(function(item)
    return { filename = item.filename, lnum = item.lnum, col = item.col, text = M.text(item) }
  end, items)
end

--- Files related to the hits, if the setting `search.related` is above 0.
---@param answer table the answer to cocosearch/search
---@return table[] for setqflist()
function M.related(answer)
  return vim.tbl_map(function(file)
    local via = vim.fn.fnamemodify(vim.uri_to_fname(file.via), ':~:.')
    -- The line of the edge is in the dependent file.
    local line = file.dependent and file.edge.range.start.line + 1 or 1
    local text = ('related: %s %s'):format(file.dependent and 'uses' or 'used by', via)
    return { filename = vim.uri_to_fname(file.uri), lnum = line, col = 1, text = text }
  end, answer.related or {})
end

--- In the order of the ranking.
---@param answer table the answer to cocosearch/search
---@return cocosearch.Item[]
function M.items(answer)
  return vim.tbl_map(M.item, answer.hits)
end

--- The progress of indexing if the answer is incomplete, else nil.
---@param answer table
---@return string?
function M.unfinished(answer)
  if answer.state == 'ready' then
    return nil
  end
  return ('%s, %d of %d files'):format(answer.state, answer.indexed, answer.total)
end

return M
