-- What a person does in Neovim, done by a script; what they see is written as JSON to $COCOSEARCH_SEEN.
-- Runs with the client's folder on the runtimepath, a file of a project open, and the README's command in $COCOSEARCH_SNIPPET.

local PATIENCE_MS = 60000
local seen = { version = tostring(vim.version()) }

local function finish(problem)
  seen.problem = problem
  vim.fn.writefile({ vim.json.encode(seen) }, vim.env.COCOSEARCH_SEEN)
  vim.cmd('qall!')
end

local function wait(what, is_done)
  if not vim.wait(PATIENCE_MS, is_done, 20) then
    error('waited in vain for ' .. what)
  end
end

local function here()
  return { file = vim.api.nvim_buf_get_name(0), line = vim.api.nvim_win_get_cursor(0)[1] }
end

--- The quickfix list under a title, as file, line and text.
local function quickfix(what, title)
  wait(what, function()
    return vim.startswith(vim.fn.getqflist({ title = 0 }).title, title)
  end)
  return vim.tbl_map(function(item)
    return { file = vim.api.nvim_buf_get_name(item.bufnr), line = item.lnum, text = item.text }
  end, vim.fn.getqflist())
end

local function run()
  local ended = false
  vim.api.nvim_create_autocmd('LspProgress', {
    callback = function(event)
      local value = event.data.params and event.data.params.value or event.data.result.value
      ended = ended or value.kind == 'end'
    end,
  })
  local config = dofile(vim.env.COCOSEARCH_CLIENT)
  if vim.lsp.enable then
    vim.lsp.enable('cocosearch')
  else
    -- Before 0.11 there was no folder lsp/.
    config.name = 'cocosearch'
    config.root_dir = vim.fs.root(0, config.root_markers)
    vim.lsp.start(config)
  end
  wait('the client', function()
    return #vim.lsp.get_clients({ name = 'cocosearch', bufnr = 0 }) == 1
  end)
  wait('the end of progress', function()
    return ended
  end)
  local client = vim.lsp.get_clients({ name = 'cocosearch' })[1]

  vim.lsp.buf.workspace_symbol('where are receipts sent to the customer')
  seen.symbols = quickfix('symbols', 'Symbols')
  vim.cmd('cc 1')
  seen.at_symbol = here()

  if vim.fn.has('nvim-0.11') == 1 then
    dofile(vim.env.COCOSEARCH_SNIPPET)
    vim.cmd('CocoSearch where are receipts sent to the customer')
    seen.command = quickfix(':CocoSearch', 'CocoSearch: where')
    vim.cmd('cclose')
  end

  vim.ui.select = function(items, options, choose)
    seen.choices = vim.tbl_map(options.format_item, items)
    choose(items[1])
  end
  vim.cmd('edit docs/refunds.md')
  local asked = { command = 'cocosearch.search', arguments = { 'wait for a free connection' } }
  local request = vim.fn.has('nvim-0.11') == 1 and client.request or function(_, ...)
    return client.request(...)
  end
  request(client, 'workspace/executeCommand', asked, function(err, answer)
    seen.answer = { err = err and err.message, hits = answer and #answer.hits }
  end, 0)
  wait('the jump', function()
    return not vim.endswith(vim.api.nvim_buf_get_name(0), 'refunds.md')
  end)
  seen.at_choice = here()
end

local ok, problem = xpcall(run, debug.traceback)
finish(not ok and problem or nil)
