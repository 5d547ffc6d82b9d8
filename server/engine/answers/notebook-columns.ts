/** Gives places in notebooks the columns of the file, as lines of answers are lines of the file. */

import type { BestLine } from "../../contracts/model.ts";
import { leadInFile } from "../../indexing/notebooks/file-lead.ts";
import { isNotebook } from "../../indexing/notebooks/notebook.ts";

/** The lines of a file as they are written; undefined if it cannot be read. */
type WrittenLines = (root: string, path: string) => Promise<readonly string[] | undefined>;

interface Placed {
  readonly root: string;
  readonly path: string;
  readonly bestLine?: BestLine;
  /** Set for a place whose file is not here. */
  readonly published?: unknown;
}

/** The best line itself is shown as code. Escapes before and in it count in the column of the cursor, not in the highlights. */
export async function withNotebookColumns<H extends Placed>(
  hits: readonly H[],
  writtenLines: WrittenLines,
): Promise<readonly H[]> {
  const converted = hits.map(async (hit) => {
    const { root, path, bestLine, published } = hit;
    if (bestLine === undefined || published !== undefined || !isNotebook(path)) return hit;
    const written = (await writtenLines(root, path))?.[bestLine.line];
    const placed = written === undefined ? undefined : inFile(bestLine, written);
    return placed === undefined ? hit : { ...hit, bestLine: placed };
  });
  return await Promise.all(converted);
}

function inFile(bestLine: BestLine, written: string): BestLine | undefined {
  const code = bestLine.lead + bestLine.text;
  const lead = leadInFile(written, bestLine.lead);
  const before = leadInFile(written, code.slice(0, bestLine.column));
  const shown = leadInFile(written, code);
  if (lead === undefined || before === undefined || shown === undefined) return undefined;
  const more = lead.length - bestLine.lead.length;
  return {
    ...bestLine,
    lead,
    column: before.length,
    highlights: bestLine.highlights.map(([start, end]) => [start + more, end + more]),
    ...(shown === lead + bestLine.text ? {} : { written: shown }),
  };
}
