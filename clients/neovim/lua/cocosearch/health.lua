--- :checkhealth cocosearch: checks the installation, and suggests fixes.

local client = require('cocosearch.client')
local pickers = require('cocosearch.pickers')
local start = require('cocosearch.start')

local M = {}

--- Starting the engine and all checks take 1 to 2 s.
local TIMEOUT_MS = 20000

---@param command string[]
---@return string? output of a program that ended, whatever its exit code
local function output_of(command)
  local ran, ended = pcall(function()
    return vim.system(command, { text = true }):wait(TIMEOUT_MS)
  end)
  return ran and ended.stdout ~= '' and ended.stdout or nil
end

---@return string[]? command how to start the program; nil where it is missing
local function check_program()
  local program = start.config().cmd[1]
  if vim.fn.executable(program) == 0 then
    vim.health.error(('`%s` is not on the PATH'):format(program), {
      'Install it, or name it: vim.lsp.config("cocosearch", { cmd = { "/path/to/cocosearch-lsp", "--stdio" } })',
    })
    return nil
  end
  local version = output_of({ program, '--version' })
  if version == nil then
    vim.health.error(('`%s --version` says nothing'):format(program), { 'It needs Node.js 20.19 or later' })
    return nil
  end
  vim.health.ok(('`%s` %s'):format(vim.fn.exepath(program), vim.trim(version)))
  return { program }
end

local function check_attached()
  local running = vim.lsp.get_clients({ name = start.NAME })
  if #running == 0 then
    vim.health.warn('runs for no buffer', {
      'Open a file below a folder with `.git` or `cocosearch.yaml`',
      'Without the plugin: vim.lsp.enable("cocosearch")',
    })
  end
  for _, each in ipairs(running) do
    local buffers = vim.tbl_count(each.attached_buffers)
    vim.health.ok(('runs in %s, for %d buffers'):format(each.root_dir or 'no folder', buffers))
  end
end

--- The findings of `cocosearch-lsp doctor` in the project.
---@param command string[]
local function check_engine(command)
  local root = client.root() or vim.fn.getcwd()
  local said = output_of(vim.list_extend(command, { 'doctor', '--json', '--root', root }))
  local read, findings = pcall(vim.json.decode, said or '')
  if not read then
    return vim.health.error('`cocosearch-lsp doctor` gave no answer')
  end
  for _, finding in ipairs(findings) do
    local sentence = finding.what .. ': ' .. finding.detail
    if finding.ok and finding.remedy then
      vim.health.info(sentence .. '; ' .. finding.remedy)
    elseif finding.ok then
      vim.health.ok(sentence)
    else
      vim.health.error(sentence, finding.remedy)
    end
  end
end

local function check_pickers()
  local installed = pickers.installed()
  local others = #installed == 0 and '' or ' and ' .. table.concat(installed, ', ')
  vim.health.ok('`:CocoSearchPick` can use its own picker' .. others)
end

function M.check()
  vim.health.start('cocosearch: Neovim')
  if vim.fn.has('nvim-0.10') == 0 then
    return vim.health.error('Neovim 0.10 or later is needed')
  end
  vim.health.ok(tostring(vim.version()))
  local command = check_program()
  check_attached()
  check_pickers()
  if command then
    vim.health.start('cocosearch: the engine and this project')
    check_engine(command)
  end
end

return M
