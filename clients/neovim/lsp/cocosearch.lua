---@brief
---
--- `cocosearch-lsp` finds code by meaning and by words, in any language. It runs beside other language
--- servers, in every file below a `cocosearch.yaml` or `.git`.
---
--- Ask with `:lua vim.lsp.buf.workspace_symbol('where are receipts sent')`.
---
--- Settings go under `cocosearch`:
---
--- ```lua
--- vim.lsp.config('cocosearch', { settings = { cocosearch = { search = { limit = 20 } } } })
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'cocosearch-lsp', '--stdio' },
  -- No filetypes: any file of a project may be searched.
  root_markers = { 'cocosearch.yaml', '.git' },
  -- A file outside any project is not indexed.
  workspace_required = true,
  settings = { cocosearch = {} },
}
