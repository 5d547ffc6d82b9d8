-- Loaded by scripts that run in a real Neovim: plays one, writes what it has seen or why it has ended, and leaves.

---@param play fun(seen: table)
---@param seen? table
return function(play, seen)
  seen = seen or {}
  local ok, problem = xpcall(play, debug.traceback, seen)
  if not ok then
    seen.problem = problem
  end
  vim.fn.writefile({ vim.json.encode(seen) }, assert(vim.env.COCOSEARCH_TEST_SEEN))
  vim.cmd('qall!')
end
