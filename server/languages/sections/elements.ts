/** Elements of XML that span lines, by their tags. */

import type { Section } from "./section.ts";

/** Deeper ones are found through those around them. */
const MAX_DEPTH = 4;
/** What tells one element from another of the same tag. */
const NAMING = /\s(?:id|name|key|x:Key|android:id|Include)\s*=\s*["']([^"']{1,80})["']/;
const TAG = /<(\/?)([\w:.-]+)(?![\w:.-])((?:"[^"]*"|'[^']*'|[^<>"'])*?)(\/?)>/g;

interface Open extends Section {
  name: string;
  last: number;
}

/** A text without the line breaks in its tags gives none: it is cut by its lines. */
export function elementsOf(lines: readonly string[]): Section[] {
  const sections: Open[] = [];
  const open: Open[] = [];
  lines.forEach((line, place) => {
    for (const [, slash, tag = "", attributes = "", isEmpty] of line.matchAll(TAG)) {
      if (slash === "/") close(open, tag, place);
      else if (isEmpty !== "/") {
        const name = NAMING.exec(attributes)?.[1] ?? tag;
        const section = { name, type: tag, first: place, last: place };
        if (open.length < MAX_DEPTH) sections.push(section);
        open.push(section);
      }
    }
  });
  return sections.filter(({ first, last }) => last > first);
}

/** A closing tag without an opening one is ignored. */
function close(open: Open[], tag: string, place: number): void {
  const depth = open.findLastIndex(({ type }) => type === tag);
  if (depth < 0) return;
  for (const section of open.splice(depth)) section.last = place;
}
