--- :CocoSearchPick in fzf-lua.

local builtin = require('fzf-lua.previewer.builtin')
local fzf = require('fzf-lua')

local hits = require('cocosearch.hits')
local history = require('cocosearch.history')
local live = require('cocosearch.pickers.live')
local preview = require('cocosearch.pickers.preview')

local M = {}

--- fzf knows lines of text only: the items by path and line.
---@type table<string, cocosearch.Item>
local shown = {}

---@type cocosearch.Live
local asking

---@param item cocosearch.Item
---@return string
local function key_of(item)
  return ('%s:%d'):format(item.filename, item.lnum)
end

--- fzf-lua opens what begins with a path and a line, so that here the name comes after them.
---@param item cocosearch.Item
---@return string
local function entry_of(item)
  shown[key_of(item)] = item
  local path = vim.fn.fnamemodify(item.filename, ':.')
  local name = item.name == '' and '' or item.name .. ' | '
  return ('%s:%d:%d: %s %s%s'):format(path, item.lnum, item.col, hits.bar(item.score), name, item.line)
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
    preview.mark(self.preview_bufnr, item, asking.question)
  end
end

---@param name 'language'|'kind'|'tests'|'folder'
local function toggle(name)
  return {
    fn = function()
      asking:toggle(name)
    end,
    reload = true,
  }
end

---@param question string
function M.open(question)
  asking = live.new()
  shown = {}
  local toggles = {
    ['alt-l'] = toggle('language'),
    ['alt-k'] = toggle('kind'),
    ['alt-t'] = toggle('tests'),
    ['alt-f'] = toggle('folder'),
  }
  local found
  fzf.fzf_live(function(typed)
    return function(add)
      asking:ask(typed[1], function(items)
        -- fzf takes each answer once, and a renewed one is for the next key.
        found = items
        for _, item in ipairs(found) do
          add(entry_of(item))
        end
        add(nil)
      end)
    end
  end, {
    prompt = 'CocoSearch> ',
    query = question,
    previewer = Previewer,
    actions = vim.tbl_extend('force', fzf.defaults.actions.files, toggles),
    exec_empty_query = false,
    winopts = {
      on_close = function()
        history.add(asking.question)
        asking:close()
      end,
    },
  })
end

---@return boolean
function M.resume()
  return (pcall(fzf.resume))
end

return M
