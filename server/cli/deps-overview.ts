/** `deps stats` and `deps graph`: most imported files, cycles, layers and orphans, as text or as a drawing. */

import { type Command, Option } from "commander";
import { count } from "../common/count.ts";
import { BadRequest } from "../common/errors.ts";
import { pathInside } from "../common/path-inside.ts";
import { languagesWithoutImports } from "../contracts/explain-no-calls.ts";
import type { ExportedEdge } from "../contracts/graph-requests.ts";
import type { Session } from "../contracts/session.ts";
import { chooseRoot } from "./choose-root.ts";
import { type CommonOptions, common, parseWholeNumber, type Run, withoutJson } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { type Modules, toModules } from "./deps-modules.ts";
import { draw, PICTURE_FORMATS, type PictureFormat } from "./deps-picture.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { existingFolder, findFile } from "./find-root.ts";
import { type Show, showFrom } from "./graph-options.ts";
import { openWorkspace, waitForIndex } from "./open-workspace.ts";
import { printable, table } from "./terminal-text.ts";

const DEFAULT_LIMIT = 10;
/** Files shown of a cycle; --json has all of them. */
const MAX_SHOWN_OF_CYCLE = 5;
/** A drawing of more files is unreadable. */
const MAX_DRAWN_FILES = 400;

interface StatsOptions extends CommonOptions {
  readonly limit?: number;
}

interface PictureOptions extends CommonOptions {
  readonly format: PictureFormat;
}

export function addOverview(deps: Command, run: Run): void {
  common(deps.command("stats [folder]"))
    .description("the most imported files, cycles, layers, and files without imports")
    .option(
      "--limit <n>",
      `at most this many of each (default: ${DEFAULT_LIMIT})`,
      parseWholeNumber,
    )
    .action((folder: string | undefined, options: StatsOptions) =>
      run((context) => stats(context, folder, options)),
    );
  withoutJson(deps.command("graph [folder]"))
    .description("draw the import graph by folder, with cycles in red; see deps export for JSON")
    .addOption(
      new Option("--format <format>", "output format").choices(PICTURE_FORMATS).default("dot"),
    )
    .action((folder: string | undefined, options: PictureOptions) =>
      run((context) => picture(context, folder, options)),
    );
}

async function readModules(
  context: CommandContext,
  folder: string | undefined,
  options: CommonOptions,
): Promise<Modules & { readonly session: Session; readonly show: Show }> {
  const root = await chooseRoot(context, options);
  const prefix = prefixOf(context, root, folder);
  const session = await openWorkspace(context, root);
  await waitForIndex(context, session, "files");
  const [paths, edges]: [string[], ExportedEdge[]] = [[], []];
  for (let start: number | undefined = 0; start !== undefined; ) {
    const page = await session.exportGraph(root, start);
    paths.push(...page.files);
    edges.push(...page.edges);
    start = page.next;
  }
  return {
    ...toModules(paths, edges, (path) => path.startsWith(prefix)),
    session,
    show: showFrom(context.cwd, root),
  };
}

/** The path prefix of a folder, which is named relative to the current folder or to the root. */
function prefixOf({ cwd }: CommandContext, root: string, folder: string | undefined): string {
  if (folder === undefined) return "";
  const whole = existingFolder(findFile(cwd, root, folder));
  if (whole === root) return "";
  const inside = pathInside(root, whole);
  if (inside === undefined) throw new BadRequest(`${folder} is not in ${root}`);
  return `${inside.replaceAll("\\", "/")}/`;
}

