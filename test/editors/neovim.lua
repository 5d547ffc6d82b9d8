-- Run in a real Neovim: does what its user would do, and writes what the user would see as JSON.

local TIMEOUT_MS = 120000
local START = 'src/pool.py'

local question = assert(vim.env.COCOSEARCH_TEST_QUESTION)
local seen = {}

local is_indexed = false
vim.api.nvim_create_autocmd('LspProgress', {
  callback = function(event)
    is_indexed = is_indexed or event.data.params.value.kind == 'end'
  end,
})

local told = {}
vim.notify = function(sentence)
  told[#told + 1] = sentence
end

local function wait_for(what, condition)
  assert(vim.wait(TIMEOUT_MS, condition, 20), ('waited in vain for %s; told: %s'):format(what, vim.inspect(told)))
end

local function told_after(act)
  told = {}
  act()
  wait_for('a message', function()
    return #told > 0
  end)
  return told[1]
end

local function here()
  return { file = vim.fn.expand('%:.'), line = vim.fn.line('.') }
end

--- Asks, waits for the quickfix list, and goes to its first entry and back.
local function through_quickfix(ask)
  vim.fn.setqflist({}, 'f')
  ask()
  wait_for('the quickfix list', function()
    return #vim.fn.getqflist() > 0
  end)
  local texts = vim.tbl_map(function(entry)
    return entry.text
  end, vim.fn.getqflist())
  local answer = { title = vim.fn.getqflist({ title = 0 }).title, texts = texts }
  vim.cmd.cfirst()
  answer.at = here()
  vim.cmd.cclose()
  vim.cmd.buffer(START)
  return answer
end

local scenes = {}

function scenes.built_in()
  return through_quickfix(function()
    vim.lsp.buf.workspace_symbol(question)
  end)
end

function scenes.command()
  return through_quickfix(function()
    vim.cmd.CocoSearch(question)
  end)
end

function scenes.asked()
  vim.ui.input = function(_, answered)
    answered(question)
  end
  return through_quickfix(vim.cmd.CocoSearch)
end

function scenes.chosen()
  local offered
  vim.ui.select = function(items, options, choose)
    offered = vim.tbl_map(options.format_item or tostring, items)
    choose(items[1], 1)
  end
  local params = { command = 'cocosearch.search', arguments = { question } }
  require('cocosearch.client').request('workspace/executeCommand', params, function() end)
  wait_for('the jump', function()
    return here().file ~= START
  end)
  local at = here()
  vim.cmd.buffer(START)
  return { offered = offered, at = at }
end

function scenes.unsaved()
  vim.api.nvim_buf_set_lines(0, 3, 4, false, { 'class Pool(Closing):' })
  local answer = through_quickfix(function()
    vim.cmd.CocoSearch('type:class Pool')
  end)
  answer.is_modified = vim.bo.modified
  vim.cmd('silent undo')
  return answer
end

function scenes.nothing()
  return told_after(function()
    vim.cmd.CocoSearch('lang:fortran anything')
  end)
end

function scenes.status()
  return told_after(vim.cmd.CocoSearchStatus)
end

function scenes.reindexed()
  local sentence = told_after(function()
    vim.cmd('CocoSearchReindex!')
  end)
  wait_for('the end of the second pass', function()
    return scenes.status():match('^cocosearch: ready')
  end)
  local answer
  wait_for('a complete answer', function()
    answer = scenes.command()
    return not answer.title:find('indexing')
  end)
  return { told = sentence, answer = answer }
end

function scenes.health()
  vim.cmd('silent checkhealth cocosearch')
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  vim.cmd.bwipeout()
  vim.cmd.buffer(START)
  return lines
end

--- Another server in the same buffer, as people have one for each language.
function scenes.beside_another()
  vim.lsp.start({ name = 'another', cmd = { 'other-server' }, root_dir = vim.fn.getcwd() })
  local function another()
    return vim.lsp.get_clients({ bufnr = 0, name = 'another' })[1]
  end
  wait_for('the other server', function()
    return another() and another().initialized
  end)
  local function ask_other(method, params)
    local answers = vim.lsp.buf_request_sync(0, method, params, TIMEOUT_MS)
    return answers[another().id].result
  end
  local place = ask_other('workspace/symbol', { query = 'otherpool' })[1].location
  local position = { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = 0, character = 0 } }
  return {
    ours = scenes.command(),
    place = { file = vim.fn.fnamemodify(vim.uri_to_fname(place.uri), ':.'), line = place.range.start.line + 1 },
    hover = ask_other('textDocument/hover', position).contents,
  }
end

local ORDER = {
  'built_in', 'command', 'asked', 'chosen', 'unsaved', 'nothing', 'status', 'reindexed', 'health', 'beside_another',
}

local function play()
  wait_for('the end of indexing', function()
    return is_indexed
  end)
  assert(vim.lsp.get_clients({ name = 'cocosearch', bufnr = 0 })[1], 'not attached')
  for _, name in ipairs(ORDER) do
    seen[name] = scenes[name]()
  end
  seen.children = vim.api.nvim_get_proc_children(vim.fn.getpid())
end

local ok, problem = xpcall(play, debug.traceback)
if not ok then
  seen.problem = problem
end
vim.fn.writefile({ vim.json.encode(seen) }, assert(vim.env.COCOSEARCH_TEST_SEEN))
vim.cmd('qall!')
