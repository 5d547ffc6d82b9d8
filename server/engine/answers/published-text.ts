/** The lines of a file that is not here, put together from the chunks of a published index. */

import { LRUCache } from "lru-cache";
import { getOrCreate } from "../../common/get-or-create.ts";
import { forTerminal } from "../../common/terminal.ts";
import { splitLines } from "../../common/text.ts";
import type { Lines } from "../../contracts/model.ts";
import type { PublishedText } from "../../contracts/published-file.ts";
import { maskSecrets } from "../../indexing/secrets/redact.ts";

/** The text between two chunks is white space, or a chunk that is withheld if it is longer than an indentation. */
const MAX_INDENTATION = 60;
/** A file of a megabyte has a tenth; wrong rows may name any line. */
const MAX_LINES = 500_000;
/** In UTF-16 units, of all files. */
const MAX_KEPT_LENGTH = 8_000_000;

/** Lines between the chunks are empty. Secrets are masked, and control characters replaced. */
export function linesOfTexts(texts: readonly PublishedText[]): readonly string[] {
  if (texts.length === 0) return [];
  let whole = "";
  let line = 0;
  let end = 0;
  for (const { start, end: last, line: first, text } of texts) {
    // Chunks of one definition may overlap.
    const more = start >= end ? text : fromByte(text, end - start);
    if (start >= end) {
      const breaks = Math.min(MAX_LINES, Math.max(0, first - line));
      const columns = start - end - breaks;
      whole += "\n".repeat(breaks);
      if (columns > 0 && columns <= MAX_INDENTATION) whole += " ".repeat(columns);
    }
    whole += more;
    line = first + splitLines(text).length - 1;
    end = Math.max(end, last);
  }
  return splitLines(maskSecrets(whole)).map((each) => forTerminal(each, false));
}

function fromByte(text: string, byte: number): string {
  return Buffer.from(text).subarray(byte).toString();
}

export interface PublishedReader {
  /** Undefined if the database does not answer in time or has no such file. */
  read(
    /** Identifies the state of the index. */
    state: string,
    path: string,
    lines: Lines,
    texts: () => Promise<readonly PublishedText[]>,
  ): Promise<readonly string[] | undefined>;
}

/** Keeps the files of the last answers. */
export function createPublishedReader(): PublishedReader {
  const kept = new LRUCache<string, readonly string[]>({
    maxSize: MAX_KEPT_LENGTH,
    sizeCalculation: (lines) => lines.reduce((sum, line) => sum + line.length + 1, 1),
  });
  const underWay = new Map<string, Promise<readonly string[]>>();
  const whole = async (key: string, texts: () => Promise<readonly PublishedText[]>) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const lines = await getOrCreate(underWay, key, () =>
      texts()
        .then(linesOfTexts)
        .finally(() => underWay.delete(key)),
    );
    kept.set(key, lines);
    return lines;
  };
  return {
    read: async (state, path, { start, end }, texts) => {
      const lines = await whole(JSON.stringify([state, path]), texts);
      return lines.length === 0 ? undefined : lines.slice(start, end + 1);
    },
  };
}
