/** Warns if a query asks for content that the index excludes: its words are only in an excluded file or a redacted chunk, or it names the file. */

import { join } from "node:path";
import { dottedName, endsWithName, lastSegment } from "../../common/dotted-name.ts";
import { trySystemCall } from "../../common/errors.ts";
import { escapeRegExp } from "../../common/escape-regexp.ts";
import { literalOf } from "../../common/literal-query.ts";
import { readBytes, readFileInside } from "../../common/read-file.ts";
import { identifierPartsOf } from "../../common/words.ts";
import type { ExcludedFile, Hit } from "../../contracts/model.ts";
import type { SearchRequest } from "../../contracts/search-request.ts";
import { GENERATED_CODE } from "../../indexing/ignore/built-in-excludes.ts";
import { secretsIn } from "../../indexing/secrets/secrets.ts";
import { humpsShare } from "../../search/lanes/humps.ts";
import { Folder } from "./folder.ts";
import type { SearchTargets } from "./search-targets.ts";

/** Time limit, so that a search without hits ends soon even if much is excluded. */
const MAX_FILES = 200;
const MAX_BYTES = 20_000_000;
const MAX_MS = 300;

/** Excluded files per rule, so that the list is not read to its end. */
const MAX_LISTED = 100_000;
/** Matches per file: a word may occur only inside other words or inside secrets. */
const MAX_OCCURRENCES = 100;
/** Longer than the longest key in use. */
const SECRET_BYTES = 20_000;

/** Rules that exclude text of the project, own sources first. Ignore rules and secret files are not among them. */
const RULES: readonly RegExp[] = [
  / redacted for a secret$/,
  /^generated \(header\)$/,
  new RegExp(`^built-in excludes "(?:${GENERATED_CODE.map(escapeRegExp).join("|")})"$`),
  /^larger than maxFileBytes\b/,
  /^cannot be cut\b/,
  /(?:^|\/)\.gitattributes:\d+ /,
  /^minified$/,
];

interface Place extends ExcludedFile {
  readonly root: string;
  readonly line: number;
}

type Warnings = readonly string[];
type Asked = Pick<SearchRequest, "query" | "paths" | "languages" | "symbolTypes" | "symbolName">;

/** Adds a warning to an answer if the query's text is only in excluded content; `isShown` says whether the answer has a text. */
export async function withExcludedMatches<A extends { readonly warnings: Warnings }>(
  { indexes }: Pick<SearchTargets, "indexes">,
  request: Asked,
  answer: A,
  isShown: (literal: string) => boolean,
  signal?: AbortSignal,
): Promise<A> {
  const literal = isFiltered(request) ? undefined : literalOf(request.query);
  if (literal === undefined || isShown(literal)) return answer;
  const folders = indexes.filter((target) => target instanceof Folder);
  // During a pass, a missing file may not be indexed yet.
  if (folders.some(({ index }) => index.workspace.status.state === "indexing")) return answer;
  const place = await findPlace(folders, literal, signal);
  if (place === undefined) return answer;
  const file = folders.length > 1 ? join(place.root, place.path) : place.path;
  const warning = `no hit contains "${literal}", but this excluded content does: ${file}:${place.line + 1} (${place.rule})`;
  return { ...answer, warnings: [...answer.warnings, warning] };
}

/**
 * Warns that no hit contains the query's text, so that an agent does not take similar code for it, and names excluded content
 * that contains it.
 */
export async function withTextRemark<
  A extends { readonly hits: readonly Hit[]; readonly warnings: Warnings },
>(
  targets: Pick<SearchTargets, "indexes">,
  request: Asked & Pick<SearchRequest, "offset" | "includeText">,
  answer: A,
  signal?: AbortSignal,
): Promise<A> {
  const { hits } = answer;
  const named = await excludedByName(targets, request, hits);
  if (named !== undefined) return { ...answer, warnings: [...answer.warnings, named] };
  // The hits before a later page may have it.
  const isShown = (literal: string) =>
    (request.offset ?? 0) > 0 || hits.some((hit) => hasLiteral(hit, literal));
  const remarked = await withExcludedMatches(targets, request, answer, isShown, signal);
  const literal = literalOf(request.query);
  if (remarked !== answer || literal === undefined || isShown(literal)) return remarked;
  if (request.includeText !== true || hits.length === 0) return answer;
  const warning = `no hit contains "${literal}"`;
  return { ...answer, warnings: [...answer.warnings, warning] };
}

/** A path, or the name of a file, with a place in it perhaps: `src/a.gen.ts:10:5`. */
const PATH = /^(?:\.[/\\])?((?:[\w@.+~-]+[/\\])*[\w@+~-][\w@.+~-]*\.\w+)(?::\d+){0,2}:?$/;

