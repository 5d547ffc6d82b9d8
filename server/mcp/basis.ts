/** Describes the index that an answer rests on, in one line for the agent, and the meaning of an answer without results. */

import { count } from "../common/count.ts";
import { formatRemainingTime } from "../common/remaining-time.ts";
import { shortSha } from "../common/short-sha.ts";
import { formatDay } from "../common/time-text.ts";
import type { HistoryStatus } from "../contracts/history.ts";
import type { IndexStatus, SearchAnswer, Status } from "../contracts/session.ts";

/**
 * `found`: results from the whole index or history. `nothing`: it was searched, without a result. `partial`: a part
 * of it was searched, with or without results. `not-indexed`: nothing was searched.
 */
export const OUTCOMES = ["found", "nothing", "partial", "not-indexed"] as const;
type Outcome = (typeof OUTCOMES)[number];

/** The footer of an answer: the state of the index that it is based on. */
export interface Basis {
  readonly text: string;
  /** Whether the index is incomplete, so that the text comes before the answer. */
  readonly isFirst: boolean;
  /** How much of the index or history was searched. */
  readonly coverage: "whole" | "part" | "none";
  /** The text of an answer without results. */
  readonly nothing: string;
}

interface IndexState extends Pick<SearchAnswer, "state" | "indexed" | "total" | "warnings"> {
  /** Results that the token budget has no room for. */
  readonly omitted: number;
  readonly indexes: Status["indexes"];
  /** For answers from the commits that are read, or from git, which knows all of them. */
  readonly history?: HistoryStatus | "git";
}

/** At three characters per token, as in text with paths and hashes, 120 tokens. */
const MAX_LENGTH = 360;
const MAX_WARNINGS = 2;
/** A shorter rest of a warning says nothing. */
const MIN_WARNING_LENGTH = 40;
/** The maximum length of a rule, a branch or the name of an index. */
const MAX_NAME_LENGTH = 40;
/** If several folders are open, the commits of this many are named. */
const MAX_COMMITS = 2;

/** The footer: the state of the index, so that an agent knows how complete the answer is. */
export function basisOf(known: IndexState, more: readonly string[]): Basis {
  const { state, warnings, omitted, indexes } = known;
  const behind = Math.max(0, ...indexes.map((index) => index.behind ?? 0));
  const parts = [
    ...stateParts(known),
    ...(behind > 0 ? [`${count(behind, "commit")} behind`] : []),
    ...pendingPart(known),
    ...sourceParts(known),
    ...(omitted > 0 ? [`${count(omitted, "result")} omitted by maxTokens`] : []),
  ];
  const coverage = coverageOf(known);
  return {
    text: `[${withWarnings(parts, [...more, ...warnings.slice(0, MAX_WARNINGS)])}]`,
    // Answers from the history do not depend on the indexed files.
    isFirst: (readOf(known)?.state ?? state) !== "ready" || coverage === "none",
    coverage,
    nothing: nothingOf(known, coverage),
  };
}

/** Joins the answer, `after` and the footer. */
export function withBasis(body: string, { text, isFirst, nothing }: Basis, after = ""): string {
  const found = body === "" ? nothing : body;
  return isFirst ? `${text}\n\n${found}\n\n${after}`.trimEnd() : `${found}\n\n${after}${text}`;
}

export function outcomeOf({ coverage }: Basis, results: number): Outcome {
  if (results === 0 && coverage === "none") return "not-indexed";
  if (coverage !== "whole") return "partial";
  return results === 0 ? "nothing" : "found";
}

/** The state of the index in brackets, for failures. */
export function indexStateOf(
  known: Pick<Status, "state" | "indexed" | "total" | "indexes">,
): string {
  return `[${stateParts(known).join("; ")}]`;
}

function stateParts({
  state,
  indexed,
  total,
  indexes,
}: Pick<Status, "state" | "indexed" | "total" | "indexes">): string[] {
  const counts = `index ${state}, ${indexed} of ${total} files${commitsOf(indexes)}`;
  if (state !== "indexing") return [counts];
  const left = indexes.flatMap(({ leftMs }) => leftMs ?? []);
  if (left.length === 0) return [counts, "call again in a moment for the rest"];
  return [counts, `${formatRemainingTime(Math.max(...left))}, call again then for the rest`];
}

/** ` at 0123456789 (main)`; of several folders with their names. */
function commitsOf(indexes: readonly IndexStatus[]): string {
  const named = indexes.flatMap(({ name, commit, branch }) => {
    if (commit === undefined) return [];
    const owner = indexes.length > 1 ? `${shorten(name)} ` : "";
    return [`${owner}${shortSha(commit)}${branch === undefined ? "" : ` (${shorten(branch)})`}`];
  });
  if (named.length === 0) return "";
  const others = named.length > MAX_COMMITS ? ", ..." : "";
  return ` at ${named.slice(0, MAX_COMMITS).join(", ")}${others}`;
}

