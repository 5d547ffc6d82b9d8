--- A picker without other plugins: a prompt, a list and a preview in floating windows. It opens immediately, and
--- closing it restores the window and the cursor.

require('cocosearch.highlights')
local history = require('cocosearch.history')
local words = require('cocosearch.words')

---@class cocosearch.Source
---@field title string
---@field live cocosearch.Live answers what is typed: with ask, on, title, close, and toggle where there are filters
---@field row fun(item: any): { [1]: string, [2]: string }[] pieces of a line, each with its highlight group
---@field preview fun(window: integer, buffer: integer, item: any, question: string)
---@field choose fun(item: any, how: 'edit'|'split'|'vsplit'|'tabedit')
---@field export? fun(items: any[], question: string) what <C-q> does

---@class cocosearch.Window
---@field source cocosearch.Source
---@field question string
---@field items any[]
---@field row integer the chosen item, from 1
local Window = {}
Window.__index = Window

local M = {}

local ROWS = vim.api.nvim_create_namespace('cocosearch.rows')

--- On a narrower screen, the preview is below the list.
local MIN_COLUMNS_FOR_TWO = 100

--- Layout of the three windows: row, column, width and height inside the borders.
---@return table<string, integer[]>
local function layout()
  local columns, lines = vim.o.columns, vim.o.lines - vim.o.cmdheight
  local width, height = math.max(20, math.floor(columns * 0.92) - 2), math.max(7, math.floor(lines * 0.88) - 2)
  local left, top = math.floor((columns - width - 2) / 2), math.floor((lines - height - 2) / 2)
  -- The prompt and two borders.
  local body = height - 3
  if columns < MIN_COLUMNS_FOR_TWO then
    local list = math.max(1, math.floor((body - 2) / 2))
    return {
      prompt = { top, left, width, 1 },
      list = { top + 3, left, width, list },
      preview = { top + 5 + list, left, width, math.max(1, body - list - 2) },
    }
  end
  local list = math.floor((width - 2) * 0.45)
  return {
    prompt = { top, left, width, 1 },
    list = { top + 3, left, list, body },
    preview = { top + 3, left + list + 2, width - list - 2, body },
  }
end

---@param place integer[]
---@param title string
---@param is_entered boolean
---@return integer window
---@return integer buffer
local function float(place, title, is_entered)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = 'wipe'
  local window = vim.api.nvim_open_win(buffer, is_entered, {
    relative = 'editor',
    style = 'minimal',
    border = 'rounded',
    title = title,
    row = place[1],
    col = place[2],
    width = place[3],
    height = place[4],
  })
  vim.wo[window].winhighlight = 'NormalFloat:Normal'
  vim.wo[window].wrap = false
  return window, buffer
end

---@private
function Window:open_windows()
  local places = layout()
  self.list, self.list_buffer = float(places.list, '', false)
  self.view, self.view_buffer = float(places.preview, '', false)
  self.prompt, self.prompt_buffer = float(places.prompt, (' %s '):format(self.source.title), true)
  vim.bo[self.prompt_buffer].filetype = 'cocosearch'
  vim.wo[self.list].cursorline = true
  vim.wo[self.view].number = true
  vim.api.nvim_buf_set_lines(self.prompt_buffer, 0, -1, false, vim.split(self.question, '\n'))
end

