--- What every picker shares: it asks while somebody types, the newest question wins, and says what it is waiting for.

local client = require('cocosearch.client')
local hits = require('cocosearch.hits')
local status = require('cocosearch.status')

--- One open picker: the project it asks about, its filters, and what it was answered last.
---@class cocosearch.Live
---@field question string
---@field items any[] of the last answer
---@field sentence string the state of the question, for a title
---@field private buffer integer
---@field private filters table<string, any>
---@field private told fun() called when the sentence has changed
---@field private again fun() called when the last answer should be asked for again
---@field private cancel fun()
---@field private forget fun()
---@field private method string
---@field private parameters table
---@field private read fun(answer: table): any[], string, boolean?
local Live = {}
Live.__index = Live

local M = {}

--- As many as a picker shows at once.
local LIMIT = 30

--- Nothing was found while files are still being indexed: asked again after this long.
local EMPTY_MS = 1000

--- A question is asked when no key has been pressed for this long.
local DEBOUNCE_MS = 80

--- Languages whose name in Neovim the server does not know.
local LANGUAGES = { typescriptreact = 'tsx', javascriptreact = 'javascript', cs = 'csharp', sh = 'bash' }

--- Where tests are kept, as patterns of paths that are left out.
local TESTS = {
  '!**/{test,tests,spec,specs,__tests__,testdata,testing}/**',
  '!{test,tests,spec,specs,__tests__,testdata,testing}/**',
  '!{test_*,*_test,*.test,*_spec,*.spec,*Test,*Tests}.*',
}

local function nothing() end

--- For pickers whose prompt is one line.
---@param question string
---@return string
function M.one_line(question)
  return (question:gsub('%s*\n%s*', ' '))
end

--- What is asked unless somebody says otherwise.
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

--- To be called before a picker opens, while the buffer is current whose project is meant.
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

---@param options { told?: fun(), again?: fun() }
function Live:on(options)
  self.told = options.told or nothing
  self.again = options.again or nothing
end

---@private
function Live:say(sentence)
  self.sentence = sentence
  self.told()
end

--- What each toggle asks for when it is on.
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

--- The next state of `kind` after each: all, functions, types.
local NEXT_KIND = { [''] = 'functions', functions = 'types', types = '' }

--- Switches a filter on or off, and asks again: language, kind, tests or folder.
---@param name 'language'|'kind'|'tests'|'folder'
function Live:toggle(name)
  if name == 'kind' and self.read ~= read_search then
    return
  elseif name == 'kind' then
    self.filters.kind = NEXT_KIND[self.filters.kind or '']
  else
    self.filters[name] = not self.filters[name]
  end
  self.again()
end

--- The filters that are on: as parameters of a request, and in words.
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

--- For a title: how many answers there are, how far the index is, and which filters are on.
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
  if unfinished then
    local again = vim.schedule_wrap(self.again)
    if status.changes() ~= changes then
      again()
    else
      local forget = status.when_indexed(again)
      -- A list with rows in it waits for the end of the pass: it does not move under the reader's eyes.
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

--- Asks, after a rest from typing, and gives the items: none where an answer fails. A question takes back the one before.
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
  local is_cancelled, cancel = false, nothing
  self.cancel = function()
    is_cancelled = true
    cancel()
  end
  vim.defer_fn(function()
    if is_cancelled then
      return
    end
    local changes = status.changes()
    self:say(client.is_ready(self.buffer) and 'asking' or 'the server is starting')
    cancel = client.ask(self.buffer, self.method, parameters, function(problem, answer)
      if not is_cancelled then
        give(self:take(problem, answer, changes))
      end
    end)
  end, DEBOUNCE_MS)
  return self.cancel
end

--- Takes back what is asked, and listens no more.
function Live:close()
  self.cancel()
  self.forget()
  self.cancel, self.forget = nothing, nothing
end

return M
