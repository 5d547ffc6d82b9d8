--- :CocoSearchPick in fzf-lua.

local builtin = require('fzf-lua.previewer.builtin')
local fzf = require('fzf-lua')

local hits = require('cocosearch.hits')
local history = require('cocosearch.history')
local live = require('cocosearch.pickers.live')
local preview = require('cocosearch.pickers.preview')
local quickfix = require('cocosearch.quickfix')

local M = {}

--- fzf handles lines of text only: maps path and line to the item.
---@type table<string, cocosearch.Item>
local shown = {}

---@type cocosearch.Live
local asking

---@param item cocosearch.Item
---@return string
local function key_of(item)
  return ('%s:%d'):format(item.filename, item.lnum)
end

--- fzf-lua opens entries that start with a path and a line, so the name comes after them.
---@param item cocosearch.Item
---@return string
local function entry_of(item)
  shown[key_of(item)] = item
  local path = vim.fn.fnamemodify(item.filename, ':.')
  local name = item.name == '' and '' or item.name .. ' | '
  local score = hits.bar(item.score) .. ' ' .. hits.weak(item)
  return ('%s:%d:%d: %s%s%s'):format(path, item.lnum, item.col, score, name, item.line)
end

local Previewer = builtin.buffer_or_file:extend()

function Previewer:new(...)
  Previewer.super.new(self, ...)
  setmetatable(self, Previewer)
  return self
end

--- Called when the preview shows the file.
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

--- fzf reads earlier questions from its own file, the newest last.
local QUESTIONS = vim.fn.tempname()

--- With a history file, fzf uses these two keys, which elsewhere choose a row.
local HISTORY_KEYS = { ['alt-p'] = 'prev-history', ['alt-n'] = 'next-history', ['ctrl-p'] = 'up', ['ctrl-n'] = 'down' }

local function write_questions()
  vim.fn.writefile(vim.tbl_map(live.one_line, history.all()), QUESTIONS)
end

--- Lists the marked hits, else all of them. fzf-lua's own list is sorted by path.
---@param lines string[]
local function export(lines)
  local marked = vim.tbl_filter(function(item)
    return vim.tbl_contains(lines, entry_of(item))
  end, asking.items)
  local items = #marked > 1 and marked or asking.items
  if #items > 0 then
    quickfix.show(items, asking.question)
  end
end

---@param question string
function M.open(question)
  asking = live.new()
  shown = {}
  write_questions()
  local actions = {
    ['alt-l'] = toggle('language'),
    ['alt-k'] = toggle('kind'),
    ['alt-t'] = toggle('tests'),
    ['alt-f'] = toggle('folder'),
    ['ctrl-q'] = export,
  }
  local found
  fzf.fzf_live(function(typed)
    return function(add)
      asking:ask(typed[1], function(items)
        -- fzf accepts one answer per query; a refreshed answer is used for the next key.
        found = items
        for _, item in ipairs(found) do
          add(entry_of(item))
        end
        add(nil)
      end)
    end
  end, {
    prompt = 'CocoSearch> ',
    query = live.one_line(question),
    previewer = Previewer,
    actions = vim.tbl_extend('force', fzf.defaults.actions.files, actions),
    exec_empty_query = false,
    fzf_opts = { ['--history'] = QUESTIONS },
    keymap = { fzf = HISTORY_KEYS },
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
  write_questions()
  return (pcall(fzf.resume))
end

return M
