--- Events for the user interface.

local Emitter = {}
Emitter.__index = Emitter

local MAX_LISTENERS = 10

---@class Listener
---@field callback function
---@field once boolean

--- Makes an emitter without listeners.
function Emitter.new()
  return setmetatable({ listeners = {} }, Emitter)
end

--- Calls `callback` whenever the event is sent.
---@param event string
---@param callback function
function Emitter:on(event, callback)
  local list = self.listeners[event] or {}
  if #list >= MAX_LISTENERS then
    error("too many listeners for " .. event)
  end
  table.insert(list, { callback = callback, once = false })
  self.listeners[event] = list
end

Emitter.once = function(self, event, callback)
  self:on(event, callback)
  local list = self.listeners[event]
  list[#list].once = true
end

local function remove(list, index)
  table.remove(list, index)
end

function Emitter:emit(event, ...)
  local list = self.listeners[event] or {}
  for i = #list, 1, -1 do
    list[i].callback(...)
    if list[i].once then
      remove(list, i)
    end
  end
end

local format = function(name, count)
  return ("%s: %d"):format(name, count)
end

local handlers = {
  click = function(x, y)
    print("clicked", x, y)
  end,
  key = function(code)
    print("key", code)
  end,
}

function describe(emitter)
  for event, list in pairs(emitter.listeners) do
    print(format(event, #list))
  end
end

return Emitter
