--- Shared by the pickers: searches while the user types, drops superseded answers, and shows what it waits for.

local client = require('cocosearch.client')
local hits = require('cocosearch.hits')
local status = require('cocosearch.status')

--- One open picker: its project, its filters and its last answer.
---@class cocosearch.Live
---@field question string
---@field items any[] of the last answer
---@field sentence string the state of the question, for a title
---@field private buffer integer
---@field private filters table<string, any>
---@field private told fun() called when the sentence has changed
---@field private again? fun() called when the last answer should be asked for again; nil if the list is filled only once
---@field private is_read fun(): boolean whether the user has left the first row
---@field private cancel fun()
---@field private forget fun()
---@field private method string
---@field private parameters table
---@field private read fun(answer: table): any[], string, boolean?
---@field private improved? { parameters: table, answer?: table, changes?: integer } the question that the models were last
--- asked about, and its answer until it is shown
local Live = {}
Live.__index = Live

local M = {}

--- Fills a picker.
local LIMIT = 30

--- An empty answer during indexing is retried after this time.
local EMPTY_MS = 1000

--- Debounce after the last keystroke.
local DEBOUNCE_MS = 80

--- Typing rests: within a question, most pauses between keys are shorter.
local REST_MS = 500

--- Languages with another name in the server.
local LANGUAGES = { typescriptreact = 'tsx', javascriptreact = 'javascript', cs = 'csharp', sh = 'bash' }

--- Path patterns of tests, to exclude them.
local TESTS = {
  '!**/{test,tests,spec,specs,__tests__,testdata,testing}/**',
  '!{test,tests,spec,specs,__tests__,testdata,testing}/**',
  '!{test_*,*_test,*.test,*_spec,*.spec,*Test,*Tests}.*',
}

local function nothing() end

--- The question on one line, for pickers with a one-line prompt.
---@param question string
---@return string
function M.one_line(question)
  return (question:gsub('%s*\n%s*', ' '))
end

