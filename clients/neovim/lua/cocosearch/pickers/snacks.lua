--- :CocoSearchPick in snacks.

local snacks = require('snacks')

local hits = require('cocosearch.hits')
local history = require('cocosearch.history')
local live = require('cocosearch.pickers.live')
local preview = require('cocosearch.pickers.preview')

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
      -- Snacks calls from where little of Neovim may be used.
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
  local name, place, line = hits.columns(entry.item)
  return {
    { hits.bar(entry.item.score) .. ' ', 'CocoSearchScore' },
    { name .. ' ', 'CocoSearchName' },
    { place .. ' ', 'CocoSearchPlace' },
    { line, 'CocoSearchCode' },
  }
end

---@param question string
function M.open(question)
  local asking = live.new()
  local actions, keys = {}, {}
  for key, name in pairs({ ['<a-l>'] = 'language', ['<a-k>'] = 'kind', ['<a-t>'] = 'tests', ['<a-f>'] = 'folder' }) do
    actions['cocosearch_' .. name] = function()
      asking:toggle(name)
    end
    keys[key] = { 'cocosearch_' .. name, mode = { 'i', 'n' } }
  end
  local picker = snacks.picker.pick({
    source = 'cocosearch',
    title = 'CocoSearch',
    finder = finder(asking),
    format = format,
    preview = function(context)
      snacks.picker.preview.file(context)
      preview.mark(context.buf, context.item.item, asking.question)
    end,
    search = question,
    live = true,
    supports_live = true,
    actions = actions,
    win = { input = { keys = keys } },
    on_close = function()
      history.add(asking.question)
      asking:close()
    end,
    -- The server has sorted already.
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
  })
end

---@return boolean
function M.resume()
  return (pcall(snacks.picker.resume))
end

return M
