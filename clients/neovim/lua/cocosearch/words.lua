--- Finds query words in lines of code, for highlighting.

local M = {}

--- Stop words.
local COMMON = {}
for word in
  ([[a about after all an and any are as at be before by can code could did do does done find first for from get gets
  has have how i if in into is it its like made make me my not of on one or our out set should show so some than that the their
  them then there these they this to up us use used uses using was we were what when where which who whose why will with would
  you your]]):gmatch('%S+')
do
  COMMON[word] = true
end

--- The word under the cursor; empty if none.
---@return string
function M.under_cursor()
  local found, word = pcall(vim.fn.expand, '<cword>')
  return found and word or ''
end

--- Without the inline filters, and in lower case.
---@param question string
---@return string[]
function M.of(question)
  local words, seen = {}, {}
  for token in question:gsub('%f[%w]%a+:%S+', ' '):gmatch('[%w_]+') do
    local word = token:lower()
    if #word >= 2 and not COMMON[word] and not seen[word] then
      seen[word] = true
      words[#words + 1] = word
    end
  end
  return words
end

--- The stem of a word, so that `receipts` is found in `SendReceipt`.
---@param word string
---@return string
local function stem(word)
  if #word > 5 then
    return (word:gsub('ing$', ''):gsub('ed$', ''):gsub('e?s$', ''))
  end
  return (#word > 3 and word:gsub('s$', '') or word)
end

--- The byte ranges of the words in a line, from 0, end-exclusive.
---@param line string
---@param words string[]
---@return { [1]: integer, [2]: integer }[]
function M.places(line, words)
  local places, lower = {}, line:lower()
  for _, word in ipairs(words) do
    local wanted, from = stem(word), 1
    while true do
      local first, last = lower:find(wanted, from, true)
      if not first then
        break
      end
      places[#places + 1] = { first - 1, last }
      from = last + 1
    end
  end
  return places
end

return M
