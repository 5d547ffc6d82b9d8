/** Cuts a text into its lines. */

/** A line feed ends a line: nothing behind the last one is a line. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
