-- Run in a real Neovim: runs the commands about dependencies, history and context, and writes what they show as JSON.

local TIMEOUT_MS = 120000

local clipboard = ''
vim.g.clipboard = {
  name = 'test',
  copy = {
    ['+'] = function(lines)
      clipboard = table.concat(lines, '\n')
    end,
    ['*'] = function() end,
  },
  paste = {
    ['+'] = function()
      return vim.split(clipboard, '\n')
    end,
    ['*'] = function()
      return {}
    end,
  },
}

local told = {}
vim.notify = function(sentence)
  told[#told + 1] = sentence
end

local function wait_for(what, condition)
  assert(vim.wait(TIMEOUT_MS, condition, 20), ('waited in vain for %s; told: %s'):format(what, vim.inspect(told)))
end

local function request(method, params)
  local answer
  require('cocosearch.client').ask(0, method, params, function(problem, given)
    answer = given or { problem = problem }
  end)
  wait_for(method, function()
    return answer ~= nil
  end)
  return answer
end

--- The quickfix list that a command makes.
local function quickfix(file, line, command)
  vim.cmd.cclose()
  vim.cmd.edit(file)
  vim.fn.cursor(line, 1)
  vim.fn.search('open_pool\\|start_shop', 'c', line)
  vim.fn.setqflist({}, 'f')
  vim.cmd(command)
  wait_for(command, function()
    return #vim.fn.getqflist() > 0
  end)
  local entries = vim.tbl_map(function(entry)
    return ('%s:%d %s'):format(vim.fn.fnamemodify(vim.fn.bufname(entry.bufnr), ':.'), entry.lnum, entry.text)
  end, vim.fn.getqflist())
  return { title = vim.fn.getqflist({ title = 0 }).title, entries = entries }
end

--- A window that floats and shows what `holds` accepts.
local function floating(holds)
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
    if vim.api.nvim_win_get_config(window).relative ~= '' and holds(table.concat(lines, '\n')) then
      return lines
    end
  end
end

local function play(seen)
  wait_for('the history', function()
    local status = request('cocosearch/status', vim.empty_dict())
    return status.state == 'ready' and status.indexes[1].history.state == 'ready'
  end)
  seen.related = quickfix('src/pool.py', 1, 'CocoSearchRelated')
  seen.impact = quickfix('src/pool.py', 1, 'CocoSearchImpact')
  seen.path = quickfix('src/shop.py', 1, 'CocoSearchPath src/pool.py')
  seen.callers = quickfix('src/pool.py', 1, 'CocoSearchCallers')
  seen.similar = quickfix('src/pool.py', 1, 'CocoSearchSimilar')
  seen.word = quickfix('src/pool.py', 1, 'CocoSearchOccurrences')
  seen.exact = quickfix('src/pool.py', 1, 'CocoSearchOccurrences def open_pool')
  seen.pattern = quickfix('src/pool.py', 1, 'CocoSearchOccurrences /op[e]n_\\w+/')
  seen.callees = quickfix('src/shop.py', 4, 'CocoSearchCallees')
  vim.fn.writefile({ 'Hello', 'TypeError: url is None', '  File "src/shop.py", line 6, in start_shop', 'Bye' }, 'report.log')
  seen.selected = quickfix('report.log', 1, '2,3CocoSearch')
  clipboard = 'open_pool fails'
  seen.pasted = quickfix('src/shop.py', 1, 'CocoSearch!')
  vim.cmd.cclose()

  vim.cmd('CocoSearchHistory why are slow networks tried again')
  wait_for('the commits', function()
    seen.commits = floating(function(text)
      return text:find('Retry slow networks') and not text:find('^commit ')
    end)
    return seen.commits
  end)
  vim.api.nvim_feedkeys(vim.keycode('<CR>'), 'mx', false)
  wait_for('the commit', function()
    return vim.bo.filetype == 'git'
  end)
  seen.commit = { filetype = vim.bo.filetype, lines = vim.api.nvim_buf_get_lines(0, 0, -1, false) }

  vim.cmd.edit('src/pool.py')
  vim.cmd('1CocoSearchExplain')
  wait_for('the explanation', function()
    seen.explained = floating(function(text)
      return text:find('Retry')
    end)
    return seen.explained
  end)
  vim.cmd('CocoSearchContext how is the pool opened')
  wait_for('the copy', function()
    return clipboard:find('open_pool%(')
  end)
  seen.copied = clipboard

  vim.cmd.enew()
  told = {}
  vim.cmd('CocoSearchExplain')
  vim.cmd('CocoSearchSimilar')
  request('cocosearch/status', vim.empty_dict())
  seen.without_file = told
end

dofile(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/neovim-seen.lua')(play)
