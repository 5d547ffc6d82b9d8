-- Starts the server in every project, and makes the commands.

if vim.g.loaded_cocosearch then
  return
end
vim.g.loaded_cocosearch = true

local command = vim.api.nvim_create_user_command

--- The lines of a range, with ! the clipboard, else the words after the command.
local function question_of(given)
  if given.range > 0 then
    local lines = vim.api.nvim_buf_get_lines(0, given.line1 - 1, given.line2, false)
    return table.concat(lines, '\n')
  end
  return given.bang and vim.fn.getreg('+') or given.args
end

local QUESTION = { nargs = '*', range = true, bang = true }

---@param name string
---@param what string
---@param run fun(question: string)
local function asking(name, what, run)
  command(name, function(given)
    run(question_of(given))
  end, vim.tbl_extend('force', QUESTION, { desc = what }))
end

asking('CocoSearch', 'Find code by meaning and by words', function(question)
  require('cocosearch').search(question)
end)

asking('CocoSearchPick', 'Find code as you type', function(question)
  require('cocosearch.pickers').open({ question = question })
end)

command('CocoSearchResume', function()
  require('cocosearch.pickers').resume()
end, { desc = 'Open the last picker again' })

asking('CocoSearchHistory', 'Find commits as you type', function(question)
  require('cocosearch.past').history(question)
end)

asking('CocoSearchContext', 'Copy the code that a question needs', function(question)
  require('cocosearch.context').copy(question)
end)

command('CocoSearchExplain', function(given)
  require('cocosearch.past').explain(given.line1, given.line2)
end, { range = true, desc = 'Which commits shaped these lines' })

command('CocoSearchSimilar', function()
  require('cocosearch').similar()
end, { desc = 'Code like that under the cursor, in other files' })

command('CocoSearchRelated', function(given)
  require('cocosearch.graph').related(given.args)
end, {
  nargs = '?',
  complete = function()
    return { 'imports', 'importedBy', 'all' }
  end,
  desc = 'Files that this file depends on, and that depend on it',
})

command('CocoSearchImpact', function()
  require('cocosearch.graph').impact()
end, { desc = 'What a change of this file may touch' })

command('CocoSearchPath', function(given)
  require('cocosearch.graph').path(given.args)
end, { nargs = 1, complete = 'file', desc = 'How this file depends on another one' })

command('CocoSearchCallers', function(given)
  require('cocosearch.graph').callers(given.args)
end, { nargs = '?', desc = 'Where a definition is called' })

command('CocoSearchCallees', function(given)
  require('cocosearch.graph').callees(given.args)
end, { nargs = '?', desc = 'What a definition calls' })

command('CocoSearchStatus', function()
  require('cocosearch').status()
end, { desc = 'How far the index is' })

command('CocoSearchReindex', function(given)
  require('cocosearch').reindex({ full = given.bang })
end, { bang = true, desc = 'Look for changes; with ! index everything again' })

if vim.g.cocosearch_start ~= false then
  require('cocosearch.start').start()
end