/** Chunks that the index's model has not embedded. While files are read, there are always some. */
function pendingPart({ indexed, total, indexes }: IndexState): string[] {
  const pending = indexes.reduce((sum, index) => sum + index.pending, 0);
  if (pending === 0 || indexed < total) return [];
  const isAnswered = indexes.some(({ substitute }) => substitute !== undefined);
  const meanwhile = isAnswered ? ": the built-in model answers" : "";
  return [`${count(pending, "chunk")} without vectors yet${meanwhile}`];
}

/** The paths and chunks that rules keep out of the index. */
function exclusionParts(indexes: readonly IndexStatus[]): string[] {
  const rules = indexes.flatMap(({ excluded }) => Object.entries(excluded));
  const files = rules.reduce((sum, [, n]) => sum + n, 0);
  const [most] = rules.toSorted(([, a], [, b]) => b - a);
  const secrets = indexes.reduce((sum, index) => sum + index.secrets, 0);
  const why = most === undefined ? "" : ` (${rules.length > 1 ? "most: " : ""}${shorten(most[0])})`;
  return [
    ...(files > 0 ? [`${count(files, "path")} excluded${why}`] : []),
    ...(secrets > 0 ? [`${count(secrets, "chunk")} redacted for secrets`] : []),
  ];
}

/** The rules that left files out, and the reach of the history. */
function sourceParts({ indexes, history }: IndexState): string[] {
  if (history === "git") return exclusionParts(indexes);
  if (history !== undefined) return [historyPart(history)];
  return [...exclusionParts(indexes), ...historyParts(indexes)];
}

function historyPart({ state, reason, commits, total, since }: HistoryStatus): string {
  const why = reason === undefined ? "" : `: ${reason}`;
  const begin = since === undefined ? "" : ` since ${formatDay(since)}`;
  return `history ${state}, ${commits} of ${total} commits${begin}${why}`.slice(0, MAX_LENGTH / 2);
}

/** The day of the oldest commit that is read, and why older ones are missing; of several folders with their names. */
function historyParts(indexes: readonly IndexStatus[]): string[] {
  if (indexes.length === 0) return [];
  const days = indexes.flatMap(({ name, history: { state, since } }) => {
    if (since === undefined) return [];
    const owner = indexes.length > 1 ? ` (${shorten(name)})` : "";
    return [`${formatDay(since)}${owner}${state === "ready" ? "" : " so far"}`];
  });
  if (days.length === 0) {
    const isExpected = indexes.some(({ history }) => isUnread(history));
    return [isExpected ? "history not read yet" : "no history"];
  }
  const others = days.length > MAX_COMMITS ? ", ..." : "";
  const ends = indexes.flatMap(({ history }) => history.reason ?? []);
  return [`history since ${days.slice(0, MAX_COMMITS).join(", ")}${others}`, ...ends.slice(0, 1)];
}

function isUnread({ state }: HistoryStatus): boolean {
  return state === "waiting" || state === "reading";
}

/** Cuts the warnings to the room that is left. */
function withWarnings(parts: readonly string[], warnings: readonly string[]): string {
  let text = parts.join("; ").slice(0, MAX_LENGTH);
  for (const warning of warnings) {
    const left = MAX_LENGTH - text.length - 2;
    if (left < Math.min(warning.length, MIN_WARNING_LENGTH)) continue;
    const isCut = warning.length > left;
    text = `${text}; ${isCut ? `${warning.slice(0, left - 3)}...` : warning}`;
  }
  return text;
}

function shorten(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}...` : name;
}

/** The history that answers, if it is not git's own. */
function readOf({ history }: Pick<IndexState, "history">): HistoryStatus | undefined {
  return history === "git" ? undefined : history;
}

function coverageOf(known: IndexState): Basis["coverage"] {
  const { state, indexed, indexes } = known;
  const history = readOf(known);
  if (history !== undefined) {
    if (history.state === "ready") return "whole";
    return history.state === "reading" && history.commits > 0 ? "part" : "none";
  }
  // A pass over a stored index begins its count at zero.
  const files = indexes.reduce((sum, index) => sum + index.files, 0);
  const isClosed = state === "unavailable" || state === "no-root";
  if (isClosed || Math.max(indexed, files) === 0) return "none";
  return state === "ready" ? "whole" : "part";
}

function nothingOf(known: IndexState, coverage: Basis["coverage"]): string {
  const { state } = known;
  const history = readOf(known);
  if (coverage === "whole") return "No results.";
  if (coverage === "none") return `Not indexed: ${reasonOf(known)}.`;
  if (history?.state === "reading" || state === "indexing")
    return "No results so far; indexing is not finished.";
  return `No results in a part of the index, which is ${state}.`;
}

/** Why nothing was searched. */
function reasonOf(known: IndexState): string {
  const { state, indexes } = known;
  const history = readOf(known);
  if (history !== undefined)
    return history.reason ?? "the history is not read yet; call again in a moment";
  const reason = indexes.flatMap((index) => index.reason ?? [])[0];
  if (reason !== undefined) return reason;
  if (state === "no-root") return "no folder is open";
  if (state === "indexing") return "no file is read yet; call again in a moment";
  return state === "ready" ? "the index has no files" : `the index is ${state}`;
}
