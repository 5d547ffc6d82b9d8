-- Starts the server in every project, and defines the commands.

if vim.g.loaded_cocosearch then
  return
end
vim.g.loaded_cocosearch = true

local command = vim.api.nvim_create_user_command

--- The query: the lines of a range, with ! the clipboard, else the arguments.
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
end, { range = true, desc = 'Show the commits that shaped these lines' })

command('CocoSearchSimilar', function()
  require('cocosearch').similar()
end, { desc = 'Find similar code in other files' })

command('CocoSearchRelated', function(given)
  require('cocosearch.graph').related(given.args)
end, {
  nargs = '?',
  complete = function()
    return { 'imports', 'importedBy', 'all' }
  end,
  desc = 'List dependencies and dependents of this file',
})

command('CocoSearchImpact', function()
  require('cocosearch.graph').impact()
end, { desc = 'List files that a change of this file may affect' })

command('CocoSearchPath', function(given)
  require('cocosearch.graph').path(given.args)
end, { nargs = 1, complete = 'file', desc = 'Show the dependency path to another file' })

command('CocoSearchCallers', function(given)
  require('cocosearch.graph').callers(given.args)
end, { nargs = '?', desc = 'List the callers of a definition' })

command('CocoSearchCallees', function(given)
  require('cocosearch.graph').callees(given.args)
end, { nargs = '?', desc = 'List the callees of a definition' })

command('CocoSearchOccurrences', function(given)
  require('cocosearch.occurrences').list(given.args, given.bang)
end, { nargs = '?', bang = true, desc = 'List every place of a text; with ! or between slashes, of a pattern' })

command('CocoSearchStatus', function()
  require('cocosearch').status()
end, { desc = 'Show the state of the index' })

command('CocoSearchReindex', function(given)
  require('cocosearch').reindex({ full = given.bang })
end, { bang = true, desc = 'Index changed files; with !, reindex all files' })

if vim.g.cocosearch_start ~= false then
  require('cocosearch.start').start()
end
