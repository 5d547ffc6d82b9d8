/** The displayed title of a definition: in prose a heading, in configuration and markup a section. */

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

/** Languages whose definitions are named blocks: keys, tables, stages, targets, elements. */
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

/** The type and name of a definition for display. The index and its filters call headings and sections classes. */
export function definitionTitle(
  { type, name }: { readonly type: string; readonly name: string },
  languageId: string,
): string {
  const section = SECTIONS.has(languageId) ? "section" : type;
  return `${isProse(languageId) ? "heading" : section} ${name}`;
}
