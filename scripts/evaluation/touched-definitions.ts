/** The definitions that a commit changed, as they are in an older tree. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Definition } from "../../server/contracts/languages.ts";
import { createLanguages } from "../../server/languages/languages.ts";
import type { Task } from "./metrics.ts";

/** A question whose answer is a commit. `fetch` is GitHub's owner/name. */
export interface CommitTask extends Task {
  readonly fetch: string;
  readonly commit: string;
}

/** A definition in the indexed tree. Lines from 0. */
export interface TouchedDefinition {
  /** Relative to the folder that is indexed. */
  readonly path: string;
  readonly name: string;
  readonly nameLine: number;
  /** The lines outside nested definitions. */
  readonly lines: ReadonlySet<number>;
}

const languages = createLanguages();

/** `repo` is where the repository is checked out. Definitions that the older tree does not have are left out. */
export async function touchedDefinitions(
  task: CommitTask,
  gitDirs: string,
  repo: string,
): Promise<TouchedDefinition[]> {
  const git = (...args: string[]) =>
    execFileSync(
      "git",
      ["--git-dir", join(gitDirs, task.fetch.replace("/", "+"), "repo"), ...args],
      {
        encoding: "utf8",
        maxBuffer: 1e9,
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
  const touched: TouchedDefinition[] = [];
  for (const { path } of task.relevant) {
    const now = join(repo, path);
    if (!existsSync(now)) continue;
    const diff = git("diff", "-U0", "--no-renames", `${task.commit}^`, task.commit, "--", path);
    const lines = changedLines(diff);
    if (lines.length === 0 || diff.includes("\nnew file mode")) continue;
    const before = await definitionsOf(path, git("show", `${task.commit}^:${path}`));
    const names = new Set(lines.flatMap((line) => innermost(before, line)?.symbol.name ?? []));
    const definitions = await definitionsOf(path, readFileSync(now, "utf8"));
    const root = task.benchmark_root;
    const inside = root && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
    for (const name of names) {
      const definition = definitions.find(({ symbol }) => symbol.name === name);
      if (definition === undefined) continue;
      const { nameLine } = definition.symbol;
      touched.push({ path: inside, name, nameLine, lines: ownLines(definition, definitions) });
    }
  }
  return touched;
}

/** Changed lines of the old side; a pure addition counts as the line before it. */
function changedLines(diff: string): number[] {
  return [...diff.matchAll(/^@@ -(\d+)(?:,(\d+))? /gm)].flatMap(([, start, count = "1"]) =>
    Array.from({ length: Math.max(1, Number(count)) }, (_, i) => Number(start) - 1 + i),
  );
}

async function definitionsOf(path: string, text: string): Promise<readonly Definition[]> {
  const languageId = languages.detect(path, text.slice(0, 4096));
  return await languages.withSyntax(text, languageId, ({ definitions }) => [...definitions]);
}

function innermost(definitions: readonly Definition[], line: number): Definition | undefined {
  return definitions.findLast(({ symbol: { lines } }) => lines.start <= line && line <= lines.end);
}

function ownLines(
  { symbol: { lines } }: Definition,
  all: readonly Definition[],
): ReadonlySet<number> {
  const own = new Set<number>();
  for (let line = lines.start; line <= lines.end; line++) own.add(line);
  for (const { symbol } of all) {
    if (symbol.lines.start <= lines.start || symbol.lines.end > lines.end) continue;
    for (let line = symbol.lines.start; line <= symbol.lines.end; line++) own.delete(line);
  }
  return own;
}
