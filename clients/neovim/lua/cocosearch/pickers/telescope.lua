--- :CocoSearchPick in Telescope.

local actions = require('telescope.actions')
local state = require('telescope.actions.state')
local builtin = require('telescope.builtin')
local defaults = require('telescope.config').values
local display = require('telescope.pickers.entry_display')
local finders = require('telescope.finders')
local pickers = require('telescope.pickers')
local previewers = require('telescope.previewers')
local sorters = require('telescope.sorters')
local channel = require('plenary.async.control').channel

local hits = require('cocosearch.hits')
local history = require('cocosearch.history')
local live = require('cocosearch.pickers.live')
local preview = require('cocosearch.pickers.preview')
local quickfix = require('cocosearch.quickfix')

local M = {}

local columns = display.create({ separator = ' ', items = { { width = 4 }, { width = 30 }, { width = 36 }, { remaining = true } } })

---@param item cocosearch.Item
local function entry_of(item)
  local name, place, line = hits.columns(item)
  return {
    value = item,
    display = function()
      return columns({
        { hits.bar(item.score), 'CocoSearchScore' },
        { hits.weak(item) .. name, item.is_weak and 'CocoSearchWeak' or 'CocoSearchName' },
        { place, 'CocoSearchPlace' },
        { line, 'CocoSearchCode' },
      })
    end,
    ordinal = table.concat({ name, place, line }, ' '),
    filename = item.filename,
    lnum = item.lnum,
    col = item.col,
    text = hits.text(item),
  }
end

---@param asking cocosearch.Live
local function previewer(asking)
  return previewers.new_buffer_previewer({
    title = 'Context',
    get_buffer_by_name = function(_, entry)
      return entry.filename
    end,
    define_preview = function(self, entry)
      defaults.buffer_previewer_maker(entry.filename, self.state.bufnr, {
        bufname = self.state.bufname,
        winid = self.state.winid,
        callback = function(buffer)
          preview.mark(buffer, entry.value, asking.question)
          preview.center(self.state.winid, entry.value)
        end,
      })
    end,
  })
end

---@param asking cocosearch.Live
local function finder(asking)
  return finders.new_dynamic({
    entry_maker = entry_of,
    fn = function(prompt)
      local give, given = channel.oneshot()
      asking:ask(prompt, give)
      return given()
    end,
  })
end

---@param asking cocosearch.Live
---@param map fun(modes: string[], key: string, run: function)
local function map_toggles(asking, map)
  for key, name in pairs({ ['<M-l>'] = 'language', ['<M-k>'] = 'kind', ['<M-t>'] = 'tests', ['<M-f>'] = 'folder' }) do
    map({ 'i', 'n' }, key, function()
      asking:toggle(name)
    end)
  end
end

--- Keys for earlier and later questions, as in the built-in picker.
---@param buffer integer
---@param asking cocosearch.Live
---@param map fun(modes: string[], key: string, run: function)
local function map_history(buffer, asking, map)
  local walk = history.walk()
  for key, step in pairs({ ['<M-p>'] = -1, ['<C-Up>'] = -1, ['<M-n>'] = 1, ['<C-Down>'] = 1 }) do
    map({ 'i', 'n' }, key, function()
      local question = walk(step, asking.question)
      state.get_current_picker(buffer):set_prompt(live.one_line(question))
    end)
  end
end

--- The marked hits, else all of them.
---@param buffer integer
---@param asking cocosearch.Live
local function export(buffer, asking)
  local selected = vim.tbl_map(function(entry)
    return entry.value
  end, state.get_current_picker(buffer):get_multi_selection())
  local items = #selected > 0 and selected or asking.items
  if #items > 0 then
    actions.close(buffer)
    quickfix.show(items, asking.question)
  end
end

---@param question string
function M.open(question)
  local asking = live.new()
  local picker
  picker = pickers.new({}, {
    prompt_title = 'CocoSearch',
    default_text = live.one_line(question),
    finder = finder(asking),
    previewer = previewer(asking),
    -- Other sorters drop entries that do not contain the question.
    sorter = sorters.highlighter_only({}),
    attach_mappings = function(buffer, map)
      map_toggles(asking, map)
      map_history(buffer, asking, map)
      map({ 'i', 'n' }, '<C-q>', function()
        export(buffer, asking)
      end)
      actions.close:enhance({
        post = function()
          history.add(asking.question)
          asking:close()
        end,
      })
      asking:on({
        told = function()
          local border = vim.api.nvim_buf_is_valid(buffer) and picker.layout and picker.layout.prompt.border
          if border then
            border:change_title(asking:title() == '' and 'CocoSearch' or 'CocoSearch · ' .. asking:title())
          end
        end,
        again = function()
          if vim.api.nvim_buf_is_valid(buffer) then
            state.get_current_picker(buffer):refresh(nil, { reset_prompt = false })
          end
        end,
        is_read = function()
          local entry = vim.api.nvim_buf_is_valid(buffer) and state.get_selected_entry()
          return not entry or entry.value ~= asking.items[1]
        end,
      })
      return true
    end,
  })
  picker:find()
end

---@return boolean
function M.resume()
  return (pcall(builtin.resume))
end

return M
