/** Renders the state of the indexes and of the engine as text. */

import { count } from "../common/count.ts";
import { formatTokens } from "../common/format-tokens.ts";
import { formatRemainingTime } from "../common/remaining-time.ts";
import { formatDay } from "../common/time-text.ts";
import type { EngineStatus, IndexState, IndexStatus, Status } from "../contracts/session.ts";
import type { Colors } from "./command-context.ts";
import { printable, size, table } from "./terminal-text.ts";

/** Exclusion rules shown of an index. A long .gitignore has hundreds. */
const MAX_RULES = 10;
/** Files with parse errors shown of an index; --json has three per language. */
const MAX_WORST_FILES = 8;
/** Rules that fit on a line. */
const MAX_RULES_PER_LINE = 3;

/** Colors of the states. */
const COLOR: Readonly<Record<IndexState, "green" | "yellow" | "red">> = {
  ready: "green",
  indexing: "yellow",
  paused: "yellow",
  degraded: "red",
  unavailable: "red",
  "no-root": "red",
};

export function renderStatus(
  { state, reason, indexes, engine, warnings }: Status,
  colors: Colors,
): string {
  const because = reason === undefined ? "" : `: ${printable(reason)}`;
  return [
    `${colors[COLOR[state]](state)}${because}`,
    ...indexes.map((index) => indexBlock(index, colors)),
    engineBlock(engine),
    ...(warnings.length === 0
      ? []
      : [warnings.map((text) => `warning: ${printable(text)}`).join("\n")]),
  ].join("\n\n");
}

function engineBlock(engine: EngineStatus): string {
  const { version, pid, memoryBytes, clients, store, postgres, pgvector, log } = engine;
  const delay =
    engine.eventLoop === undefined ? "" : `, event loop at most ${engine.eventLoop.maxMs} ms late`;
  const versions = postgres === undefined ? "" : ` (Postgres ${postgres}, pgvector ${pgvector})`;
  return table([
    [
      "engine",
      `${version}, process ${pid}, ${size(memoryBytes)}, ${count(clients, "client")}${delay}`,
    ],
    ["store", `${store}${versions}`],
    ["log", log],
  ]);
}

function indexBlock(index: IndexStatus, colors: Colors): string {
  const { name, root, indexed, total, files, chunks, bytes, pending, compatibility } = index;
  const { model, substitute } = index;
  const late = pending > 0 ? `, ${count(pending, "chunk")} without a vector` : "";
  const left = index.leftMs === undefined ? "" : `, ${formatRemainingTime(index.leftMs)}`;
  const secrets = index.secrets > 0 ? `, ${index.secrets} more excluded because of secrets` : "";
  const rows = [
    ...(index.sharedFrom === undefined ? [] : [["shared from", printable(index.sharedFrom)]]),
    ["files", `${files.toLocaleString("en-US")} stored, ${indexed} of ${total} up to date${left}`],
    ["chunks", `${chunks.toLocaleString("en-US")}${late}${secrets}`],
    ["size", size(bytes)],
    [
      "model",
      substitute === undefined ? model : `${model}; until it has vectors, ${substitute} answers`,
    ],
    ...(index.embedding === undefined ? [] : [["embedding", formatTokens(index.embedding)]]),
    ...guessedRow(index),
    ...commitRow(index),
    ...begunRows(index),
    ...historyRow(index),
    ...(compatibility.kind === "usable" ? [] : [[compatibility.kind, compatibility.reason]]),
  ];
  return [
    `${colors.bold(printable(name))}  ${colors.dim(printable(root))}`,
    indented(table(rows)),
    ...parsed(index),
    ...excludedBlock(index),
  ].join("\n");
}

function commitRow({ commit, branch, behind }: IndexStatus): string[][] {
  if (commit === undefined) return [];
  const on = branch === undefined ? "" : ` on ${branch}`;
  const late = behind ? `, ${count(behind, "commit")} behind` : "";
  return [["commit", printable(`${commit.slice(0, 10)}${on}${late}`)]];
}

