--- :CocoSearchPick in Telescope.

local channel = require('plenary.async.control').channel
local defaults = require('telescope.config').values
local finders = require('telescope.finders')
local pickers = require('telescope.pickers')
local previewers = require('telescope.previewers')
local sorters = require('telescope.sorters')

local hits = require('cocosearch.hits')
local live = require('cocosearch.pickers.live')
local preview = require('cocosearch.pickers.preview')

local M = {}

---@param item cocosearch.Item
local function entry_of(item)
  local path = vim.fn.fnamemodify(item.filename, ':.')
  local text = ('%s:%d  %s'):format(path, item.lnum, hits.text(item))
  return {
    value = item,
    display = text,
    ordinal = text,
    filename = item.filename,
    lnum = item.lnum,
    col = item.col,
  }
end

local function previewer()
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
          preview.mark(buffer, entry.value)
          preview.center(self.state.winid, entry.value)
        end,
      })
    end,
  })
end

---@param question string
function M.open(question)
  local ask = live.asker()
  local finder = finders.new_dynamic({
    entry_maker = entry_of,
    fn = function(prompt)
      local give, given = channel.oneshot()
      ask(prompt, give)
      return given()
    end,
  })
  pickers
    .new({}, {
      prompt_title = 'CocoSearch',
      default_text = question,
      finder = finder,
      previewer = previewer(),
      -- The other sorters drop what does not look like the question.
      sorter = sorters.highlighter_only({}),
    })
    :find()
end

return M