--- Writes the rows of the list.
---@private
function Window:draw()
  local lines, marks = {}, {}
  for index, item in ipairs(self.items) do
    local text = ''
    for _, piece in ipairs(self.source.row(item)) do
      marks[#marks + 1] = { index - 1, #text, #text + #piece[1], piece[2] }
      text = text .. piece[1] .. ' '
    end
    lines[index] = text:gsub('\n', ' ')
  end
  vim.api.nvim_buf_set_lines(self.list_buffer, 0, -1, false, lines)
  for _, mark in ipairs(marks) do
    vim.api.nvim_buf_set_extmark(self.list_buffer, ROWS, mark[1], mark[2], { end_col = mark[3], hl_group = mark[4] })
  end
  self:separate_weak()
  self:select(self.row)
end

--- A line above the first of the weak matches.
---@private
function Window:separate_weak()
  for index, item in ipairs(self.items) do
    if item.is_weak and index > 1 then
      local text = { { { '── weak matches ──', 'Comment' } } }
      vim.api.nvim_buf_set_extmark(self.list_buffer, ROWS, index - 1, 0, { virt_lines = text, virt_lines_above = true })
      return
    end
  end
end

--- Neovim cuts a wide title at its start, where the counts are.
---@param text string
---@param width integer in columns
---@return string
local function cut(text, width)
  if vim.fn.strdisplaywidth(text) <= width then
    return text
  end
  local count = vim.fn.strchars(text)
  while vim.fn.strdisplaywidth(text) > width - 1 do
    count = count - 1
    text = vim.fn.strcharpart(text, 0, count)
  end
  return text .. '…'
end

---@private
function Window:say()
  if self.is_closed then
    return
  end
  local said = self.source.live:title()
  local title = said == '' and self.source.title or ('%s · %s'):format(self.source.title, said)
  -- Two spaces around it.
  local width = vim.api.nvim_win_get_width(self.prompt) - 2
  vim.api.nvim_win_set_config(self.prompt, { title = (' %s '):format(cut(title, width)) })
end

--- Chooses a row and shows its preview.
---@param row integer
function Window:select(row)
  self.row = math.max(1, math.min(row, #self.items))
  local item = self.items[self.row]
  if not item then
    vim.api.nvim_buf_set_lines(self.view_buffer, 0, -1, false, {})
    vim.b[self.view_buffer].cocosearch_file = nil
    return
  end
  vim.api.nvim_win_set_cursor(self.list, { self.row, 0 })
  self.source.preview(self.view, self.view_buffer, item, self.question)
end

--- Searches for the typed text. The shown hits stay until the answer comes.
function Window:ask()
  self.question = table.concat(vim.api.nvim_buf_get_lines(self.prompt_buffer, 0, -1, false), '\n')
  self.source.live:ask(self.question, function(items)
    if not self.is_closed then
      self.items = items
      self:draw()
    end
  end)
  self:say()
end

---@param question string
function Window:set_question(question)
  local lines = vim.split(question, '\n')
  vim.api.nvim_buf_set_lines(self.prompt_buffer, 0, -1, false, lines)
  vim.api.nvim_win_set_cursor(self.prompt, { #lines, #lines[#lines] })
  self.row = 1
  self:ask()
end

--- Moves through earlier questions.
---@private
---@param step integer
function Window:recall(step)
  self:set_question(self.walk(step, self.question))
end

--- The state for M.resume().
local last

function Window:close()
  if self.is_closed then
    return
  end
  self.is_closed = true
  self.source.live:close()
  last = { source = self.source, question = self.question, items = self.items, row = self.row }
  if #self.items > 0 then
    history.add(self.question)
  end
  vim.cmd.stopinsert()
  for _, window in ipairs({ self.prompt, self.list, self.view }) do
    if vim.api.nvim_win_is_valid(window) then
      vim.api.nvim_win_close(window, true)
    end
  end
  if vim.api.nvim_win_is_valid(self.from) then
    vim.api.nvim_set_current_win(self.from)
  end
end

---@private
---@param how 'edit'|'split'|'vsplit'|'tabedit'
function Window:choose(how)
  local item = self.items[self.row]
  if item then
    self:close()
    self.source.choose(item, how)
  end
end

---@private
function Window:export()
  if #self.items > 0 and self.source.export then
    self:close()
    self.source.export(self.items, self.question)
  end
end

---@private
function Window:map_keys()
  local function map(keys, run)
    for _, key in ipairs(keys) do
      vim.keymap.set({ 'i', 'n' }, key, run, { buffer = self.prompt_buffer, nowait = true })
    end
  end
  local function step(by)
    return function()
      self:select(self.row + by)
    end
  end
  local function choose(how)
    return function()
      self:choose(how)
    end
  end
  local function scroll(key)
    local keys = vim.api.nvim_replace_termcodes(key, true, false, true)
    return function()
      vim.api.nvim_win_call(self.view, function()
        vim.cmd('normal! ' .. keys)
      end)
    end
  end
  local function toggle(name)
    return function()
      if self.source.live.toggle then
        self.source.live:toggle(name)
      end
    end
  end
  map({ '<Down>', '<C-n>', '<C-j>' }, step(1))
  map({ '<Up>', '<C-p>', '<C-k>' }, step(-1))
  map({ '<PageDown>' }, step(10))
  map({ '<PageUp>' }, step(-10))
  map({ '<C-d>' }, scroll('<C-d>'))
  map({ '<C-u>' }, scroll('<C-u>'))
  map({ '<CR>' }, choose('edit'))
  map({ '<C-x>' }, choose('split'))
  map({ '<C-v>' }, choose('vsplit'))
  map({ '<C-t>' }, choose('tabedit'))
  map({ '<C-q>' }, function()
    self:export()
  end)
  map({ '<Esc>', '<C-c>' }, function()
    self:close()
  end)
  map({ '<M-l>' }, toggle('language'))
  map({ '<M-k>' }, toggle('kind'))
  map({ '<M-t>' }, toggle('tests'))
  map({ '<M-f>' }, toggle('folder'))
  map({ '<M-p>', '<C-Up>' }, function()
    self:recall(-1)
  end)
  map({ '<M-n>', '<C-Down>' }, function()
    self:recall(1)
  end)
  map({ '<C-r><C-w>' }, function()
    self:set_question(vim.trim(self.question .. ' ' .. self.word))
  end)
end

---@private
function Window:listen()
  vim.api.nvim_create_autocmd({ 'TextChangedI', 'TextChanged', 'TextChangedP' }, {
    buffer = self.prompt_buffer,
    callback = function()
      local typed = table.concat(vim.api.nvim_buf_get_lines(self.prompt_buffer, 0, -1, false), '\n')
      if typed ~= self.question then
        self.row = 1
        self:ask()
      end
    end,
  })
  vim.api.nvim_create_autocmd({ 'BufLeave', 'WinClosed' }, {
    buffer = self.prompt_buffer,
    callback = function()
      vim.schedule(function()
        self:close()
      end)
    end,
  })
  self.source.live:on({
    told = function()
      self:say()
    end,
    again = function()
      if not self.is_closed then
        self:ask()
      end
    end,
    is_read = function()
      return self.is_closed or self.row > 1
    end,
  })
end

---@param source cocosearch.Source
---@param question string
---@param state? { items: any[], row: integer } what was shown when it was closed
function M.open(source, question, state)
  local self = setmetatable({
    source = source,
    question = question,
    items = state and state.items or {},
    row = state and state.row or 1,
    from = vim.api.nvim_get_current_win(),
    word = words.under_cursor(),
    walk = history.walk(),
  }, Window)
  self:open_windows()
  self:map_keys()
  self:listen()
  vim.cmd.startinsert({ bang = true })
  if state then
    self:draw()
    self:say()
  else
    self:ask()
  end
end

--- Opens the last picker as it was, without a new search.
---@return boolean whether there was one
function M.resume()
  if last then
    M.open(last.source, last.question, last)
  end
  return last ~= nil
end

return M
