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

/** A definition as it is shown, by its type and name; the index and its filters know headings and sections as classes. */
export function titleOf(
  { type, name }: { readonly type: string; readonly name: string },
  languageId: string,
): string {
  const section = SECTIONS.has(languageId) ? "section" : type;
  return `${isProse(languageId) ? "heading" : section} ${name}`;
}
