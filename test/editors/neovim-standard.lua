-- Run in a real Neovim: goes to a definition as Neovim's own keys do, searches, and writes what it saw as JSON.

local TIMEOUT_MS = 120000

local seen = {}

local is_indexed = false
vim.api.nvim_create_autocmd('LspProgress', {
  callback = function(event)
    is_indexed = is_indexed or event.data.params.value.kind == 'end'
  end,
})

local function wait_for(what, condition)
  assert(vim.wait(TIMEOUT_MS, condition, 20), 'waited in vain for ' .. what)
end

local function here()
  return ('%s:%d:%d'):format(vim.fn.expand('%:.'), vim.fn.line('.'), vim.fn.col('.'))
end

local function client()
  return vim.lsp.get_clients({ name = 'cocosearch', bufnr = 0 })[1]
end

local function play()
  wait_for('the end of indexing', function()
    return is_indexed and client() ~= nil
  end)
  wait_for('the offer', function()
    return client():supports_method('textDocument/definition', 0)
  end)
  vim.api.nvim_win_set_cursor(0, { 3, 4 })
  vim.lsp.buf.definition()
  wait_for('the jump', function()
    return vim.fn.expand('%:.') ~= 'shop.py'
  end)
  seen.definition = here()
  -- The first search only begins to resolve the graph.
  wait_for('related files', function()
    vim.fn.setqflist({}, 'f')
    require('cocosearch').search('open_pool path:pool.py')
    vim.wait(2000, function()
      return #vim.fn.getqflist() > 0
    end)
    local last = vim.fn.getqflist()[#vim.fn.getqflist()]
    seen.related = last and ('%s:%d %s'):format(vim.fn.bufname(last.bufnr), last.lnum, last.text)
    return seen.related and seen.related:find('related') ~= nil
  end)
  vim.cmd.edit('notes.rb')
  wait_for('the client', client)
  seen.elsewhere = client():supports_method('textDocument/definition', 0)
end

dofile(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/neovim-seen.lua')(play, seen)
