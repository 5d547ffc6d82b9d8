--- Copies the code for a question as Markdown.

local client = require('cocosearch.client')

local M = {}

--- Copies into the clipboard, if available, and the unnamed register.
---@param text string
local function copy(text)
  vim.fn.setreg('"', text)
  pcall(vim.fn.setreg, '+', text)
end

---@param question? string asked for where it is missing
---@param options? { tokens?: integer }
function M.copy(question, options)
  if question == nil or vim.trim(question) == '' then
    vim.ui.input({ prompt = 'Copy context for: ' }, function(typed)
      if typed and vim.trim(typed) ~= '' then
        M.copy(typed, options)
      end
    end)
    return
  end
  local tokens = options and options.tokens
  client.request('cocosearch/context', { query = question, tokenBudget = tokens }, function(answer)
    if answer.markdown == '' then
      return client.notify('nothing found')
    end
    copy(answer.markdown)
    client.notify(('copied %d passages, %d tokens'):format(#answer.items, answer.tokensUsed))
  end)
end

return M
