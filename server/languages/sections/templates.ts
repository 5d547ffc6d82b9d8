/** Named templates of the Go template language: from `define` or `block` to the `end` that closes it. */

import type { Section } from "./section.ts";

const DEFINE = /\{\{-?\s*(?:define|block)\s+"([^"]+)"/;
const OPENS = /\{\{-?\s*(?:define|if|range|with|block)\b/g;
const CLOSES = /\{\{-?\s*end\b/g;

export function templatesOf(lines: readonly string[]): Section[] {
  const sections: Section[] = [];
  lines.forEach((line, first) => {
    const name = DEFINE.exec(line)?.[1];
    if (name === undefined) return;
    sections.push({ name, type: "template", first, last: endOf(lines, first) });
  });
  return sections;
}

/** The line of the `end` that closes what a line opens; the last line where none does. */
function endOf(lines: readonly string[], first: number): number {
  let depth = 0;
  for (let place = first; place < lines.length; place++) {
    const line = lines[place] ?? "";
    depth += (line.match(OPENS)?.length ?? 0) - (line.match(CLOSES)?.length ?? 0);
    if (depth <= 0) return place;
  }
  return lines.length - 1;
}
