/** Sections that reach to the next heading of the same or a higher level: headings, tables, stages, targets. */

import { type Hides, hiddenLines } from "./hidden.ts";
import { COMMENT, HEADING, type Section } from "./section.ts";

export interface Head {
  readonly name: string;
  readonly type: string;
  /** 1 is the outermost. */
  readonly rank: number;
}

export interface HeadRules {
  /** `next` is the line below, for underlined headings. */
  head(line: string, next: string | undefined): Head | undefined;
  /** Matches lines that continue a section; by default, all lines up to the next head. */
  readonly goesOn?: RegExp;
  /** Finds hidden lines; heads there are ignored. */
  readonly hides?: Hides;
}

export function sectionsByHeads(lines: readonly string[], rules: HeadRules): Section[] {
  const sections: (Section & { rank: number; last: number })[] = [];
  const open: (typeof sections)[number][] = [];
  const hidden = hiddenLines(lines, rules.hides);
  lines.forEach((line, place) => {
    if (hidden[place] === false) begin(line, place);
    if (line.trim() === "" || (open.at(-1)?.type !== HEADING && COMMENT.test(line))) return;
    if (open.length > 0 && rules.goesOn !== undefined && open.at(-1)?.first !== place)
      if (!rules.goesOn.test(line)) open.length = 0;
    for (const section of open) section.last = place;
  });
  return sections;

  function begin(line: string, place: number): void {
    const head = rules.head(line, lines[place + 1]);
    if (head === undefined) return;
    while (open.length > 0 && (open.at(-1)?.rank ?? 0) >= head.rank) open.pop();
    const section = { ...head, first: place, last: place };
    sections.push(section);
    open.push(section);
  }
}
