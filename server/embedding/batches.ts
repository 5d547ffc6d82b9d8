/** Groups texts into requests: by tokens and number, or, for late chunking, by file in windows that overlap. */

/** Code has three to four characters per token. */
const CHARACTERS_PER_TOKEN = 3;

/** The overlap of consecutive windows, so that every chunk keeps context on at least one side. */
const OVERLAP = 0.25;

export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** One request: the indexes of its texts, and the subset whose vectors are used. */
export interface Batch {
  readonly members: readonly number[];
  /** The subset of the members whose vectors are taken from this request. */
  readonly kept: ReadonlySet<number>;
}

/** Groups consecutive texts up to the limits of a request. A text above the limit gets a request of its own. */
export function batchesOf(
  texts: readonly string[],
  { maxTexts, maxTokens }: { readonly maxTexts: number; readonly maxTokens: number },
): Batch[] {
  const batches: number[][] = [];
  let tokens = 0;
  for (const [i, text] of texts.entries()) {
    const own = estimateTokens(text);
    const last = batches.at(-1);
    if (last !== undefined && last.length < maxTexts && tokens + own <= maxTokens) {
      last.push(i);
      tokens += own;
    } else {
      batches.push([i]);
      tokens = own;
    }
  }
  return batches.map((members) => ({ members, kept: new Set(members) }));
}

/** The start and the end (exclusive) of a file in a list of chunks. */
function filesIn(paths: readonly string[]): { start: number; end: number }[] {
  const files: { start: number; end: number }[] = [];
  for (const [i, path] of paths.entries()) {
    const last = files.at(-1);
    if (last !== undefined && paths[i - 1] === path) last.end = i + 1;
    else files.push({ start: i, end: i + 1 });
  }
  return files;
}

/**
 * One request per file. A file beyond `maxTokens` is cut into windows that share a quarter; of the texts that two
 * windows share, the first half is taken from the earlier one and the second half from the later one, so that
 * every vector has context on both sides.
 */
export function windowsOf(
  texts: readonly string[],
  paths: readonly string[],
  { maxTexts, maxTokens }: { readonly maxTexts: number; readonly maxTokens: number },
): Batch[] {
  const windows: { start: number; end: number; keptFrom: number }[] = [];
  for (const file of filesIn(paths)) {
    let start = file.start;
    let keptFrom = start;
    for (;;) {
      const end = endOf(texts, start, file.end, { maxTexts, maxTokens });
      windows.push({ start, end, keptFrom });
      if (end === file.end) break;
      const next = Math.max(start + 1, startOfNext(texts, start, end));
      keptFrom = Math.ceil((next + end) / 2);
      start = next;
    }
  }
  return windows.map(({ start, end, keptFrom }, i) => {
    const next = windows[i + 1];
    const keptTo = next !== undefined && next.start < end ? next.keptFrom : end;
    return { members: range(start, end), kept: new Set(range(keptFrom, keptTo)) };
  });
}

/** At least one text, however long it is. */
function endOf(
  texts: readonly string[],
  start: number,
  fileEnd: number,
  { maxTexts, maxTokens }: { readonly maxTexts: number; readonly maxTokens: number },
): number {
  let tokens = estimateTokens(texts[start] ?? "");
  let end = start + 1;
  while (end < fileEnd && end - start < maxTexts) {
    tokens += estimateTokens(texts[end] ?? "");
    if (tokens > maxTokens) break;
    end++;
  }
  return end;
}

function startOfNext(texts: readonly string[], start: number, end: number): number {
  const tokens = texts.slice(start, end).reduce((sum, text) => sum + estimateTokens(text), 0);
  let next = end;
  let shared = 0;
  while (next - 1 > start) {
    shared += estimateTokens(texts[next - 1] ?? "");
    if (shared > tokens * OVERLAP) break;
    next--;
  }
  return next;
}

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i);
}
