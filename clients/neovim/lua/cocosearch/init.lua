--- The functions of the user commands.

local client = require('cocosearch.client')
local hits = require('cocosearch.hits')
local history = require('cocosearch.history')
local quickfix = require('cocosearch.quickfix')
local status = require('cocosearch.status')
local words = require('cocosearch.words')

local M = {}

--- Fills a screen.
local LIMIT = 30

--- Creates a quickfix list, or replaces the list with that id.
---@param question string
---@param answer table
---@param id? integer
---@return integer id
local function write_list(question, answer, id)
  local unfinished = hits.unfinished(answer)
  local title = quickfix.title(question) .. (unfinished and (' (%s)'):format(unfinished) or '')
  local items = vim.list_extend(hits.quickfix(hits.items(answer)), hits.related(answer))
  local what = { title = title, items = items, id = id }
  vim.fn.setqflist({}, id and 'r' or ' ', what)
  return id or vim.fn.getqflist({ id = 0 }).id
end

---@param question string
---@return table
local function parameters(question)
  return { query = question, limit = LIMIT, includeText = true }
end

local show

--- Searches again when indexing ends, to refresh the list or to create it.
---@param question string
---@param changes integer of the state of the index, when it was asked
---@param id? integer
local function ask_again_later(question, changes, id)
  local buffer = vim.api.nvim_get_current_buf()
  local function again()
    if id and vim.fn.getqflist({ id = id }).id ~= id then
      return
    end
    local now = status.changes()
    client.ask(buffer, 'cocosearch/search', parameters(question), function(_, answer)
      if answer and id and #answer.hits > 0 then
        write_list(question, answer, id)
      elseif answer and not id then
        show(question, answer, now)
      end
    end)
  end
  if status.changes() ~= changes then
    return again()
  end
  status.when_indexed(again)
end

---@param question string
---@param answer table
---@param changes integer of the state of the index, when it was asked
function show(question, answer, changes)
  local unfinished = hits.unfinished(answer)
  local is_indexing = answer.state == 'indexing'
  for _, warning in ipairs(answer.warnings) do
    client.notify(warning, vim.log.levels.WARN)
  end
  if #answer.hits == 0 then
    if is_indexing then
      ask_again_later(question, changes)
    end
    local later = is_indexing and '; it is asked again when the files are indexed' or ''
    return client.notify('nothing found' .. (unfinished and (' (%s)%s'):format(unfinished, later) or ''))
  end
  local id = write_list(question, answer)
  if is_indexing then
    ask_again_later(question, changes, id)
  end
  vim.cmd('botright copen')
end

--- Fills the quickfix list, best first. Prompts for a question if none is given.
---@param question? string
function M.search(question)
  if question == nil or vim.trim(question) == '' then
    vim.ui.input({ prompt = 'Find code: ' }, function(typed)
      if typed and vim.trim(typed) ~= '' then
        M.search(typed)
      end
    end)
    return
  end
  history.add(question)
  local changes = status.changes()
  client.request('cocosearch/search', parameters(question), function(answer)
    show(question, answer, changes)
  end)
end

--- Fills the quickfix list with code in other files that resembles the code under the cursor.
function M.similar()
  if not client.current_file() then
    return
  end
  local params = {
    uri = vim.uri_from_bufnr(0),
    position = { line = vim.fn.line('.') - 1, character = 0 },
    limit = LIMIT,
    includeText = true,
  }
  local place = ('similar to %s:%d'):format(vim.fn.expand('%:t'), vim.fn.line('.'))
  client.request('cocosearch/similar', params, function(answer)
    if #answer.hits == 0 then
      return client.notify(place .. ': nothing found')
    end
    write_list(place, answer)
    vim.cmd('botright copen')
  end)
end

--- The selection, else the word under the cursor.
---@return string
function M.here()
  local mode = vim.fn.mode()
  if not mode:find('^[vV\22]') then
    return words.under_cursor()
  end
  local lines = vim.fn.getregion(vim.fn.getpos('v'), vim.fn.getpos('.'), { type = mode })
  vim.api.nvim_feedkeys(vim.keycode('<Esc>'), 'nx', false)
  return table.concat(lines, '\n')
end

---@param index table an index of cocosearch/status
---@return string
local function line_of(index)
  local counts = ('%d of %d files, %d chunks'):format(index.indexed, index.total, index.chunks)
  return ('  %s: %s, %s, %s'):format(index.name, index.state, counts, vim.fn.fnamemodify(index.root, ':~'))
end

--- Shows the state of the index.
function M.status()
  client.request('cocosearch/status', vim.empty_dict(), function(answer)
    local lines = { answer.state .. (answer.reason and ': ' .. answer.reason or '') }
    vim.list_extend(lines, vim.tbl_map(line_of, answer.indexes))
    vim.list_extend(lines, answer.warnings)
    client.notify(table.concat(lines, '\n'))
  end)
end

--- Indexes changed files; `full` deletes the index first. Progress is shown as for any server.
---@param options? { full?: boolean }
function M.reindex(options)
  local full = options ~= nil and options.full == true
  client.request('cocosearch/reindex', { full = full }, function()
    client.notify(full and 'reindexing all files' or 'indexing changed files')
  end)
end

return M
