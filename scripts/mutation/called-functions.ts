/** Which functions of the server each test file calls, as noted in one run of the tests without a fault. */

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

export const NOTES_VARIABLE = "COCOSEARCH_MUTATION_NOTES";

/** They start editors or whole programs, or rank whole repositories: nothing is called in their own process, or all. */
const LEFT_OUT = "test/{clients,docs,e2e,editors,ranking}/**";

/** What one test file calls: names of functions as V8 gives them, per source. */
export interface CalledFunctions {
  readonly test: string;
  readonly called: Readonly<Record<string, readonly string[]>>;
}

/** Runs the tests of the tree, which takes minutes, unless the folder has their notes already. */
export function noteCalledFunctions(root: string, folder: string): void {
  if (existsSync(folder)) return;
  const config = "scripts/mutation/note-functions.config.ts";
  const options = ["--tags-filter=!slow", `--exclude=${LEFT_OUT}`, "--reporter=dot"];
  spawnSync("npx", ["vitest", "run", "--config", config, ...options], {
    cwd: root,
    stdio: "ignore",
    env: { ...process.env, COCOSEARCH_TEST_BUILT: "1", [NOTES_VARIABLE]: resolve(folder) },
  });
}

export class CallingTests {
  readonly #tests: readonly (CalledFunctions & { readonly size: number })[];

  constructor(folder: string) {
    const all = readdirSync(folder).map(
      (name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as CalledFunctions,
    );
    this.#tests = all.map((one) => ({ ...one, size: Object.values(one.called).flat().length }));
  }

  /** The tests of the source's own name, then those that call the fewest functions besides. */
  of(source: string, name: string): string[] {
    const own = `${basename(source, ".ts")}.test.ts`;
    const isOwn = (test: string) => Number(basename(test) === own);
    return this.#tests
      .filter(({ called }) => called[source]?.includes(name))
      .toSorted((a, b) => isOwn(b.test) - isOwn(a.test) || a.size - b.size)
      .map(({ test }) => test);
  }
}
