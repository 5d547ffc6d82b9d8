/** Answers where a text or a pattern occurs: scan all indexed files -> order -> list a part with lines and definitions. */

import { createHash } from "node:crypto";
import { BadRequest } from "../../common/errors.ts";
import { TimeLimitExceeded } from "../../common/time-limit.ts";
import type { CodeSymbol } from "../../contracts/model.ts";
import {
  DEFAULT_OCCURRENCES,
  formatCursor,
  type Occurrence,
  type OccurrencesInFile,
  type OccurrencesParts,
  type OccurrencesRequest,
  parseCursor,
} from "../../contracts/occurrences-request.ts";
import type { FoundPlace, ListedPlaces, Scanner, Sought } from "../../contracts/scanner.ts";
import type { SearchContext } from "../../search/context.ts";
import { orderFiles, type PagePart, pageOf } from "../../search/occurrences/order-files.ts";
import { rankFiles } from "../../search/search.ts";
import { missingIn } from "./missing-files.ts";
import {
  filesFilter,
  type MatchingInFolder,
  type ScannedFolder,
  scanFolder,
} from "./scan-folder.ts";
import { type ScanSource, scanSources } from "./scan-source.ts";
import type { SearchTargets } from "./search-targets.ts";

/** A pattern without a literal takes half a second in 4,826 files: this is for forty times as many, or for a busy machine. */
const TIME_LIMIT_MS = 20_000;

interface OccurrencesDeps {
  readonly scanner: Scanner;
  readonly context: SearchContext;
  readonly targets: SearchTargets;
  readonly signal: AbortSignal | undefined;
  /** Called several times in a scan that takes longer than a quarter of a second, with numbers of files. */
  readonly report: (searched: number, total: number) => void;
}

/** Throws BadRequest for an invalid pattern or cursor. */
export async function findOccurrences(
  deps: OccurrencesDeps,
  request: OccurrencesRequest,
): Promise<OccurrencesParts> {
  const { scanner, targets, context } = deps;
  const sought = soughtOf(request);
  const key = keyOf(request);
  const start = readCursor(request.cursor, key);
  await checkSought(scanner, sought, request);
  const filter = filesFilter(context, request);
  const { sources, warnings: sourceWarnings } = scanSources(targets);
  const end = performance.now() + TIME_LIMIT_MS;
  const scanned: ScannedFolder[] = [];
  let searched = 0;
  const report = (more: number, left: number) => {
    searched += more;
    if (left > 0) deps.report(searched, searched + left);
  };
  for (const source of sources)
    scanned.push(await scanFolder(source, { ...deps, sought, filter, end, report }));
  const matching = scanned.flatMap((each) => each.matching);
  const { files, warnings } = await inOrder(deps, request, matching);
  const matches = files.reduce((sum, file) => sum + file.matches, 0);
  const limit = request.limit ?? DEFAULT_OCCURRENCES;
  const { from } = start;
  const parts = pageOf(files, from, limit);
  const isContinued = from > 0;
  const missing = missingIn(scanned, filter);
  const next = from + limit;
  return {
    matches,
    matchingFiles: files.length,
    isComplete: scanned.every(({ isComplete }) => isComplete),
    missing,
    order: request.query === undefined ? "category" : "ranking",
    files: await listFiles(
      deps,
      sought,
      isContinued ? parts.map(({ file }) => file) : files,
      parts,
    ),
    start: formatCursor({ from, key, matches }),
    ...(next < matches ? { cursor: formatCursor({ from: next, key, matches }) } : {}),
    warnings: [...warnings, ...changedWarning(start.matches, matches), ...sourceWarnings],
  };
}

function soughtOf({ exact, pattern, ignoreCase = false }: OccurrencesRequest): Sought {
  if (exact !== undefined) return { text: exact, kind: "exact", ignoreCase };
  return { text: pattern ?? "", kind: "pattern", ignoreCase };
}

/** Identifies what the list of an answer is a list of. */
function keyOf({ limit: _limit, cursor: _cursor, ...request }: OccurrencesRequest): string {
  const parameters = Object.entries(request).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(parameters)).digest("hex").slice(0, 12);
}

function readCursor(
  text: string | undefined,
  key: string,
): { readonly from: number; readonly matches?: number } {
  if (text === undefined) return { from: 0 };
  const cursor = parseCursor(text);
  if (cursor?.key === key) return cursor;
  const problem =
    cursor === undefined
      ? "no cursor of an answer"
      : "the cursor of an answer to other parameters; pass the same ones";
  throw new BadRequest(problem, { parameter: "cursor" });
}

