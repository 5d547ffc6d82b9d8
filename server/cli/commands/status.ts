/** `status`: how far the workspace's index is, or which rule decides about one file. */

import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import { isErrorCode, Unavailable } from "../../errors.ts";
import type { IndexStatus, Session, Status } from "../../session.ts";
import {
  type CliContext,
  type CommonOptions,
  EXIT,
  openWorkspace,
  type RunCommand,
  withProgress,
} from "../context.ts";
import { grouped, plural, printable, size, table } from "../format.ts";
import { withCommon } from "../options.ts";

/** Comparing an index with its files mostly ends within this; a status that waited for a whole first pass would be none. */
const PATIENCE_MS = 2_000;

interface Options extends CommonOptions {
  readonly why?: string;
}

export function addStatus(program: Command, run: RunCommand): void {
  withCommon(program.command("status"))
    .description("show how far the index is")
    .option("--why <path>", "say which rule decides about a file")
    .action((options: Options) => run((context) => status(context, options)));
}

async function status(context: CliContext, options: Options): Promise<number> {
  const session = await context.session();
  await openWorkspace(context, session, options);
  if (options.why !== undefined) return await explain(context, session, options.why, options);
  await settledSoon(session, context.signal);
  const answer = await session.status();
  for (const warning of answer.warnings) context.output.note(warning);
  if (options.json) context.output.json(answer);
  else context.output.print(...statusLines(answer));
  return answer.state === "unavailable" ? EXIT.unavailable : EXIT.found;
}

/** The rules are known for certain when the folder has been walked. */
async function explain(
  context: CliContext,
  session: Session,
  path: string,
  { json }: Options,
): Promise<number> {
  await withProgress(context, session, () => session.settled(context.signal));
  const file = realFile(resolve(context.cwd, path));
  const sentence = await session.why(file);
  if (json) context.output.json({ path: file, why: sentence });
  else context.output.print(printable(sentence));
  return EXIT.found;
}

async function settledSoon(session: Session, signal: AbortSignal): Promise<void> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  try {
    await session.settled(AbortSignal.any([signal, patience]));
  } catch (error) {
    // That it is still indexing, or why it cannot, is what the status says.
    if (!patience.aborted && !(error instanceof Unavailable)) throw error;
  }
}

/** The engine knows workspaces by their real paths; the file itself may be a link, or not be there. */
function realFile(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch (error) {
    if (isErrorCode(error, "ENOENT") || isErrorCode(error, "ENOTDIR")) return path;
    throw error;
  }
}

function statusLines({ state, reason, indexes, engine }: Status): string[] {
  const why = reason === undefined ? "" : `: ${reason}`;
  return [
    `${state}${why}`,
    ...indexes.flatMap((index) => ["", ...indexLines(index)]),
    "",
    `engine ${engine.version}, process ${engine.pid}, ${size(engine.memoryBytes)}, ${plural(engine.clients, "client")}`,
    `store  ${engine.store}${versions(engine)}`,
    `log    ${engine.log}`,
  ];
}

function versions({ postgres, pgvector }: Status["engine"]): string {
  return postgres === undefined ? "" : ` (Postgres ${postgres}, pgvector ${pgvector})`;
}

function indexLines(index: IndexStatus): string[] {
  const { name, root, indexed, total, files, chunks, bytes, pending, model } = index;
  const rows = [
    ["  files", `${grouped(files)} stored, ${grouped(indexed)} of ${grouped(total)} up to date`],
    [
      "  chunks",
      `${grouped(chunks)}${pending > 0 ? `, ${grouped(pending)} without a vector` : ""}`,
    ],
    ["  size", size(bytes)],
    ["  model", model],
    ...commitRow(index),
    ...(index.compatibility.kind === "usable"
      ? []
      : [[`  ${index.compatibility.kind}`, index.compatibility.reason]]),
  ];
  return [
    `${printable(name)}  ${printable(root)}`,
    ...table(rows),
    ...parseLines(index),
    ...leftOutLines(index),
  ];
}

function commitRow({ commit, branch, behind }: IndexStatus): string[][] {
  if (commit === undefined) return [];
  const on = branch === undefined ? "" : ` on ${branch}`;
  const late = behind ? `, ${plural(behind, "commit")} behind` : "";
  return [["  commit", printable(`${commit.slice(0, 10)}${on}${late}`)]];
}

function parseLines({ parse }: IndexStatus): string[] {
  if (parse.length === 0) return [];
  const rows = parse.map(({ languageId, ok, partial, error, noGrammar }) => [
    `    ${languageId}`,
    ...[ok, partial, error, noGrammar].map(grouped),
  ]);
  const head = ["  parsed", "ok", "partial", "error", "no grammar"];
  return table([head, ...rows], [1, 2, 3, 4]);
}

function leftOutLines({ leftOut }: IndexStatus): string[] {
  const rules = Object.entries(leftOut).toSorted(([, a], [, b]) => b - a);
  if (rules.length === 0) return [];
  const rows = rules.map(([rule, count]) => [`    ${grouped(count)}`, printable(rule)]);
  return ["  left out", ...table(rows, [0])];
}
