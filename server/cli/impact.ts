/** `impact`: files that a change may affect, and the tests to run. */

import { relative, resolve } from "node:path";
import type { Command } from "commander";
import { count } from "../common/count.ts";
import { BadRequest } from "../common/errors.ts";
import type { ImpactAnswer, ImpactFile, ImpactRequest } from "../contracts/graph-requests.ts";
import { REQUEST_DEFAULTS } from "../contracts/request-defaults.ts";
import type { Run } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { findFile } from "./find-root.ts";
import {
  cellsOf,
  noteMore,
  openGraph,
  type Show,
  showFrom,
  type WalkOptions,
  walkOptions,
} from "./graph-options.ts";
import { readQueryText } from "./query-text.ts";
import { table } from "./terminal-text.ts";

interface ImpactOptions extends WalkOptions {
  /** True without a revision. */
  readonly diff?: string | true;
  readonly patch?: string;
}

export function addImpact(parent: Command, run: Run): void {
  walkOptions(parent.command("impact [files...]"), REQUEST_DEFAULTS.impact.depth)
    .description("list the files that a change may affect, and the tests to run")
    .option("--diff [revision]", "the files that differ from a commit (default: HEAD)")
    .option(
      "--patch <file>",
      "the files that a unified diff changes; - reads it from standard input",
    )
    .action((files: string[], options: ImpactOptions) =>
      run((context) => impact(context, files, options)),
    );
}

async function impact(
  context: CommandContext,
  files: readonly string[],
  options: ImpactOptions,
): Promise<ExitCode> {
  const diff = await diffOf(context, files, options);
  const { parseImpactRequest } = await import("../contracts/graph-requests.ts");
  const { depth, limit } = options;
  // Throws BadRequest before the engine starts. The paths are resolved below, when the root is known.
  const { paths: _, ...request } = parseImpactRequest({
    ...(diff ?? { paths: files }),
    depth,
    limit,
  });
  const { root, session } = await openGraph(context, options, files[0]);
  const subject = diff ?? { paths: files.map((file) => findFile(context.cwd, root, file)) };
  const answer = await session.impact({
    ...request,
    ...subject,
    ...(diff === undefined ? {} : { root }),
  });
  const show = showFrom(context.cwd, root);
  for (const file of answer.notIndexed)
    context.note(`${show(relative(root, resolve(root, file)))} is not indexed`);
  const isDiff = diff !== undefined;
  const isEmpty = isDiff && answer.changed.length + answer.notIndexed.length === 0;
  if (options.json) await context.printJson(answer);
  else if (isEmpty) context.note("the diff changes no file of this workspace");
  else {
    if (isDiff) await context.print(`changed: ${count(answer.changed.length, "file")}`);
    if (answer.total > 0) await context.print(renderImpact(answer, show));
    await context.print(`tests to run: ${answer.tests.length === 0 ? "none found" : ""}`.trimEnd());
    if (answer.tests.length > 0)
      await context.print(answer.tests.map((test) => `  ${show(test)}`).join("\n"));
  }
  noteMore(context, { what: "file", shown: answer.files.length, total: answer.total });
  noteMore(context, { what: "test", shown: answer.tests.length, total: answer.testsTotal });
  return answer.total + answer.tests.length > 0 ? EXIT.ok : EXIT.nothingFound;
}

/** The revision or the patch that the user passed instead of files; undefined for files. */
async function diffOf(
  context: CommandContext,
  files: readonly string[],
  { diff, patch }: ImpactOptions,
): Promise<Pick<ImpactRequest, "diff" | "revision"> | undefined> {
  const given = [files.length > 0, diff !== undefined, patch !== undefined];
  const parts = given.filter(Boolean).length;
  if (parts !== 1) {
    throw new BadRequest("name the changed files, or pass --diff or --patch: exactly one of these");
  }
  if (diff !== undefined) return { revision: diff === true ? "HEAD" : diff };
  if (patch === undefined) return undefined;
  const [words, file] = patch === "-" ? [["-"], undefined] : [[], patch];
  return { diff: await readQueryText(context, words, file) };
}

/** Lists dependents first, then files that are only likely to change too. */
function renderImpact({ changed, files }: ImpactAnswer, show: Show): string {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const sources = new Set(changed);
  /** Whether every edge on the path to a changed file is a dependency. */
  const isUser = (file: ImpactFile | undefined): boolean =>
    file !== undefined &&
    "via" in file &&
    file.dependent &&
    (sources.has(file.via) || isUser(byPath.get(file.via)));
  const users = files.filter(isUser);
  const others = files.filter((file) => !isUser(file));
  const lines = table([...users, ...others].map((file) => rowOf(file, show))).split("\n");
  const part = (title: string, rows: readonly string[]) =>
    rows.length > 0 ? [title, ...rows] : [];
  return [
    ...part("may break:", lines.slice(0, users.length)),
    ...part("may have to change too:", lines.slice(users.length)),
  ].join("\n");
}

function rowOf(file: ImpactFile, show: Show): string[] {
  if (file.reason === "co-change")
    return [`  ${show(file.path)}`, "", "only changed together in commits"];
  if (file.reason === "name") return [`  ${show(file.path)}`, "", "only a similar name"];
  const sure = file.confidence === undefined ? "" : file.confidence.toFixed(2);
  return [
    ...cellsOf(file, show),
    sure,
    file.reason === "both" ? "also changed together in commits" : "",
  ];
}
