--- Lists every place of a text or a pattern in the quickfix list.

local client = require('cocosearch.client')
local hits = require('cocosearch.hits')
local quickfix = require('cocosearch.quickfix')
local words = require('cocosearch.words')

local M = {}

--- The largest part of a list that the server sends at once.
local PART = 1000
--- More entries are slow to show. The title has the number of all.
local MOST = 10000

---@param file table of cocosearch/occurrences
---@return table[] for setqflist()
local function entries_of(file)
  local name = vim.uri_to_fname(file.uri)
  return vim.tbl_map(function(place)
    local start = place.range.start
    local around = place.definition and ' [' .. place.definition.name .. ']' or ''
    local text = vim.trim(place.text) .. around
    return { filename = name, lnum = start.line + 1, col = hits.byte_in(place, start.character) + 1, text = text }
  end, file.places)
end

--- Asks for part after part, and calls `use` with all entries.
---@param params table
---@param entries table[]
---@param use fun(answer: table, entries: table[])
local function collect(params, entries, use)
  client.request('cocosearch/occurrences', params, function(answer)
    for _, file in ipairs(answer.files) do
      vim.list_extend(entries, entries_of(file))
    end
    if not answer.cursor or #entries >= MOST then
      return use(answer, entries)
    end
    collect(vim.tbl_extend('force', params, { cursor = answer.cursor }), entries, use)
  end)
end

---@param text string without it, the word under the cursor; between slashes, a pattern
---@param is_pattern boolean
function M.list(text, is_pattern)
  local sought = text ~= '' and text or words.under_cursor()
  if sought == '' then
    return client.notify('put the cursor on a word, or pass a text', vim.log.levels.WARN)
  end
  local between = sought:match('^/(.+)/$')
  local params = { limit = PART, [(is_pattern or between) and 'pattern' or 'exact'] = between or sought }
  collect(params, {}, function(answer, entries)
    for _, warning in ipairs(answer.warnings) do
      client.notify(warning, vim.log.levels.WARN)
    end
    if answer.matches == 0 then
      return client.notify(('%s: no match'):format(sought))
    end
    local count = #entries < answer.matches and ('%d of %d'):format(#entries, answer.matches) or tostring(answer.matches)
    local part = answer.isComplete and '' or ', not complete'
    local title = ('%s (%s%s)'):format(quickfix.title(sought), count, part)
    vim.fn.setqflist({}, ' ', { title = title, items = entries })
    vim.cmd('botright copen')
  end)
end

return M
