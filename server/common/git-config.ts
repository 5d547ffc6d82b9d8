/** Reads values of a git configuration by key. Sections and includes are ignored. */

/** The value in the first line that sets the key, or undefined. */
export function gitConfigValue(text: string, name: string): string | undefined {
  const form = String.raw`^[ \t]*${name}[ \t]*=[ \t]*(?:"([^"\n]+)"|([^"#;\n]+))`;
  const line = new RegExp(form, "im").exec(text);
  return (line?.[1] ?? line?.[2])?.trim();
}
