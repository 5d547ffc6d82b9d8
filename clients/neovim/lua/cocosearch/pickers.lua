--- Chooses the picker for :CocoSearchPick.

local client = require('cocosearch.client')

local M = {}

--- The modules of the pickers that ours stand for, in the order in which they are looked for.
local SUPPORTED = { 'telescope', 'fzf-lua', 'snacks' }

---@return string[]
function M.installed()
  return vim.tbl_filter(function(name)
    return (pcall(require, name))
  end, SUPPORTED)
end

--- Opens a picker that asks with every key and keeps the order of the answers.
---@param options? { picker?: string, question?: string }
function M.open(options)
  options = options or {}
  local name = options.picker or vim.g.cocosearch_picker or M.installed()[1]
  if not vim.tbl_contains(SUPPORTED, name) then
    return client.notify('needs one of ' .. table.concat(SUPPORTED, ', ') .. '; :CocoSearch needs none', vim.log.levels.WARN)
  end
  client.with(function()
    require('cocosearch.pickers.' .. name).open(options.question or '')
  end)
end

return M
