/** `deps`, `callers` and `callees`: the graph of imports and calls. */

import type { Command } from "commander";
import { count } from "../common/count.ts";
import { explainNoCalls, languageWithoutImports } from "../contracts/explain-no-calls.ts";
import { EDGE_TYPES } from "../contracts/graph.ts";
import type { CallSite, RelatedRequest, UsedPackage } from "../contracts/graph-requests.ts";
import { REQUEST_DEFAULTS } from "../contracts/request-defaults.ts";
import type { Session } from "../contracts/session.ts";
import { type CommonOptions, collectList, common, number, type Run } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { addOverview } from "./deps-overview.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { findFile } from "./find-root.ts";
import {
  noteMore,
  openGraph,
  renderFiles,
  type Show,
  showFrom,
  type WalkOptions,
  walkOptions,
} from "./graph-options.ts";
import { addImpact } from "./impact.ts";
import { anyWords } from "./query-words.ts";
import { printable, table } from "./terminal-text.ts";

const SHOWN_STEPS = REQUEST_DEFAULTS.related.hops;
const TREE_STEPS = 3;

interface EdgeOptions extends WalkOptions {
  readonly type?: string[];
}

interface CallsOptions extends CommonOptions {
  readonly limit?: number;
}

export function addDeps(program: Command, run: Run): void {
  const deps = program.command("deps").description("imports, calls and the impact of a change");
  edgeOptions(deps.command("show <file>"), SHOWN_STEPS)
    .description("the dependencies and the dependents of a file")
    .action((file: string, options: EdgeOptions) => run((context) => show(context, file, options)));
  edgeOptions(deps.command("tree <file>"), TREE_STEPS)
    .description("the transitive dependencies of a file")
    .action((file: string, options: EdgeOptions) => run((context) => tree(context, file, options)));
  addImpact(deps, run);
  common(deps.command("path <from> <to>"))
    .description("the shortest dependency path between two files")
    .action((from: string, to: string, options: CommonOptions) =>
      run((context) => path(context, [from, to], options)),
    );
  deps
    .command("export")
    .description("all edges, one JSON object per line")
    .option("--root <dir>", "the workspace; default: the project around the current folder")
    .option("--candidates", "include candidates: all methods that an ambiguous call may mean")
    .action((options: ExportOptions) => run((context) => exportEdges(context, options)));
  addOverview(deps, run);
  for (const what of ["callers", "callees"] as const) {
    common(anyWords(program.command(`${what} <name>`)))
      .description(
        what === "callers" ? "list the calls of a definition" : "list the calls in a definition",
      )
      .option(
        "--limit <n>",
        `at most this many calls, 1 to 1,000 (default: ${REQUEST_DEFAULTS.calls.limit})`,
        number,
      )
      .action((name: string, options: CallsOptions) =>
        run((context) => calls(context, what, name, options)),
      );
  }
}

function edgeOptions(command: Command, steps: number): Command {
  const described = `only these edges: ${EDGE_TYPES.join(", ")}`;
  return walkOptions(command, steps).option("--type <types>", described, collectList);
}

/** A file of an opened workspace, and the request for its dependencies. */
interface Subject {
  readonly session: Session;
  readonly show: Show;
  /** Relative to the root. */
  readonly path: string;
  readonly request: RelatedRequest;
}

/** Throws BadRequest for invalid options before the engine starts. */
async function open(
  context: CommandContext,
  file: string,
  options: EdgeOptions,
  steps: number,
): Promise<Subject> {
  const { parseRelatedRequest } = await import("../contracts/graph-requests.ts");
  const { depth: hops = steps, type: types, limit } = options;
  const request = parseRelatedRequest({ path: file, hops, types, limit });
  const { root, session } = await openGraph(context, options, file);
  const { cwd } = context;
  return { session, show: showFrom(cwd, root), path: findFile(cwd, root, file), request };
}

async function relatedTo(
  { session, path: file, request }: Subject,
  direction: "imports" | "importedBy",
) {
  return await session.related({ ...request, path: file, direction });
}

