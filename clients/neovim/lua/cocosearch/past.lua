--- The history of a project: a picker of commits with their diff, and the commits that shaped some lines.

local client = require('cocosearch.client')
local hits = require('cocosearch.hits')

local M = {}

local LIMIT = 30

--- A commit in the format of `git show`, from the fields of the answer.
---@param commit table of cocosearch/history
---@return string[]
local function lines_of(commit)
  local lines = { 'commit ' .. commit.sha, 'Author: ' .. commit.author, 'Date:   ' .. commit.age, '', '    ' .. commit.subject }
  for _, hunk in ipairs(commit.hunks) do
    vim.list_extend(lines, { '', '--- a/' .. hunk.path, '+++ b/' .. hunk.path })
    vim.list_extend(lines, vim.split(hunk.patch or '', '\n'))
  end
  return vim.tbl_map(function(line)
    return (line:gsub('[\n%z]', ' '))
  end, lines)
end

---@param window integer
---@param buffer integer
---@param commit table
local function preview(window, buffer, commit)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines_of(commit))
  vim.bo[buffer].syntax = 'diff'
  vim.api.nvim_win_set_cursor(window, { 1, 0 })
end

--- Opens a commit in an installed git plugin, else in a new buffer.
---@param commit table
---@param how 'edit'|'split'|'vsplit'|'tabedit'
function M.open(commit, how)
  if vim.fn.exists(':Gedit') == 2 and vim.fn.FugitiveGitDir() ~= '' then
    return vim.cmd((how == 'edit' and 'Gedit ' or 'Gtabedit ') .. commit.sha)
  end
  if vim.fn.exists(':DiffviewOpen') == 2 then
    return vim.cmd(('DiffviewOpen %s^!'):format(commit.sha))
  end
  vim.cmd(how == 'edit' and 'enew' or how == 'tabedit' and 'tabnew' or how == 'split' and 'new' or 'vnew')
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile = 'nofile', 'wipe', false
  vim.api.nvim_buf_set_lines(0, 0, -1, false, lines_of(commit))
  vim.bo.filetype, vim.bo.modifiable = 'git', false
end

---@param commit table
local function row(commit)
  return {
    { hits.bar(commit.score), 'CocoSearchScore' },
    { commit.subject, 'CocoSearchName' },
    { commit.age, 'CocoSearchPlace' },
    { commit.sha:sub(1, 10), 'CocoSearchCode' },
  }
end

---@param answer table
---@return string
local function sentence_of(answer)
  local history = answer.history
  local count = #answer.commits == 0 and 'no commit found' or ('%d commits'):format(#answer.commits)
  if history.state == 'ready' then
    return count
  end
  return history.reason or ('%s, history is %s: %d of %d commits'):format(count, history.state, history.commits, history.total)
end

---@param commits table[]
---@param question string
local function export(commits, question)
  local entries = {}
  for _, commit in ipairs(commits) do
    for _, hunk in ipairs(commit.hunks) do
      if hunk.now then
        entries[#entries + 1] = {
          filename = vim.uri_to_fname(hunk.now.uri),
          lnum = hunk.now.range.start.line + 1,
          text = ('%s %s (%s)'):format(commit.sha:sub(1, 10), commit.subject, commit.age),
        }
      end
    end
  end
  vim.fn.setqflist({}, ' ', { title = 'CocoSearch: history of ' .. question, items = entries })
  vim.cmd('botright copen')
end

--- Opens a picker of commits with their diff as preview.
---@param question? string
function M.history(question)
  local live = require('cocosearch.pickers.live').new({
    method = 'cocosearch/history',
    parameters = { limit = LIMIT, patch = true },
    read = function(answer)
      return answer.commits, sentence_of(answer)
    end,
  })
  require('cocosearch.pickers.window').open({
    title = 'CocoSearch history',
    live = live,
    row = row,
    preview = preview,
    choose = M.open,
    export = export,
  }, question or '')
end

--- Shows the commits that shaped some lines of the current buffer, those with most lines first.
---@param first integer from 1
---@param last integer
function M.explain(first, last)
  if not client.current_file() then
    return
  end
  local range = { start = { line = first - 1, character = 0 }, ['end'] = { line = last, character = 0 } }
  client.request('cocosearch/explain', { uri = vim.uri_from_bufnr(0), range = range }, function(answer)
    local summary = answer.summary ~= '' and answer.summary or 'not committed'
    vim.lsp.util.open_floating_preview(vim.split(summary, '\n'), 'markdown', {
      border = 'rounded',
      focus_id = 'cocosearch.explain',
    })
  end)
end

return M
