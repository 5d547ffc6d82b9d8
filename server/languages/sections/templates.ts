/** Named templates of Go templates: from `define` or `block` to its `end`. */

import type { Section } from "./section.ts";

const DEFINE = /\{\{-?\s*(?:define|block)\s+"([^"]+)"/;
const OPENS = /\{\{-?\s*(?:define|if|range|with|block)\b/g;
const CLOSES = /\{\{-?\s*end\b/g;

interface Open extends Section {
  last: number;
  /** The number of enclosing blocks. */
  readonly depth: number;
}

/** An unclosed template ends at the last line. */
export function templatesOf(lines: readonly string[]): Section[] {
  const sections: Open[] = [];
  const open: Open[] = [];
  let depth = 0;
  lines.forEach((line, first) => {
    const name = DEFINE.exec(line)?.[1];
    if (name !== undefined) {
      const section = { name, type: "template", first, last: lines.length - 1, depth };
      sections.push(section);
      open.push(section);
    }
    depth += (line.match(OPENS)?.length ?? 0) - (line.match(CLOSES)?.length ?? 0);
    for (let top = open.at(-1); top !== undefined && depth <= top.depth; top = open.at(-1)) {
      top.last = first;
      open.pop();
    }
  });
  return sections.map(({ name, type, first, last }) => ({ name, type, first, last }));
}
