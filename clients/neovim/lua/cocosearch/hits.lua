--- What the server found, as lists and pickers of Neovim take it.

local M = {}

--- Lines count from 1, as everywhere in Neovim.
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

--- `text` is the context range as the server sees it: with what is not saved yet.
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

--- How the servers count characters: what Neovim 0.10 has them do is not what it counts in itself.
---@return string
local function encoding()
  local client = vim.lsp.get_clients({ name = 'cocosearch' })[1]
  return client and client.offset_encoding or 'utf-8'
end

--- The byte from zero of a character of the line at which a hit is; what is before its text is indentation.
---@param hit table
---@param character integer
---@return integer
local function byte_of(hit, character)
  local line, counted_in = hit.bestLine, encoding()
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
    -- The end of a range of the protocol is the beginning of the line after the last.
    last = hit.contextRange['end'].line,
    score = hit.score,
    name = name_of(hit),
    line = line_of(hit),
    is_weak = hit.relevance == 'weak' or hit.relevance == 'chance',
    highlights = highlights_of(hit),
  }
end

--- Said before a weak match in lists that cannot separate them from the rest.
---@param item cocosearch.Item
---@return string
function M.weak(item)
  return item.is_weak and '(weak) ' or ''
end

--- For the quickfix list.
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

--- For pickers: the name first, then the place, then the line of code.
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

--- Files that are related to the hits, where the setting `search.related` asks for them.
---@param answer table the answer to cocosearch/search
---@return table[] for setqflist()
function M.related(answer)
  return vim.tbl_map(function(file)
    local via = vim.fn.fnamemodify(vim.uri_to_fname(file.via), ':~:.')
    -- The line of the edge is in the file that depends on the other.
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

--- How far the index is, where an answer may miss something because of it; else nil.
---@param answer table
---@return string?
function M.unfinished(answer)
  if answer.state == 'ready' then
    return nil
  end
  return ('%s, %d of %d files'):format(answer.state, answer.indexed, answer.total)
end

return M