async function stats(
  context: CommandContext,
  folder: string | undefined,
  options: StatsOptions,
): Promise<ExitCode> {
  const { session, show, ...modules } = await readModules(context, folder, options);
  const { files, imports, importedBy, cycles, layers } = modules;
  const limit = options.limit ?? DEFAULT_LIMIT;
  const hubs = [...importedBy]
    .map(([path, by]) => ({ path, importers: by.size }))
    .toSorted((a, b) => b.importers - a.importers || (a.path < b.path ? -1 : 1));
  const orphans = files.filter((file) => !imports.has(file) && !importedBy.has(file));
  const perLayer: number[] = [];
  for (const layer of layers.values()) perLayer[layer] = (perLayer[layer] ?? 0) + 1;
  if (options.json) {
    await context.printJson({ files: files.length, hubs, cycles, orphans, layers: perLayer });
    return files.length > 0 ? EXIT.ok : EXIT.nothingFound;
  }
  const unread = await unreadLanguages(session);
  const within = folder === undefined ? "" : ` in ${folder}`;
  if (files.length === 0) context.note(printable(`no file with imports or definitions${within}`));
  else {
    const figures = { files, hubs, cycles, orphans, layers: perLayer };
    await context.print(renderStats(figures, limit, show));
  }
  for (const language of unread) context.note(language);
  return files.length > 0 ? EXIT.ok : EXIT.nothingFound;
}

interface Figures {
  readonly files: readonly string[];
  readonly hubs: readonly { readonly path: string; readonly importers: number }[];
  readonly cycles: readonly (readonly string[])[];
  readonly orphans: readonly string[];
  readonly layers: readonly number[];
}

function renderStats(
  { files, hubs, cycles, orphans, layers }: Figures,
  limit: number,
  show: Show,
): string {
  return [
    `${count(files.length, "file")} with imports or definitions`,
    ...(hubs.length > 0 ? [renderHubs(hubs.slice(0, limit), show)] : []),
    ...more(hubs.length, limit),
    count(cycles.length, "cycle"),
    ...cycles.slice(0, limit).map((cycle) => `  ${renderCycle(cycle, show)}`),
    ...more(cycles.length, limit),
    `files per layer, from files without imports: ${layers.join(", ")}`,
    `${count(orphans.length, "file")} without imports in either direction`,
    ...orphans.slice(0, limit).map((orphan) => `  ${show(orphan)}`),
    ...more(orphans.length, limit),
  ].join("\n");
}

function more(total: number, limit: number): string[] {
  return total > limit ? [`  and ${total - limit} more; --limit ${total} shows all`] : [];
}

function renderHubs(hubs: Figures["hubs"], show: Show): string {
  return table(
    hubs.map(({ path, importers }) => [`  ${show(path)}`, count(importers, "importer")]),
  );
}

function renderCycle(cycle: readonly string[], show: Show): string {
  const rest = cycle.length - MAX_SHOWN_OF_CYCLE;
  const shown = cycle.slice(0, MAX_SHOWN_OF_CYCLE).map(show).join(", ");
  return rest > 0 ? `${cycle.length} files: ${shown} and ${count(rest, "other")}` : shown;
}

/** A message for each language whose imports are not extracted, so that the figures miss its files. */
async function unreadLanguages(session: Session): Promise<string[]> {
  const [{ indexes }, languages] = await Promise.all([session.status(), session.languages()]);
  return languagesWithoutImports(languages, indexes).map(
    ({ id, files }) => `imports are not extracted from ${id}: ${count(files, "file")} ignored`,
  );
}

async function picture(
  context: CommandContext,
  folder: string | undefined,
  options: PictureOptions,
): Promise<ExitCode> {
  const modules = connected(await readModules(context, folder, options));
  if (modules.files.length > MAX_DRAWN_FILES) {
    throw new BadRequest(
      `${modules.files.length} files are too many to draw; name a folder with at most ${MAX_DRAWN_FILES}`,
    );
  }
  if (modules.files.length === 0) return EXIT.nothingFound;
  await context.print(draw(modules, options.format));
  return EXIT.ok;
}

/** Only files with an import in either direction. */
function connected(modules: Modules): Modules {
  const { files, imports, importedBy } = modules;
  return { ...modules, files: files.filter((file) => imports.has(file) || importedBy.has(file)) };
}
