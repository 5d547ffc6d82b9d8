-- Starts the server in every project, and makes the commands.

if vim.g.loaded_cocosearch then
  return
end
vim.g.loaded_cocosearch = true

local command = vim.api.nvim_create_user_command

command('CocoSearch', function(given)
  local question = given.args
  if given.range > 0 then
    local lines = vim.api.nvim_buf_get_lines(0, given.line1 - 1, given.line2, false)
    question = table.concat(lines, '\n')
  elseif given.bang then
    question = vim.fn.getreg('+')
  end
  require('cocosearch').search(question)
end, { nargs = '*', range = true, bang = true, desc = 'Find code by meaning and by words' })

command('CocoSearchPick', function(given)
  require('cocosearch.pickers').open({ question = given.args })
end, { nargs = '*', desc = 'Find code as you type, in the picker that is installed' })

command('CocoSearchStatus', function()
  require('cocosearch').status()
end, { desc = 'How far the index is' })

command('CocoSearchReindex', function(given)
  require('cocosearch').reindex({ full = given.bang })
end, { bang = true, desc = 'Look for changes; with ! index everything again' })

if vim.g.cocosearch_start ~= false then
  require('cocosearch.start').start()
end
