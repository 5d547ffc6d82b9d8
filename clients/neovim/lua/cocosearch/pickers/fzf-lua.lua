--- :CocoSearchPick in fzf-lua.

local builtin = require('fzf-lua.previewer.builtin')
local fzf = require('fzf-lua')

local hits = require('cocosearch.hits')
local live = require('cocosearch.pickers.live')
local preview = require('cocosearch.pickers.preview')

local M = {}

--- fzf knows lines of text only: the items by path and line.
---@type table<string, cocosearch.Item>
local shown = {}

---@param item cocosearch.Item
---@return string
local function key_of(item)
  return ('%s:%d'):format(item.filename, item.lnum)
end

---@param item cocosearch.Item
---@return string
local function entry_of(item)
  shown[key_of(item)] = item
  local path = vim.fn.fnamemodify(item.filename, ':.')
  return ('%s:%d:%d: %s'):format(path, item.lnum, item.col, hits.text(item))
end

local Previewer = builtin.buffer_or_file:extend()

function Previewer:new(...)
  Previewer.super.new(self, ...)
  setmetatable(self, Previewer)
  return self
end

--- Called when the file stands in the preview.
function Previewer:set_cursor_hl(entry)
  Previewer.super.set_cursor_hl(self, entry)
  local path = vim.fn.fnamemodify(entry.path, ':p')
  local item = shown[key_of({ filename = path, lnum = entry.line })]
  if item then
    preview.mark(self.preview_bufnr, item)
  end
end

---@param question string
function M.open(question)
  local ask = live.asker()
  shown = {}
  fzf.fzf_live(function(typed)
    return function(add)
      ask(typed[1], function(items)
        for _, item in ipairs(items) do
          add(entry_of(item))
        end
        add(nil)
      end)
    end
  end, {
    prompt = 'CocoSearch> ',
    query = question,
    previewer = Previewer,
    actions = fzf.defaults.actions.files,
    exec_empty_query = false,
  })
end

return M
