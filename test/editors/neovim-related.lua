-- Runs in a real Neovim: searches, and writes the related file in the quickfix list as JSON.

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

local function client()
  return vim.lsp.get_clients({ name = 'cocosearch', bufnr = 0 })[1]
end

local function play()
  wait_for('the end of indexing', function()
    return is_indexed and client() ~= nil
  end)
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
end

dofile(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/neovim-seen.lua')(play, seen)
