-- Run in a real Neovim: waits for the index, asks in three ways, and writes what its user would see as JSON.

local PATIENCE_MS = 60000

local question = assert(vim.env.COCOSEARCH_TEST_QUESTION)
local seen = {}

local is_indexed = false
vim.api.nvim_create_autocmd('LspProgress', {
  callback = function(event)
    is_indexed = is_indexed or event.data.params.value.kind == 'end'
  end,
})

local function wait_for(what, condition)
  assert(vim.wait(PATIENCE_MS, condition, 20), 'waited in vain for ' .. what)
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
  local answer = { title = vim.fn.getqflist({ title = 0 }).title, text = vim.fn.getqflist()[1].text }
  vim.cmd.cfirst()
  answer.at = here()
  vim.cmd.edit('src/pool.py')
  return answer
end

local function play()
  wait_for('the end of indexing', function()
    return is_indexed
  end)
  local client = assert(vim.lsp.get_clients({ name = 'cocosearch', bufnr = 0 })[1], 'not attached')
  seen.children = vim.api.nvim_get_proc_children(vim.fn.getpid())

  seen.symbols = through_quickfix(function()
    vim.lsp.buf.workspace_symbol(question)
  end)
  seen.command = through_quickfix(function()
    vim.cmd.CocoSearch(question)
  end)

  vim.ui.select = function(items, options, choose)
    seen.offered = vim.tbl_map(options.format_item or tostring, items)
    choose(items[1], 1)
  end
  client:exec_cmd({ title = 'search', command = 'cocosearch.search', arguments = { question } })
  wait_for('the jump', function()
    return here().file ~= 'src/pool.py'
  end)
  seen.chosen = here()
end

local ok, problem = xpcall(play, debug.traceback)
if not ok then
  seen.problem = problem
end
vim.fn.writefile({ vim.json.encode(seen) }, assert(vim.env.COCOSEARCH_TEST_SEEN))
vim.cmd('qall!')
