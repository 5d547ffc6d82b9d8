--- The highlight groups of lists and previews. A color scheme may override them.

for group, link in pairs({
  CocoSearchScore = 'Number',
  CocoSearchName = 'Function',
  CocoSearchWeak = 'Comment',
  CocoSearchPlace = 'Directory',
  CocoSearchCode = 'Comment',
  CocoSearchContext = 'Visual',
  CocoSearchLine = 'CursorLine',
  CocoSearchMatch = 'Search',
}) do
  vim.api.nvim_set_hl(0, group, { link = link, default = true })
end