/** The warning for a query that is the path of an excluded file, which no hit can show. */
async function excludedByName(
  { indexes }: Pick<SearchTargets, "indexes">,
  request: Asked & Pick<SearchRequest, "offset">,
  hits: readonly Hit[],
): Promise<string | undefined> {
  const named = PATH.exec(request.query.trim())?.[1]?.replaceAll("\\", "/");
  if (named === undefined || isFiltered(request) || (request.offset ?? 0) > 0) return undefined;
  const isNamed = ({ path }: { readonly path: string }) => `/${path}`.endsWith(`/${named}`);
  if (hits.some(isNamed)) return undefined;
  const folders = indexes.filter((target) => target instanceof Folder);
  const file = (await candidatesIn(folders)).find(isNamed);
  if (file === undefined) return undefined;
  const path = folders.length > 1 ? join(file.root, file.path) : file.path;
  const others = hits.length === 0 ? "" : ": the hits are of other files";
  return `${path} is excluded (${file.rule})${others}`;
}

/** For `withExcludedMatches`: whether a text has another, in any letter case. */
export function isInText(text: string): (literal: string) => boolean {
  return (literal) => text.toLowerCase().includes(literal.toLowerCase());
}

function isFiltered({ paths, languages, symbolTypes, symbolName }: Asked): boolean {
  return [paths, languages, symbolTypes, symbolName].some((filter) => filter !== undefined);
}

function hasLiteral({ path, bestLine, symbol, symbols = [], text }: Hit, literal: string): boolean {
  const lowerCase = literal.toLowerCase();
  // `Draft#save!` is the name of `Draft.save!`, and `FMH` abbreviates `FileMessageHandler`.
  const isName = (name: string) =>
    name.toLowerCase().includes(lowerCase) ||
    endsWithName(dottedName(name), dottedName(literal)) ||
    humpsShare(lowerCase, identifierPartsOf(lastSegment(name))) > 0;
  return (
    [path, bestLine?.text, text].some((each) => each?.toLowerCase().includes(lowerCase)) ||
    [symbol, ...symbols].some((each) => each !== undefined && isName(each.name))
  );
}

async function findPlace(
  folders: readonly Folder[],
  literal: string,
  signal: AbortSignal | undefined,
): Promise<Place | undefined> {
  const end = performance.now() + MAX_MS;
  const pattern = Buffer.from(literal);
  let bytesLeft = MAX_BYTES;
  for (const file of (await candidatesIn(folders)).slice(0, MAX_FILES)) {
    signal?.throwIfAborted();
    if (performance.now() > end) return undefined;
    const bytes = await readAtMost(file.root, file.path, bytesLeft);
    bytesLeft -= bytes.length;
    const at = findIn(bytes, pattern);
    if (at >= 0) return { ...file, line: countLineFeeds(bytes.subarray(0, at)) };
  }
  return undefined;
}

/** In the order of their rules. */
async function candidatesIn(
  folders: readonly Folder[],
): Promise<readonly (ExcludedFile & Pick<Place, "root">)[]> {
  const listed = await Promise.all(
    folders.map(async (folder) => {
      const excluded = await folder.excluded(MAX_LISTED);
      return excluded.map((file) => ({ ...file, root: folder.root }));
    }),
  );
  const files = listed.flat();
  return RULES.flatMap((rule) => files.filter((file) => rule.test(file.rule)));
}

/** Empty for a larger file and for an unreadable one. */
async function readAtMost(root: string, path: string, maxBytes: number): Promise<Buffer> {
  const none = Buffer.alloc(0);
  const read = await trySystemCall(() =>
    readFileInside(root, path, async (file) => ({
      bytes: file.found.size > maxBytes ? none : await readBytes(file),
    })),
  );
  return read === undefined || "absent" in read ? none : read.bytes;
}

/** The offset of a match that is a whole word and not part of a secret; -1 if there is none. */
function findIn(bytes: Buffer, pattern: Buffer): number {
  let at = bytes.indexOf(pattern);
  for (let tried = 0; at >= 0 && tried < MAX_OCCURRENCES; tried++) {
    if (isWholeWord(bytes, at, pattern.length) && !isSecret(bytes, at, pattern.length)) return at;
    at = bytes.indexOf(pattern, at + 1);
  }
  return -1;
}

function isWholeWord(bytes: Buffer, at: number, length: number): boolean {
  const last = at + length - 1;
  const isInsideWord = (before: number, after: number) =>
    isWordByte(bytes[before]) && isWordByte(bytes[after]);
  return !isInsideWord(at - 1, at) && !isInsideWord(last, last + 1);
}

/** Bytes of UTF-8 sequences and of identifiers. */
function isWordByte(byte: number | undefined): boolean {
  return byte !== undefined && (byte >= 0x80 || /\w/.test(String.fromCharCode(byte)));
}

/** A match inside a secret must not be confirmed. */
function isSecret(bytes: Buffer, at: number, length: number): boolean {
  const from = Math.max(0, at - SECRET_BYTES);
  const text = bytes.toString("utf8", from, at + length + SECRET_BYTES);
  const start = bytes.toString("utf8", from, at).length;
  const end = start + bytes.toString("utf8", at, at + length).length;
  return secretsIn(text).some((secret) => secret.start < end && secret.end > start);
}

function countLineFeeds(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
  return lines;
}
