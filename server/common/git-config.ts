/** Values of a git configuration, by their names alone: sections and includes are not read. */

/** That of the first line which sets it; undefined where none does. */
export function gitConfigValue(text: string, name: string): string | undefined {
  const form = String.raw`^[ \t]*${name}[ \t]*=[ \t]*(?:"([^"\n]+)"|([^"#;\n]+))`;
  const line = new RegExp(form, "im").exec(text);
  return (line?.[1] ?? line?.[2])?.trim();
}
