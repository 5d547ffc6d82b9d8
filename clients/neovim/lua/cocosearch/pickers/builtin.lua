--- :CocoSearchPick without another plugin.

local hits = require('cocosearch.hits')
local jump = require('cocosearch.jump')
local live = require('cocosearch.pickers.live')
local preview = require('cocosearch.pickers.preview')
local window = require('cocosearch.pickers.window')
local quickfix = require('cocosearch.quickfix')

local M = {}

---@param item cocosearch.Item
local function row(item)
  local name, place, line = hits.columns(item)
  return {
    { hits.bar(item.score), 'CocoSearchScore' },
    { name, 'CocoSearchName' },
    { place, 'CocoSearchPlace' },
    { line, 'CocoSearchCode' },
  }
end

---@param question string
function M.open(question)
  window.open({
    title = 'CocoSearch',
    live = live.new(),
    row = row,
    preview = preview.show,
    export = quickfix.show,
    choose = function(item, how)
      jump.to(item.filename, item.lnum, item.col, how)
    end,
  }, question)
end

M.resume = window.resume

return M
