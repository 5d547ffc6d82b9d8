--- Graph commands: related files and calls in the quickfix list.

local client = require('cocosearch.client')
local words = require('cocosearch.words')

local M = {}

local LIMIT = 100

---@param title string
---@param entries table[] of setqflist()
local function show(title, entries)
  if #entries == 0 then
    return client.notify(title .. ': nothing found')
  end
  vim.fn.setqflist({}, ' ', { title = 'CocoSearch: ' .. title, items = entries })
  vim.cmd('botright copen')
end

--- Paths in answers are relative to the project.
---@param path string
---@return string
local function full(path)
  return (client.root() or vim.fn.getcwd()) .. '/' .. path
end

---@param path string
---@return string
local function short(path)
  return vim.fn.fnamemodify(path, ':t')
end

--- Notes that a list is cut.
---@param shown table[]
---@param total? integer
---@return string
local function out_of(shown, total)
  return total and #shown < total and (' (%d of %d)'):format(#shown, total) or ''
end

--- The line of the edge is in the dependent file.
---@param file table of cocosearch/related
local function entry_of(file)
  local steps = file.hops == 1 and '' or (', %d steps'):format(file.hops)
  local text = ('%s %s:%d (%s%s)'):format(
    file.dependent and 'uses' or 'used by',
    file.via,
    file.line + 1,
    table.concat(file.types, ', '),
    steps
  )
  return { filename = full(file.path), lnum = file.dependent and file.line + 1 or 1, text = text }
end

---@param direction? 'imports'|'importedBy'|'all'
function M.related(direction)
  local file = client.current_file()
  if not file then
    return
  end
  direction = direction ~= '' and direction or 'all'
  client.request('cocosearch/related', { path = file, direction = direction, limit = LIMIT }, function(answer)
    show('related to ' .. short(file) .. out_of(answer.files, answer.total), vim.tbl_map(entry_of, answer.files))
  end)
end

function M.impact()
  local file = client.current_file()
  if not file then
    return
  end
  client.request('cocosearch/impact', { paths = { file }, limit = LIMIT }, function(answer)
    local entries = vim.tbl_map(function(each)
      if each.reason == 'co-change' then
        return { filename = full(each.path), lnum = 1, text = 'changed together in earlier commits' }
      end
      if each.reason == 'name' then
        return { filename = full(each.path), lnum = 1, text = 'named alike' }
      end
      return entry_of(each)
    end, answer.files)
    for _, test in ipairs(answer.tests) do
      entries[#entries + 1] = { filename = full(test), lnum = 1, text = 'a test to run' }
    end
    local shown = out_of(answer.files, answer.total) .. out_of(answer.tests, answer.testsTotal)
    show('what a change of ' .. short(file) .. ' may touch' .. shown, entries)
  end)
end

--- The shortest dependency path from the current file to another.
---@param to string
function M.path(to)
  local file = client.current_file()
  if not file then
    return
  end
  local target = vim.fn.fnamemodify(to, ':p')
  client.request('cocosearch/path', { from = file, to = target }, function(answer)
    local entries = {}
    for step, path in ipairs(answer.files) do
      entries[step] = { filename = full(path), lnum = 1, text = ('step %d'):format(step) }
    end
    show(('from %s to %s'):format(short(file), short(to)), entries)
  end)
end

---@param method 'callers'|'callees'
---@param name? string default: the word under the cursor
local function calls(method, name)
  name = name and name ~= '' and name or words.under_cursor()
  if name == '' then
    return client.notify('no name under the cursor', vim.log.levels.WARN)
  end
  client.request('cocosearch/' .. method, { name = name, limit = LIMIT }, function(answer)
    local entries = vim.tbl_map(function(site)
      local place = method == 'callers' and site.location or site.target.location
      return {
        filename = vim.uri_to_fname(place.uri),
        lnum = place.range.start.line + 1,
        text = method == 'callers' and site.caller or site.target.name,
      }
    end, answer.calls)
    show(method .. ' of ' .. name .. out_of(answer.calls, answer.total), entries)
  end)
end

---@param name? string
function M.callers(name)
  calls('callers', name)
end

---@param name? string
function M.callees(name)
  calls('callees', name)
end

return M
