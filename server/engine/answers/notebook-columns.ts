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
  /** Of a place whose file is not here. */
  readonly published?: unknown;
}

/**
 * Only the text before the best line is that of the file. The best line itself is shown as code, so a backslash that the
 * file has before a quotation mark of it is not counted in the columns after it.
 */
export async function withNotebookColumns<H extends Placed>(
  hits: readonly H[],
  writtenLines: WrittenLines,
): Promise<readonly H[]> {
  const converted = hits.map(async (hit) => {
    const { root, path, bestLine, published } = hit;
    if (bestLine === undefined || published !== undefined || !isNotebook(path)) return hit;
    const written = (await writtenLines(root, path))?.[bestLine.line];
    const lead = written === undefined ? undefined : leadInFile(written, bestLine.lead);
    return lead === undefined ? hit : { ...hit, bestLine: withLead(bestLine, lead) };
  });
  return await Promise.all(converted);
}

function withLead(bestLine: BestLine, lead: string): BestLine {
  const more = lead.length - bestLine.lead.length;
  return {
    ...bestLine,
    lead,
    column: bestLine.column + more,
    highlights: bestLine.highlights.map(([start, end]) => [start + more, end + more]),
  };
}
