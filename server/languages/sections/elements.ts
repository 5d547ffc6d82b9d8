/** XML elements over several lines, by tag. */

import type { Section } from "./section.ts";

/** Depth limit; deeper elements are part of their ancestors. */
const MAX_DEPTH = 4;
/** Attributes that distinguish elements with the same tag. */
const NAMING = /\s(?:id|name|key|x:Key|android:id|Include)\s*=\s*["']([^"']{1,80})["']/;
const TAG = /<(\/?)([\w:.-]+)(?![\w:.-])((?:"[^"]*"|'[^']*'|[^<>"'])*?)(\/?)>/g;

interface Open extends Section {
  name: string;
  last: number;
}

/** Minified XML has no sections and is cut by lines. */
export function elementsOf(lines: readonly string[]): Section[] {
  const sections: Open[] = [];
  const open: Open[] = [];
  lines.forEach((line, lineIndex) => {
    for (const [, slash, tag = "", attributes = "", isEmpty] of line.matchAll(TAG)) {
      if (slash === "/") close(open, tag, lineIndex);
      else if (isEmpty !== "/") {
        const name = NAMING.exec(attributes)?.[1] ?? tag;
        const section = { name, type: tag, first: lineIndex, last: lineIndex };
        if (open.length < MAX_DEPTH) sections.push(section);
        open.push(section);
      }
    }
  });
  return sections.filter(({ first, last }) => last > first);
}

/** A closing tag without an opening tag is ignored. */
function close(open: Open[], tag: string, lineIndex: number): void {
  const depth = open.findLastIndex(({ type }) => type === tag);
  if (depth < 0) return;
  for (const section of open.splice(depth)) section.last = lineIndex;
}