async function show(
  context: CommandContext,
  file: string,
  options: EdgeOptions,
): Promise<ExitCode> {
  const subject = await open(context, file, options, SHOWN_STEPS);
  const imports = await relatedTo(subject, "imports");
  const importedBy = await relatedTo(subject, "importedBy");
  const related = imports.total + imports.packages.length + importedBy.total;
  const unread = related > 0 ? undefined : await unreadLanguage(subject);
  if (options.json) await context.printJson({ imports, importedBy });
  else if (unread !== undefined) context.note(unread);
  else {
    await context.print(`depends on ${count(imports.total, "file")}`);
    if (imports.files.length > 0) await context.print(renderFiles(imports.files, subject.show));
    if (imports.packages.length > 0) {
      await context.print(`imports ${count(imports.packages.length, "external package")}`);
      await context.print(renderPackages(imports.packages));
    }
    await context.print(`is used by ${count(importedBy.total, "file")}`);
    if (importedBy.files.length > 0)
      await context.print(renderFiles(importedBy.files, subject.show));
  }
  const [uses, users] = [imports.files.length, importedBy.files.length];
  noteMore(context, {
    what: "file",
    about: " that it depends on",
    shown: uses,
    total: imports.total,
  });
  noteMore(context, {
    what: "file",
    about: " that depend on it",
    shown: users,
    total: importedBy.total,
  });
  return related > 0 ? EXIT.ok : EXIT.nothingFound;
}

/** A message if imports and calls are not extracted from the language of the file. */
async function unreadLanguage({
  session,
  path: file,
}: Pick<Subject, "session" | "path">): Promise<string | undefined> {
  const language = languageWithoutImports(await session.languages(), file);
  return language && `imports and calls are not extracted from ${language}`;
}

function renderPackages(packages: readonly UsedPackage[]): string {
  return table(packages.map(({ name, line }) => [`  ${printable(name)}`, `line ${line + 1}`]));
}

async function tree(
  context: CommandContext,
  file: string,
  options: EdgeOptions,
): Promise<ExitCode> {
  const subject = await open(context, file, options, TREE_STEPS);
  const answer = await relatedTo(subject, "imports");
  if (options.json) await context.printJson(answer);
  else if (answer.total > 0) await context.print(renderFiles(answer.files, subject.show));
  else context.note((await unreadLanguage(subject)) ?? `${file} depends on no other file`);
  noteMore(context, { what: "file", shown: answer.files.length, total: answer.total });
  return answer.total > 0 ? EXIT.ok : EXIT.nothingFound;
}

async function path(
  context: CommandContext,
  ends: readonly [string, string],
  options: CommonOptions,
): Promise<ExitCode> {
  const { root, session } = await openGraph(context, options, ends[0]);
  const [from, to] = ends.map((end) => findFile(context.cwd, root, end));
  const files = await session.dependencyPath({ from: from ?? "", to: to ?? "" });
  if (options.json) await context.printJson(files);
  else if (files.length > 0) await context.print(files.map(showFrom(context.cwd, root)).join("\n"));
  else {
    const unread = await unreadLanguage({ session, path: from ?? "" });
    context.note(unread ?? `${ends[0]} does not depend on ${ends[1]}`);
  }
  return files.length > 0 ? EXIT.ok : EXIT.nothingFound;
}

async function calls(
  context: CommandContext,
  what: "callers" | "callees",
  name: string,
  options: CallsOptions,
): Promise<ExitCode> {
  const { parseCallsRequest } = await import("../contracts/graph-requests.ts");
  const request = parseCallsRequest({ name, limit: options.limit });
  const { session } = await openGraph(context, options);
  const { calls: sites, total } = await session[what](request);
  if (options.json) await context.printJson(sites);
  else if (sites.length > 0) await context.print(renderSites(sites, what, context.cwd));
  else context.note(printable(await explainNoCalls(session, what, name)));
  noteMore(context, { what: "call", shown: sites.length, total });
  return sites.length > 0 ? EXIT.ok : EXIT.nothingFound;
}

function renderSites(sites: readonly CallSite[], what: "callers" | "callees", cwd: string): string {
  return table(
    sites.map(({ root, path: file, line, caller, target, confidence, how }) => [
      `${showFrom(cwd, root)(file)}:${line + 1}`,
      what === "callers"
        ? printable(caller)
        : `${printable(target.name)} (${showFrom(cwd, root)(target.path)}:${target.line + 1})`,
      confidence.toFixed(2),
      how,
    ]),
  );
}

interface ExportOptions extends CommonOptions {
  readonly candidates?: boolean;
}

async function exportEdges(context: CommandContext, options: ExportOptions): Promise<ExitCode> {
  const { root, session } = await openGraph(context, options);
  let found = 0;
  for (let start: number | undefined = 0; start !== undefined; ) {
    const { edges, next } = await session.exportGraph(root, start);
    const shown = edges.filter(({ kind }) => kind !== "candidate" || options.candidates === true);
    found += shown.length;
    if (shown.length > 0) await context.print(shown.map((edge) => JSON.stringify(edge)).join("\n"));
    start = next;
  }
  return found > 0 ? EXIT.ok : EXIT.nothingFound;
}