/** Compiles a pattern in the thread that uses it. */
async function checkSought(
  scanner: Scanner,
  sought: Sought,
  { pattern }: OccurrencesRequest,
): Promise<void> {
  if (pattern === undefined) return;
  const nothing = { root: "", maxFileBytes: 0, paths: "", from: 0, known: new Map() };
  const limits = { limitMs: TIME_LIMIT_MS, sliceMs: TIME_LIMIT_MS };
  const checked = await scanner.scan({ ...nothing, ...limits, sought });
  if (checked.kind === "invalid") throw new BadRequest(checked.problem, { parameter: "pattern" });
}

async function inOrder(
  { context, targets, signal }: OccurrencesDeps,
  { query }: OccurrencesRequest,
  matching: readonly MatchingInFolder[],
): Promise<{ files: readonly MatchingInFolder[]; warnings: readonly string[] }> {
  const roots = targets.indexes.map(({ root }) => root);
  if (query === undefined || query.trim() === "" || matching.length === 0)
    return { files: orderFiles(matching, [], roots), warnings: [] };
  const indexes = context.indexes.flatMap((index) => {
    const own = matching.filter(({ root }) => root === index.root);
    return own.length === 0 ? [] : [{ ...index, only: new Set(own.map(({ path }) => path)) }];
  });
  const ranked = await rankFiles({ ...context, indexes }, query, signal);
  return { files: orderFiles(matching, ranked.files, roots), warnings: ranked.warnings };
}

/** Adds the places of the listed parts. */
async function listFiles(
  deps: OccurrencesDeps,
  sought: Sought,
  files: readonly MatchingInFolder[],
  parts: readonly PagePart<MatchingInFolder>[],
): Promise<OccurrencesInFile[]> {
  const listed = new Map<MatchingInFolder, readonly Occurrence[]>();
  for (const source of new Set(parts.map(({ file }) => file.source))) {
    const own = parts.filter(({ file }) => file.source === source);
    const places = await readPlaces(deps, sought, source, own);
    for (const [file, occurrences] of places) listed.set(file, occurrences);
  }
  return files.map((file) => {
    const { root, path, languageId, matches } = file;
    const places = listed.get(file) ?? [];
    const unsaved = file.isUnsaved ? { isUnsaved: true } : {};
    return { root, path, languageId, matches, ...unsaved, places };
  });
}

async function readPlaces(
  { scanner, signal }: OccurrencesDeps,
  sought: Sought,
  source: ScanSource,
  parts: readonly PagePart<MatchingInFolder>[],
): Promise<[MatchingInFolder, readonly Occurrence[]][]> {
  signal?.throwIfAborted();
  const { indexRoot: root, maxFileBytes } = source;
  const files = parts.map(({ file, from, to }) => ({ ...file.scanned, from, to }));
  const limitMs = TIME_LIMIT_MS;
  const lists = await inTime(scanner.list({ root, maxFileBytes, sought, files, limitMs }));
  const byPath = new Map(lists.map((list) => [list.path, list]));
  const definitions = await source.definitionsIn(parts.map(({ file }) => file.path));
  return parts.map(({ file }) => {
    const list = byPath.get(file.scanned.path);
    // Stored definitions are about the text that was indexed.
    const own = source.isKnown(file.indexed, list?.sha256) ? definitions.get(file.path) : undefined;
    return [file, (list?.places ?? []).map((place) => withDefinition(place, own ?? []))];
  });
}

/** A line of megabytes may take longer to list than to scan. */
async function inTime(listing: Promise<readonly ListedPlaces[]>): Promise<readonly ListedPlaces[]> {
  try {
    return await listing;
  } catch (error) {
    if (!(error instanceof TimeLimitExceeded)) throw error;
    return [];
  }
}

function withDefinition(place: FoundPlace, definitions: readonly CodeSymbol[]): Occurrence {
  const around = innermostAt(definitions, place.line);
  if (around === undefined) return place;
  const { name, type, nameLine } = around;
  return { ...place, definition: { name, type, line: nameLine } };
}

function innermostAt(definitions: readonly CodeSymbol[], line: number): CodeSymbol | undefined {
  let found: CodeSymbol | undefined;
  for (const each of definitions) {
    if (each.lines.start > line || each.lines.end < line) continue;
    if (found === undefined || lengthOf(each) < lengthOf(found)) found = each;
  }
  return found;
}

function lengthOf({ lines }: CodeSymbol): number {
  return lines.end - lines.start;
}

function changedWarning(before: number | undefined, now: number): string[] {
  if (before === undefined || before === now) return [];
  return [
    `files changed since the cursor was made (${before} matches then, ${now} now): the list may skip or repeat some`,
  ];
}
