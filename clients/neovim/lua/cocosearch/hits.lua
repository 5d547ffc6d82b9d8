--- What the server found, as lists and pickers of Neovim take it.

local M = {}

--- Lines count from 1, as everywhere in Neovim.
---@class cocosearch.Item
---@field filename string
---@field lnum integer the line of the definition's name, else the first that was found
---@field col integer
---@field first integer the context range
---@field last integer
---@field score number
---@field name string the definition's name, or the scope around what was found
---@field line string the line of code at lnum

---@param hit table a hit of cocosearch/search
---@return string
local function name_of(hit)
  return hit.symbol and hit.symbol.name or hit.hierarchy or ''
end

--- `text` is the context range as the server sees it: with what is not saved yet.
---@param hit table
---@return string
local function line_of(hit)
  local lines = vim.split(hit.text or '', '\n')
  local line = lines[hit.selectionRange.start.line - hit.contextRange.start.line + 1]
  return vim.trim(line or hit.symbol and hit.symbol.signature or '')
end

---@param hit table
---@return cocosearch.Item
function M.item(hit)
  local start = hit.selectionRange.start
  return {
    filename = vim.uri_to_fname(hit.location.uri),
    lnum = start.line + 1,
    col = start.character + 1,
    first = hit.contextRange.start.line + 1,
    -- The end of a range of the protocol is the beginning of the line after the last.
    last = hit.contextRange['end'].line,
    score = hit.score,
    name = name_of(hit),
    line = line_of(hit),
  }
end

---@param item cocosearch.Item
---@return string
function M.text(item)
  local name = item.name == '' and '' or item.name .. ' | '
  return ('%.2f %s%s'):format(item.score, name, item.line)
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
