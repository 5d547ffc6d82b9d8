--- :CocoSearchPick in snacks.

local snacks = require('snacks')

local live = require('cocosearch.pickers.live')
local preview = require('cocosearch.pickers.preview')

local M = {}

---@param item cocosearch.Item
local function entry_of(item)
  local line = item.name == '' and item.line or item.name .. ' | ' .. item.line
  return { text = line, line = line, file = item.filename, pos = { item.lnum, item.col - 1 }, item = item }
end

---@param ask fun(question: string, give: fun(items: cocosearch.Item[])): fun()
local function finder(ask)
  return function(_, context)
    local question = context.filter.search
    return function(found)
      local items
      -- Snacks calls from where little of Neovim may be used.
      vim.schedule(function()
        local cancel = ask(question, function(given)
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

local function format(entry, picker)
  local score = { ('%.2f '):format(entry.item.score), 'SnacksPickerIdx' }
  return vim.list_extend({ score }, snacks.picker.format.file(entry, picker))
end

local function show(context)
  snacks.picker.preview.file(context)
  preview.mark(context.buf, context.item.item)
end

---@param question string
function M.open(question)
  snacks.picker.pick({
    source = 'cocosearch',
    title = 'CocoSearch',
    finder = finder(live.asker()),
    format = format,
    preview = show,
    search = question,
    live = true,
    supports_live = true,
    -- The server has sorted already.
    sort = { fields = { 'idx' } },
  })
end

return M
