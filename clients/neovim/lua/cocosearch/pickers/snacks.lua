--- :CocoSearchPick in snacks.

local snacks = require('snacks')

local hits = require('cocosearch.hits')
local history = require('cocosearch.history')
local live = require('cocosearch.pickers.live')
local preview = require('cocosearch.pickers.preview')
local quickfix = require('cocosearch.quickfix')

local M = {}

---@param item cocosearch.Item
local function entry_of(item)
  local line = item.name == '' and item.line or item.name .. ' | ' .. item.line
  return { text = line, line = line, file = item.filename, pos = { item.lnum, item.col - 1 }, item = item }
end

---@param asking cocosearch.Live
local function finder(asking)
  return function(_, context)
    local question = context.filter.search
    return function(found)
      local items
      -- Snacks calls this in a fast event, where most of the API is forbidden.
      vim.schedule(function()
        local cancel = asking:ask(question, function(given)
          items = given
          context.async:resume()
        end)
        context.async:on('abort', cancel)
      end)
      context.async:suspend()
      for _, item in ipairs(items or {}) do
        found(entry_of(item))
      end
    end
  end
end

local function format(entry)
  local item = entry.item
  local name, place, line = hits.columns(item)
  return {
    { hits.bar(item.score) .. ' ', 'CocoSearchScore' },
    { hits.weak(item) .. name .. ' ', item.is_weak and 'CocoSearchWeak' or 'CocoSearchName' },
    { place .. ' ', 'CocoSearchPlace' },
    { line, 'CocoSearchCode' },
  }
end

local TOGGLES = { ['<a-l>'] = 'language', ['<a-k>'] = 'kind', ['<a-t>'] = 'tests', ['<a-f>'] = 'folder' }

--- Keys for earlier and later questions, as in the built-in picker and in snacks.
local STEPS = { ['<a-p>'] = -1, ['<c-up>'] = -1, ['<a-n>'] = 1, ['<c-down>'] = 1 }

--- Actions of the keys in the prompt.
---@param asking cocosearch.Live
---@return table<string, function> actions
---@return table<string, table> keys
local function actions_of(asking)
  local actions, keys = {}, {}
  local function map(key, name, run)
    actions[name] = run
    keys[key] = { name, mode = { 'i', 'n' } }
  end
  for key, name in pairs(TOGGLES) do
    map(key, 'cocosearch_' .. name, function()
      asking:toggle(name)
    end)
  end
  local walk = history.walk()
  for key, step in pairs(STEPS) do
    map(key, step < 0 and 'cocosearch_earlier' or 'cocosearch_later', function(picker)
      picker.input:set('', live.one_line(walk(step, asking.question)))
    end)
  end
  map('<c-q>', 'cocosearch_quickfix', function(picker)
    local marked = picker:selected()
    local entries = #marked > 0 and marked or picker:items()
    picker:close()
    quickfix.show(
      vim.tbl_map(function(entry)
        return entry.item
      end, entries),
      asking.question
    )
  end)
  return actions, keys
end

---@param question string
function M.open(question)
  local asking = live.new()
  local actions, keys = actions_of(asking)
  local picker = snacks.picker.pick({
    source = 'cocosearch',
    title = 'CocoSearch',
    finder = finder(asking),
    format = format,
    preview = function(context)
      snacks.picker.preview.file(context)
      preview.mark(context.buf, context.item.item, asking.question)
    end,
    search = live.one_line(question),
    live = true,
    supports_live = true,
    actions = actions,
    win = { input = { keys = keys }, list = { keys = { ['<c-q>'] = 'cocosearch_quickfix' } } },
    on_close = function()
      history.add(asking.question)
      asking:close()
    end,
    -- The server sorts.
    sort = { fields = { 'idx' } },
  })
  asking:on({
    told = function()
      if picker and not picker.closed then
        picker.title = asking:title() == '' and 'CocoSearch' or 'CocoSearch · ' .. asking:title()
        picker:update_titles()
      end
    end,
    again = function()
      if picker and not picker.closed then
        picker:find({ refresh = true })
      end
    end,
    is_read = function()
      return not picker or picker.closed or picker.list.cursor > 1
    end,
  })
end

---@return boolean
function M.resume()
  return (pcall(snacks.picker.resume))
end

return M
