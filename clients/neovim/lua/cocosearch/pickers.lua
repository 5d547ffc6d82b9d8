--- Chooses the picker for :CocoSearchPick.

local client = require('cocosearch.client')

local M = {}

--- The modules of supported picker plugins, in order of preference.
local SUPPORTED = { 'telescope', 'fzf-lua', 'snacks' }

--- The picker without a plugin.
local BUILTIN = 'builtin'

---@return string[]
function M.installed()
  return vim.tbl_filter(function(name)
    return (pcall(require, name))
  end, SUPPORTED)
end

local last

--- Opens a picker that searches while the user types, in the order of the server.
---@param options? { picker?: string, question?: string }
function M.open(options)
  options = options or {}
  local name = options.picker or vim.g.cocosearch_picker or M.installed()[1] or BUILTIN
  if name ~= BUILTIN and not vim.tbl_contains(SUPPORTED, name) then
    return client.notify('the picker must be one of builtin, ' .. table.concat(SUPPORTED, ', '), vim.log.levels.WARN)
  end
  last = name
  require('cocosearch.pickers.' .. name).open(options.question or '')
end

--- Opens the last picker again, as it was.
function M.resume()
  if not last or not require('cocosearch.pickers.' .. last).resume() then
    client.notify('no earlier picker', vim.log.levels.WARN)
  end
end

return M
