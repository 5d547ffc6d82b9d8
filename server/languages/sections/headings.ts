/** Sections that reach to the next heading of the same or a higher level: headings, tables, stages, targets. */

import { type Hides, hiddenLines } from "./hidden.ts";
import { COMMENT, HEADING, type Section } from "./section.ts";

export interface Heading {
  readonly name: string;
  readonly type: string;
  /** 1 is the outermost. */
  readonly rank: number;
}

export interface HeadRules {
  /** `next` is the line below, for underlined headings. */
  head(line: string, next: string | undefined): Heading | undefined;
  /** Matches lines that continue a section; by default, all lines up to the next head. */
  readonly continues?: RegExp;
  /** Finds hidden lines; heads there are ignored. */
  readonly hides?: Hides;
}

export function sectionsByHeads(lines: readonly string[], rules: HeadRules): Section[] {
  const sections: (Section & { rank: number; last: number })[] = [];
  const open: (typeof sections)[number][] = [];
  const hidden = hiddenLines(lines, rules.hides);
  lines.forEach((line, lineIndex) => {
    if (hidden[lineIndex] === false) begin(line, lineIndex);
    if (line.trim() === "" || (open.at(-1)?.type !== HEADING && COMMENT.test(line))) return;
    if (open.length > 0 && rules.continues !== undefined && open.at(-1)?.first !== lineIndex)
      if (!rules.continues.test(line)) open.length = 0;
    for (const section of open) section.last = lineIndex;
  });
  return sections;

  function begin(line: string, lineIndex: number): void {
    const head = rules.head(line, lines[lineIndex + 1]);
    if (head === undefined) return;
    while (open.length > 0 && (open.at(-1)?.rank ?? 0) >= head.rank) open.pop();
    const section = { ...head, first: lineIndex, last: lineIndex };
    sections.push(section);
    open.push(section);
  }
}
