/** What people call a definition: in prose it is a heading, in configuration and markup a section. */

/** Languages whose definitions are headings. */
const PROSE: ReadonlySet<string> = new Set([
  "asciidoc",
  "html",
  "latex",
  "markdown",
  "mdx",
  "org",
  "plaintext",
  "restructuredtext",
  "text",
]);

/** Languages whose definitions are blocks with a name: keys, tables, stages, targets, elements. */
const SECTIONS: ReadonlySet<string> = new Set([
  "dockerfile",
  "gotemplate",
  "ini",
  "json",
  "make",
  "toml",
  "xml",
  "yaml",
]);

export function isProse(languageId: string): boolean {
  return PROSE.has(languageId);
}

/** The type of a definition as it is shown; the index and its filters know both as classes. */
export function definitionWord(type: string, languageId: string): string {
  if (isProse(languageId)) return "heading";
  return SECTIONS.has(languageId) ? "section" : type;
}
