--- What the commands do.

local client = require('cocosearch.client')
local hits = require('cocosearch.hits')

local M = {}

--- As many as a list on a screen holds.
local LIMIT = 30

---@param question string
---@param answer table
local function show(question, answer)
  local unfinished = hits.unfinished(answer)
  for _, warning in ipairs(answer.warnings) do
    client.notify(warning, vim.log.levels.WARN)
  end
  if #answer.hits == 0 then
    return client.notify('nothing found' .. (unfinished and (' (%s)'):format(unfinished) or ''))
  end
  local entries = vim.tbl_map(function(item)
    return { filename = item.filename, lnum = item.lnum, col = item.col, text = hits.text(item) }
  end, hits.items(answer))
  -- A bug report or a stack trace is known by its first line.
  local asked = vim.split(vim.trim(question), '\n')[1]
  local title = 'CocoSearch: ' .. asked .. (unfinished and (' (%s)'):format(unfinished) or '')
  vim.fn.setqflist({}, ' ', { title = title, items = entries })
  vim.cmd('botright copen')
end

--- Fills the quickfix list, best first. Asks for a question where there is none.
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
  client.request('cocosearch/search', { query = question, limit = LIMIT, includeText = true }, function(answer)
    show(question, answer)
  end)
end

---@param index table an index of cocosearch/status
---@return string
local function line_of(index)
  local counts = ('%d of %d files, %d chunks'):format(index.indexed, index.total, index.chunks)
  return ('  %s: %s, %s, %s'):format(index.name, index.state, counts, vim.fn.fnamemodify(index.root, ':~'))
end

--- Says how far the index is.
function M.status()
  client.request('cocosearch/status', vim.empty_dict(), function(status)
    local lines = { status.state .. (status.reason and ': ' .. status.reason or '') }
    vim.list_extend(lines, vim.tbl_map(line_of, status.indexes))
    vim.list_extend(lines, status.warnings)
    client.notify(table.concat(lines, '\n'))
  end)
end

--- Looks for changes; `full` forgets what is stored first. Progress is told as for any server.
---@param options? { full?: boolean }
function M.reindex(options)
  local full = options ~= nil and options.full == true
  client.request('cocosearch/reindex', { full = full }, function()
    client.notify(full and 'indexing everything again' or 'looking for changes')
  end)
end

return M
