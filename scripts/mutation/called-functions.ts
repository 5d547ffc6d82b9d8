/** Which functions of the server each test file calls, and which lines it runs, in its own process and in those it starts, without a fault. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { sourcesIn } from "./nearest-tests.ts";
import { calledByPrograms } from "./programs-coverage.ts";

export const NOTES_VARIABLE = "COCOSEARCH_MUTATION_NOTES";

/** They start editors, or rank whole repositories: everything is called, and takes minutes. */
const LEFT_OUT = /^test\/(?:editors|fixtures|ranking)\//;

/** What one test file calls: names of functions as V8 gives them, per source. */
export interface CalledFunctions {
  readonly test: string;
  readonly called: Readonly<Record<string, readonly string[]>>;
  /** The lines that it runs in its own process, from 1, per source. */
  readonly lines?: Readonly<Record<string, readonly number[]>>;
  readonly ms?: number;
  /** In the threads and programs that the test starts. */
  readonly byPrograms?: Readonly<Record<string, readonly string[]>>;
}

export const noteFile = (folder: string, test: string) =>
  join(folder, `${test.replaceAll("/", "!")}.json`);

/** Where the processes that a test starts write what they have called. */
export const rawFolder = (folder: string, test: string) =>
  join(`${folder}.raw`, test.replaceAll("/", "!"));

/** Runs those tests of the tree, which takes minutes, of which the folder has no notes. */
export function noteCalledFunctions(root: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const tests = sourcesIn(root, "test").filter(
    (path) => path.endsWith(".test.ts") && !LEFT_OUT.test(path),
  );
  const missing = tests.filter((test) => !existsSync(noteFile(folder, test)));
  if (missing.length === 0) return;
  console.log(`noting what ${missing.length} test files call`);
  // The tests of whole programs take as long as all others: a run that is cut off has those of the parts.
  const isWhole = (test: string) => test.startsWith("test/e2e/");
  for (const some of [missing.filter((each) => !isWhole(each)), missing.filter(isWhole)]) {
    if (some.length > 0) noteTests(root, folder, some);
  }
  rmSync(`${folder}.raw`, { recursive: true, force: true });
}

function noteTests(root: string, folder: string, tests: readonly string[]): void {
  const config = "scripts/mutation/note-functions.config.ts";
  spawnSync("npx", ["vitest", "run", "--config", config, "--reporter=dot", ...tests], {
    cwd: root,
    stdio: "ignore",
    env: { ...process.env, COCOSEARCH_TEST_BUILT: "1", [NOTES_VARIABLE]: resolve(folder) },
  });
  for (const test of tests) addPrograms(root, folder, test);
}

function addPrograms(root: string, folder: string, test: string): void {
  const file = noteFile(folder, test);
  // Without one the run ended before this test, which is asked again next time.
  if (!existsSync(file)) return;
  const note = readNote(file);
  const byPrograms = calledByPrograms(root, rawFolder(folder, test));
  writeFileSync(file, JSON.stringify({ ...note, byPrograms } satisfies CalledFunctions));
}

const readNote = (file: string) => JSON.parse(readFileSync(file, "utf8")) as CalledFunctions;

/** A test of the source's own name may take as many times longer than another one that is asked before it. */
const OWN_FACTOR = 10;

export class CallingTests {
  readonly #tests: readonly CalledFunctions[];

  constructor(folder: string) {
    this.#tests = readdirSync(folder).map((name) => readNote(join(folder, name)));
  }

  /**
   * Those that run the line, or call the functions where no line is given or known: the fastest first, and of a fast and a
   * slow one that of the source's own name. In threads and programs it is not known which lines run.
   */
  of(source: string, names: readonly string[], line: number | undefined): string[] {
    const isKnown = this.#tests.some(
      ({ lines }) => line !== undefined && lines?.[source]?.includes(line) === true,
    );
    const isAsked = (name: string) => names.includes(name);
    const runs = ({ called, lines, byPrograms }: CalledFunctions) =>
      byPrograms?.[source]?.some(isAsked) === true ||
      (line === undefined || lines === undefined || !isKnown
        ? called[source]?.some(isAsked) === true
        : lines[source]?.includes(line) === true);
    const own = `${basename(source, ".ts")}.test.ts`;
    const cost = ({ test, ms = 0 }: CalledFunctions) =>
      basename(test) === own ? ms / OWN_FACTOR : ms;
    return this.#tests
      .filter(runs)
      .toSorted((a, b) => cost(a) - cost(b))
      .map(({ test }) => test);
  }

  /** Whether it is known what the test calls. */
  isNoted(test: string): boolean {
    const note = this.#tests.find((one) => one.test === test);
    return (
      note !== undefined && (note.byPrograms !== undefined || Object.keys(note.called).length > 0)
    );
  }

  /** How long the test took when it was noted. */
  msOf(test: string): number {
    return this.#tests.find((one) => one.test === test)?.ms ?? 0;
  }
}
