-- Run in a real Neovim: writes where the answer to a question is, and what is marked in its line.

local TIMEOUT_MS = 120000

local function play(seen)
  local answer
  local function ask()
    answer = nil
    require('cocosearch.client').ask(0, 'cocosearch/search', { query = 'SettleInvoice' }, function(_, given)
      answer = given
    end)
    return vim.wait(TIMEOUT_MS, function()
      return answer ~= nil
    end) and answer and answer.state == 'ready'
  end
  assert(vim.wait(TIMEOUT_MS, ask, 100), 'waited in vain for the index')
  local item = require('cocosearch.hits').items(answer)[1]
  vim.cmd.edit(item.filename)
  local line = vim.fn.getline(item.lnum)
  seen.rest = line:sub(item.col)
  seen.marked = vim.tbl_map(function(place)
    return line:sub(place[1] + 1, place[2])
  end, item.highlights)
end

dofile(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/neovim-seen.lua')(play)