function begunRows({ begunWith, distance, teamRemark }: IndexStatus): string[][] {
  const rows: string[][] = [];
  if (begunWith !== undefined) {
    const { repository, commit, files, total } = begunWith;
    const from = `the published index of ${repository} at ${commit.slice(0, 10)}`;
    const far =
      distance === undefined
        ? "its distance from HEAD is not known"
        : `HEAD is ${count(distance.ahead, "commit")} ahead of it and ${distance.behind.toLocaleString("en-US")} behind`;
    rows.push(
      ["began with", printable(`${from}, ${files} of ${count(total, "file")}`)],
      ["", `${far}; ${count(total - files, "file")} had to be indexed here`],
      ["", "history and edges of the graph are not published: they are of this clone"],
    );
  }
  return teamRemark === undefined ? rows : [...rows, ["team", printable(teamRemark)]];
}

/** The commits that are read, and why older ones are missing; nothing of a folder without a history. */
function historyRow({ history }: IndexStatus): string[][] {
  const { state, reason, commits, total, since } = history;
  if (state === "off" || state === "unavailable") return [];
  const read = commits.toLocaleString("en-US");
  const shown =
    state === "ready" ? count(commits, "commit") : `${read} of ${count(total, "commit")}`;
  const begin = since === undefined ? "" : ` since ${formatDay(since)}`;
  const why = reason === undefined ? "" : `; ${reason}`;
  return [["history", printable(`${shown}${begin}${why}`)]];
}

function guessedRow({ guessedEncodings }: IndexStatus): string[][] {
  const counts = byCount(guessedEncodings);
  if (counts.length === 0) return [];
  const files = counts.map(([encoding, number]) => `${count(number, "file")} as ${encoding}`);
  return [["guessed", `${files.join(", ")}: not UTF-8, and no .editorconfig declares a charset`]];
}

function parsed({ parse }: IndexStatus): string[] {
  if (parse.length === 0) return [];
  const rows = parse.map(({ languageId, ok, partial, error, noGrammar }) => [
    languageId,
    ok,
    partial,
    error,
    noGrammar,
  ]);
  const worst = parse
    .flatMap((language) => language.worst)
    .slice(0, MAX_WORST_FILES)
    .map(({ path, message }) => [printable(path), printable(message)]);
  return [
    indented(table([["parsed", "ok", "partial", "error", "no grammar"], ...rows])),
    ...(worst.length === 0 ? [] : [indented(`most parse errors\n${indented(table(worst))}`)]),
  ];
}

function excludedBlock(index: IndexStatus): string[] {
  const rules = byCount(index.excluded);
  if (rules.length === 0) return [];
  const rows = rules.slice(0, MAX_RULES).map(([rule, files]) => [files, printable(rule)]);
  const others = rules.length - rows.length;
  const more = others > 0 ? `\n  and by ${count(others, "other rule")}` : "";
  return [indented(`excluded\n${indented(table(rows))}${more}`)];
}

/** `40 by .gitignore:3 dist/, 2 by binary`, the most frequent rule first; undefined if no file is excluded. */
export function excludedByRule(counts: IndexStatus["excluded"]): string | undefined {
  const rules = byCount(counts);
  if (rules.length === 0) return undefined;
  const shown = rules
    .slice(0, MAX_RULES_PER_LINE)
    .map(([rule, files]) => `${files} by ${printable(rule)}`);
  const rest = rules.slice(MAX_RULES_PER_LINE).reduce((sum, [, files]) => sum + files, 0);
  return [...shown, ...(rest > 0 ? [`${rest} by others`] : [])].join(", ");
}

function byCount(counts: IndexStatus["excluded"]): [string, number][] {
  return Object.entries(counts).toSorted(([, a], [, b]) => b - a);
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}
