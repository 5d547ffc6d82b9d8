/** Reads the sections of code in a packed context, whose headers name their lines, and leaves out some of them. */

import type { Lines } from "../contracts/model.ts";
import type { ShownPassage } from "./shown-lines.ts";

interface Block {
  readonly header: string;
  readonly open: string;
  readonly close: string;
  readonly sections: readonly ShownPassage[];
  /** The number of lines in the text. */
  readonly length: number;
}

interface Hidden {
  readonly text: string;
  /** The sections that the text shows. */
  readonly shown: readonly ShownPassage[];
  readonly hidden: readonly ShownPassage[];
}

/** Replaces the sections that `isHidden` names by a remark. Text in another form stays as it is. */
export function hideSections(text: string, isHidden: (section: ShownPassage) => boolean): Hidden {
  const lines = text.split("\n");
  const [kept, shown, hidden]: [string[], ShownPassage[], ShownPassage[]] = [[], [], []];
  for (let at = 0; at < lines.length; ) {
    const block = blockAt(lines, at);
    if (block === undefined) {
      kept.push(lines[at++] ?? "");
      continue;
    }
    at += block.length;
    const left = new Set(block.sections.filter(isHidden));
    hidden.push(...left);
    shown.push(...block.sections.filter((section) => !left.has(section)));
    kept.push(...withoutSections(block, left));
  }
  return { text: kept.join("\n"), shown, hidden };
}

function withoutSections(
  { header, open, close, sections }: Block,
  left: ReadonlySet<ShownPassage>,
): string[] {
  if (left.size === sections.length) return [`${header} (shown before)`];
  const body = sections.map((section) =>
    left.has(section) ? `(lines ${rangeOf(section)} shown before)` : section.lines.join("\n"),
  );
  return [header, open, body.join("\n...\n"), close];
}

function rangeOf({ start, lines }: ShownPassage): string {
  return `${start + 1}-${start + lines.length}`;
}

/** The block whose header is at this line: `## src/a.ts:1-4,9-12 names`, a fence, the sections, and the fence. */
function blockAt(lines: readonly string[], at: number): Block | undefined {
  const header = lines[at] ?? "";
  const [, path, ranges] = /^## (.+?):(\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*)(?: .*)?$/.exec(header) ?? [];
  const open = lines[at + 1] ?? "";
  const [, fence] = /^(`{3,})/.exec(open) ?? [];
  if (path === undefined || ranges === undefined || fence === undefined) return undefined;
  let next = at + 2;
  const sections: ShownPassage[] = [];
  for (const { start, end } of ranges.split(",").map(toLines)) {
    if (sections.length > 0 && lines[next++] !== "...") return undefined;
    const own = lines.slice(next, next + end - start + 1);
    next += own.length;
    sections.push({ path, start, lines: own });
  }
  if (lines[next] !== fence) return undefined;
  return { header, open, close: fence, sections, length: next + 1 - at };
}

function toLines(range: string): Lines {
  const [start = 1, end = start] = range.split("-").map(Number);
  return { start: start - 1, end: end - 1 };
}
