---@brief
---
--- cocosearch-lsp finds code by meaning and by words, in any language.
---
--- It runs beside the language servers that you have: ask with `vim.lsp.buf.workspace_symbol('where are receipts sent')`.

---@type vim.lsp.Config
return {
  cmd = { 'cocosearch-lsp', '--stdio' },
  -- Without filetypes it is there in every file of a project.
  root_markers = { 'cocosearch.yaml', '.git' },
  -- A file outside of any project needs no index.
  workspace_required = true,
  settings = { cocosearch = {} },
}
