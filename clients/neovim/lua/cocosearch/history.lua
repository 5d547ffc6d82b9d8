--- The history of questions, oldest first, stored in Neovim's state folder.

local M = {}

local MAX_QUESTIONS = 200

local function file()
  return vim.fn.stdpath('state') .. '/cocosearch-questions.json'
end

---@return string[]
function M.all()
  local read, lines = pcall(vim.fn.readfile, file())
  local decoded, questions = pcall(vim.json.decode, read and table.concat(lines) or '')
  return decoded and type(questions) == 'table' and questions or {}
end

---@param question string
function M.add(question)
  question = vim.trim(question)
  if question == '' then
    return
  end
  local questions = vim.tbl_filter(function(each)
    return each ~= question
  end, M.all())
  questions[#questions + 1] = question
  vim.fn.mkdir(vim.fn.stdpath('state'), 'p')
  local kept = vim.list_slice(questions, math.max(1, #questions - MAX_QUESTIONS + 1))
  vim.fn.writefile({ vim.json.encode(kept) }, file())
end

--- Moves through the questions: -1 is older, 1 is newer. After the newest comes the text that was typed first.
---@return fun(step: integer, typed: string): string
function M.walk()
  local place, draft
  return function(step, typed)
    local questions = M.all()
    draft = draft or typed
    questions[#questions + 1] = draft
    place = math.max(1, math.min((place or #questions) + step, #questions))
    return questions[place]
  end
end

return M
