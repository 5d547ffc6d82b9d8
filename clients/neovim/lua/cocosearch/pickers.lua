--- Chooses the picker for :CocoSearchPick.

local client = require('cocosearch.client')

local M = {}

--- The modules of the pickers that ours are for, in the order in which they are looked for.
local SUPPORTED = { 'telescope', 'fzf-lua', 'snacks' }

--- The one that needs none of them.
local BUILTIN = 'builtin'

---@return string[]
function M.installed()
  return vim.tbl_filter(function(name)
    return (pcall(require, name))
  end, SUPPORTED)
end

local last

--- Opens a picker that asks with every key and keeps the order of the answers.
---@param options? { picker?: string, question?: string }
function M.open(options)
  options = options or {}
  local name = options.picker or vim.g.cocosearch_picker or M.installed()[1] or BUILTIN
  if name ~= BUILTIN and not vim.tbl_contains(SUPPORTED, name) then
    return client.notify('needs one of builtin, ' .. table.concat(SUPPORTED, ', '), vim.log.levels.WARN)
  end
  last = name
  require('cocosearch.pickers.' .. name).open(options.question or '')
end

--- Opens the last picker again, as it was.
function M.resume()
  if not last or not require('cocosearch.pickers.' .. last).resume() then
    client.notify('nothing was asked yet', vim.log.levels.WARN)
  end
end

return M
