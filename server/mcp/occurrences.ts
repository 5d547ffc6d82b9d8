/** search_code with `exact` or `pattern`: counts and lists every place, as far as the token budget goes. */

import type { CallToolResult } from "@modelcontextprotocol/server";
import { count } from "../common/count.ts";
import { definitionTitle } from "../common/definition-title.ts";
import { BadRequest } from "../common/errors.ts";
import { loadTokenCounter, type TokenCounter } from "../common/tokens.ts";
import {
  cursorAfter,
  type MissingFiles,
  type Occurrence,
  type OccurrencesInFile,
  parseOccurrencesRequest,
} from "../contracts/occurrences-request.ts";
import type { OccurrencesAnswer } from "../contracts/session.ts";
import { withReports } from "../contracts/with-reports.ts";
import { shownPath, withinTokens } from "./answers.ts";
import { type Basis, basisOf, outcomeOf, withBasis } from "./basis.ts";
import type { RootedSession } from "./rooted-session.ts";
import type { ToolCall } from "./tool-parts.ts";

interface PlacesInput {
  readonly query?: string | undefined;
  readonly exact?: string | undefined;
  readonly pattern?: string | undefined;
  readonly ignoreCase?: boolean | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
  readonly paths?: string[] | undefined;
  readonly languages?: string[] | undefined;
  readonly terms?: string[] | undefined;
  readonly team?: boolean | undefined;
  readonly symbolTypes?: string[] | undefined;
  readonly related?: boolean | undefined;
  readonly seen?: boolean | undefined;
  readonly maxTokens: number;
}

export async function findPlaces(
  session: RootedSession,
  input: PlacesInput,
  call: ToolCall,
): Promise<CallToolResult> {
  const { maxTokens, terms, symbolTypes, related, seen, team, ...parameters } = input;
  for (const [parameter, value] of Object.entries({ terms, symbolTypes, related, seen, team }))
    if (value !== undefined)
      throw new BadRequest("it is not for exact or pattern; leave it out", { parameter });
  const request = parseOccurrencesRequest(parameters);
  const open = await session.session();
  await call.whenReady(open, "search");
  const found = await withReports(
    open,
    ({ searched, total }) => call.report(`searched ${searched} of ${count(total, "file")}`),
    (reported) => open.occurrences({ ...request, ...reported }, call.signal),
  );
  const { indexes } = await open.status();
  const basis = basisOf({ ...found, omitted: 0, indexes }, session.warnings);
  const listing = { answer: found, roots: session.roots, basis, maxTokens };
  const { text, shown, cursor } = await renderPlaces(listing);
  const { state, matches, matchingFiles, isComplete, missing } = found;
  return {
    content: [{ type: "text", text }],
    structuredContent: {
      state,
      outcome: matches > 0 && !isComplete ? "partial" : outcomeOf(basis, matches),
      matches,
      matchingFiles,
      isComplete,
      missing,
      places: shown.map(({ file, place }) => toPlace(file, place, session.roots)),
      ...(cursor === undefined ? {} : { cursor }),
    },
  };
}

/** Lines and columns count from 1. */
function toPlace(
  { root, path }: OccurrencesInFile,
  { line, column, definition }: Occurrence,
  roots: readonly string[],
) {
  const symbol = definition === undefined ? {} : { symbol: definition.name };
  return { path: shownPath(root, path, roots), line: line + 1, column: column + 1, ...symbol };
}

interface Listing {
  readonly answer: OccurrencesAnswer;
  readonly roots: readonly string[];
  readonly basis: Basis;
  readonly maxTokens: number;
}

interface ShownPlace {
  readonly file: OccurrencesInFile;
  readonly place: Occurrence;
}

interface RenderedPlaces {
  readonly text: string;
  readonly shown: readonly ShownPlace[];
  readonly cursor: string | undefined;
}

/** At most `maxTokens` tokens, unless the counts alone have more. */
async function renderPlaces(listing: Listing): Promise<RenderedPlaces> {
  const counter = await loadTokenCounter();
  const { maxTokens } = listing;
  return withinTokens(maxTokens, counter, (budget) => renderWithin(listing, budget, counter));
}

function renderWithin(listing: Listing, budget: number, counter: TokenCounter): RenderedPlaces {
  const { answer, roots, basis } = listing;
  const wrap = (lines: readonly string[], cursor: string | undefined) =>
    withBasis([...headOf(answer), ...lines].join("\n"), basis, restOf(cursor));
  let left = budget - counter.count(wrap([], cursorAfter(answer.start, 0)));
  const lines: string[] = [];
  const take = (...added: readonly string[]) => {
    const cost = counter.count(`${added.join("\n")}\n`);
    if (cost > left) return false;
    left -= cost;
    lines.push(...added);
    return true;
  };
  const shown: ShownPlace[] = [];
  for (const [i, next] of placesOf(answer).entries()) {
    const { file, place } = next;
    const isNewFile = placesOf(answer)[i - 1]?.file !== file;
    const head = isNewFile ? [fileLine(file, roots)] : [];
    if (!take(...head, placeLine(file, place))) break;
    shown.push(next);
  }
  const listed = placesOf(answer).length;
  if (shown.length === listed)
    for (const file of answer.files.filter(({ places }) => places.length === 0))
      if (!take(fileLine(file, roots))) break;
  const cursor = shown.length < listed ? cursorAfter(answer.start, shown.length) : answer.cursor;
  return { text: wrap(lines, cursor), shown, cursor };
}

function placesOf({ files }: OccurrencesAnswer): ShownPlace[] {
  return files.flatMap((file) => file.places.map((place) => ({ file, place })));
}

/** The counts, and content that was not searched. */
function headOf({ matches, matchingFiles, isComplete, missing }: OccurrencesAnswer): string[] {
  const counts = `${count(matches, "match", "matches")} in ${count(matchingFiles, "file")}`;
  const state = isComplete ? "every indexed file was searched" : "NOT complete";
  return [`${counts}; ${state}.`, ...missing.map(missingLine)];
}

function missingLine({ reason, files, examples }: MissingFiles): string {
  const named = examples.length === 0 ? "" : `: ${examples.join(", ")}`;
  const more = files > examples.length && examples.length > 0 ? ", ..." : "";
  return `Not searched (${reason}): ${files}${named}${more}`;
}

function restOf(cursor: string | undefined): string {
  return cursor === undefined ? "" : `More places: pass cursor "${cursor}".\n\n`;
}

function fileLine(
  { root, path, matches, isUnsaved }: OccurrencesInFile,
  roots: readonly string[],
): string {
  return `${shownPath(root, path, roots)} (${matches}${isUnsaved ? ", unsaved" : ""})`;
}

/** The line without indentation, and the definition around it. */
function placeLine({ languageId }: OccurrencesInFile, place: Occurrence): string {
  const { line, column, text, definition } = place;
  const around =
    definition === undefined
      ? ""
      : ` [${definitionTitle(definition, languageId)}:${definition.line + 1}]`;
  return `  ${line + 1}:${column + 1} ${text.trim()}${around}`;
}