--- The default request.
---@param answer table of cocosearch/search
---@return cocosearch.Item[]
---@return string sentence
---@return boolean is_unfinished
local function read_search(answer)
  local unfinished = hits.unfinished(answer)
  local count = #answer.hits == 1 and '1 answer' or ('%d answers'):format(#answer.hits)
  local parts = { #answer.hits == 0 and 'nothing found' or count, unfinished }
  return hits.items(answer), table.concat(vim.list_extend(parts, answer.warnings), ' · '), unfinished ~= nil
end

--- Call before a picker opens, while a buffer of the project is current.
---@param request? { method: string, parameters: table, read: fun(answer: table): any[], string, boolean? }
---@return cocosearch.Live
function M.new(request)
  request = request
    or { method = 'cocosearch/search', parameters = { limit = LIMIT, includeText = true }, read = read_search }
  local live = setmetatable({
    question = '',
    items = {},
    sentence = '',
    buffer = vim.api.nvim_get_current_buf(),
    method = request.method,
    parameters = request.parameters,
    read = request.read,
    filters = {},
    cancel = nothing,
    forget = nothing,
  }, Live)
  live:on({})
  return live
end

---@param options { told?: fun(), again?: fun(), is_read?: fun(): boolean }
function Live:on(options)
  self.told = options.told or nothing
  self.again = options.again
  self.is_read = options.is_read or function()
    return false
  end
end

---@private
function Live:say(sentence)
  self.sentence = sentence
  self.told()
end

--- The request parameters of each filter.
local FILTERS = {
  language = function(buffer)
    local name = vim.bo[buffer].filetype
    return name ~= '' and { languages = { LANGUAGES[name] or name } } or nil, 'lang:' .. name
  end,
  functions = function()
    return { symbolTypes = { 'function', 'method' } }, 'functions'
  end,
  types = function()
    return { symbolTypes = { 'class', 'interface' } }, 'types'
  end,
  tests = function()
    return { paths = TESTS }, 'no tests'
  end,
  folder = function(buffer)
    local name = vim.api.nvim_buf_get_name(buffer)
    local running = vim.lsp.get_clients({ name = 'cocosearch', bufnr = buffer })[1]
    local root = running and running.root_dir or vim.fn.getcwd()
    local folder = name ~= '' and vim.fs.dirname(name) or vim.fn.getcwd()
    local within = folder:sub(1, #root + 1) == root .. '/' and folder:sub(#root + 2) or nil
    return within and { paths = { within } }, 'in ' .. (within or '')
  end,
}

--- The cycle of `kind`: all, functions, types.
local NEXT_KIND = { [''] = 'functions', functions = 'types', types = '' }

--- Toggles a filter (language, kind, tests or folder) and searches again.
---@param name 'language'|'kind'|'tests'|'folder'
function Live:toggle(name)
  if name == 'kind' and self.read ~= read_search then
    return
  elseif name == 'kind' then
    self.filters.kind = NEXT_KIND[self.filters.kind or '']
  else
    self.filters[name] = not self.filters[name]
  end
  if self.again then
    self.again()
  end
end

--- The active filters, as request parameters and as text.
---@private
---@return table parameters
---@return string[] words
function Live:filtered()
  local parameters, words = {}, {}
  for _, each in ipairs({ 'language', 'kind', 'tests', 'folder' }) do
    local on = self.filters[each]
    if on and on ~= '' then
      local more, word = FILTERS[each == 'kind' and on or each](self.buffer)
      for key, value in pairs(more or {}) do
        parameters[key] = vim.list_extend(parameters[key] or {}, value)
      end
      words[#words + 1] = more and word or nil
    end
  end
  return parameters, words
end

--- The title: number of hits, state of the index, and active filters.
---@return string
function Live:title()
  local _, words = self:filtered()
  local parts = vim.list_extend({ self.sentence }, words)
  return table.concat(
    vim.tbl_filter(function(part)
      return part ~= ''
    end, parts),
    ' · '
  )
end

---@private
---@param problem string?
---@param answer table?
---@param changes integer of the state of the index, when it was asked
---@return any[]
function Live:take(problem, answer, changes)
  if not answer then
    self.items = {}
    self:say(problem or '')
    return self.items
  end
  local sentence, unfinished
  self.items, sentence, unfinished = self.read(answer)
  self:say(sentence)
  if unfinished and self.again then
    local again = vim.schedule_wrap(self.again)
    if status.changes() ~= changes then
      again()
    else
      local forget = status.when_indexed(again)
      -- A list with rows is refreshed only when the pass ends, so that it does not move while the user reads.
      local timer = #self.items == 0 and vim.defer_fn(again, EMPTY_MS) or nil
      self.forget = function()
        forget()
        if timer and not timer:is_closing() then
          timer:stop()
          timer:close()
        end
      end
    end
  end
  return self.items
end

--- A question on its way: `stop` takes back what it waits for.
---@class cocosearch.Asking
---@field is_cancelled boolean
---@field stop fun()

--- Asks with the models when typing rests, and lets the picker ask again for its answer.
---@private
---@param parameters table
---@param asking cocosearch.Asking
function Live:improve_later(parameters, asking)
  local timer = vim.defer_fn(function()
    if self.is_read() then
      return
    end
    local changes = status.changes()
    asking.stop = client.ask(self.buffer, self.method, parameters, function(_, answer)
      -- The list stays as it is if this fails, or if the user reads it.
      if answer and not asking.is_cancelled and not self.is_read() then
        self.improved = { parameters = parameters, answer = answer, changes = changes }
        self.again()
      end
    end)
  end, REST_MS)
  asking.stop = function()
    if not timer:is_closing() then
      timer:stop()
      timer:close()
    end
  end
end

--- Sends the request, and passes the items of its answer. While the user types, no model is asked.
---@private
---@param parameters table
---@param give fun(items: cocosearch.Item[])
---@param asking cocosearch.Asking
function Live:send(parameters, give, asking)
  local changes = status.changes()
  local is_typed = self.read == read_search and self.improved == nil
  local sent = is_typed and vim.tbl_extend('force', parameters, { typing = true }) or parameters
  self:say(client.is_ready(self.buffer) and 'asking' or 'the server is starting')
  asking.stop = client.ask(self.buffer, self.method, sent, function(problem, answer)
    if asking.is_cancelled then
      return
    end
    give(self:take(problem, answer, changes))
    if answer and answer.canImprove and self.again then
      self:improve_later(parameters, asking)
    end
  end)
end

--- Searches after a pause in typing and passes the items, none after a failure. A new question cancels the one before.
---@param question string
---@param give fun(items: cocosearch.Item[])
---@return fun() cancel
function Live:ask(question, give)
  self:close()
  self.question = question
  if vim.trim(question) == '' then
    self.items = {}
    self:say('')
    give(self.items)
    return nothing
  end
  local parameters = vim.tbl_extend('force', self:filtered(), self.parameters, { query = question })
  local improved = self.improved
  if not improved or not vim.deep_equal(improved.parameters, parameters) then
    self.improved = nil
  elseif improved.answer then
    self.improved = { parameters = parameters }
    give(self:take(nil, improved.answer, improved.changes))
    return nothing
  end
  local asking = { is_cancelled = false, stop = nothing }
  self.cancel = function()
    asking.is_cancelled = true
    asking.stop()
  end
  vim.defer_fn(function()
    if not asking.is_cancelled then
      self:send(parameters, give, asking)
    end
  end, DEBOUNCE_MS)
  return self.cancel
end

--- Cancels the request, and removes the listeners.
function Live:close()
  self.cancel()
  self.forget()
  self.cancel, self.forget = nothing, nothing
end

return M
