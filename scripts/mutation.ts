/**
 * Puts small faults into a copy of the server's sources, one at a time, and tells which of them no near test notices.
 * The same seed chooses the same faults of the same tree. A survivor may also be a fault that changes nothing: read it.
 * COCOSEARCH_TEST_DATABASE_URL names a Postgres, without which faults in what speaks to one go unnoticed.
 *
 * usage: npm run build && npm run -s mutation -- [--faults 300] [--seed 1] [--under server/search] [--out FILE]
 *        [--again] [--part 1/2] [--calls FOLDER] [--seconds 300]
 *
 *   --out FILE  one line per fault as soon as it is known; a run with the same file continues where it ended
 *   --again     tries again those of FILE that survived, after tests were added, with tests that are further away too
 *   --part K/N  only each Nth of the faults, from the Kth on, for several runs at once with the same file
 *   --calls DIR where it is kept which lines each test runs: what is not there yet takes minutes to find out
 *   --seconds N no other test of a fault is begun after this time of tests that pass; most are noticed by the first two
 */

import { join, resolve } from "node:path";
import { createRandom } from "./evaluation/random.ts";
import { CallingTests, noteCalledFunctions } from "./mutation/called-functions.ts";
import { type Fault, faultsOf } from "./mutation/faults.ts";
import { NearestTests, sourcesIn } from "./mutation/nearest-tests.ts";
import {
  appendOutcome,
  describeOutcome,
  isNoticed,
  keyOf,
  type Outcome,
  type Place,
  type Result,
  readOutcomes,
  summaryOf,
} from "./mutation/outcomes.ts";
import type { TestAnswer } from "./mutation/run-tests.ts";
import { TestRunner } from "./mutation/test-runner.ts";
import { TreeCopy } from "./mutation/tree-copy.ts";
import { scriptOptions, usageIn } from "./script-options.ts";

/** With --again as many times more time: the few faults that are left are worth it. */
const AGAIN_FACTOR = 3;
/** A fault that makes a loop endless is noticed by this, or by three times what the test took without a fault. */
const MAX_TEST_MS = 60_000;
/** A test that takes longer starts programs. */
const MAX_FAST_MS = 5_000;

interface Site extends Fault {
  readonly path: string;
}

const { values } = scriptOptions(usageIn(import.meta.filename), {
  options: {
    faults: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    under: { type: "string", default: "server" },
    out: { type: "string" },
    again: { type: "boolean", default: false },
    part: { type: "string", default: "1/1" },
    calls: { type: "string" },
    seconds: { type: "string", default: "300" },
  },
});

const copy = new TreeCopy(resolve(import.meta.dirname, ".."));
const runner = new TestRunner(copy.root);
const nearest = new NearestTests(copy.root);
const calls = values.calls ?? join(copy.root, "calls");
noteCalledFunctions(copy.root, calls);
const calling = new CallingTests(calls);
/** Tests that fail, or take too long, without a fault. */
const unusable = new Set<string>();
const stop = () => {
  runner.close();
  copy.remove();
};
process.on("SIGINT", () => process.exit(130));
process.on("SIGTERM", () => process.exit(143));
process.on("exit", stop);
await run();
runner.close();

async function run(): Promise<void> {
  const sites = await sitesUnder(values.under);
  const known = readOutcomes(values.out);
  const chosen = values.again
    ? sites.filter((site) => known.has(keyOf(placeOf(site))))
    : sample(sites, Number(values.faults), Number(values.seed));
  console.log(
    `${chosen.length} of ${sites.length} faults under ${values.under}, seed ${values.seed}`,
  );
  const outcomes: Outcome[] = [];
  for (const site of partOf(chosen.toSorted((a, b) => (a.path < b.path ? -1 : 1)))) {
    const before = known.get(keyOf(placeOf(site)));
    const isDone = before !== undefined && (isNoticed(before) || !values.again);
    const outcome = isDone ? before : await tryFault(site);
    outcomes.push(outcome);
    if (isDone) continue;
    appendOutcome(values.out, outcome);
    console.log(`${outcomes.length} ${describeOutcome(outcome)}`);
  }
  console.log(summaryOf(outcomes));
}

async function sitesUnder(folder: string): Promise<Site[]> {
  const sites: Site[] = [];
  for (const path of sourcesIn(copy.root, folder)) {
    sites.push(...(await faultsOf(copy.read(path))).map((fault) => ({ ...fault, path })));
  }
  return sites;
}

/** Without putting back, each as likely as any other. */
function sample(sites: readonly Site[], count: number, seed: number): Site[] {
  const random = createRandom(seed);
  const left = [...sites];
  const chosen: Site[] = [];
  while (chosen.length < count && left.length > 0) {
    const [site] = left.splice(Math.floor(random() * left.length), 1);
    if (site !== undefined) chosen.push(site);
  }
  return chosen;
}

function partOf(sites: readonly Site[]): Site[] {
  const [part = 1, parts = 1] = values.part.split("/").map(Number);
  return sites.filter((_, i) => i % parts === part - 1);
}

/** One test file after the other, nearest first, until one of them fails. */
async function tryFault(site: Site): Promise<Outcome> {
  const line = copy.read(site.path).slice(0, site.start).split("\n").length;
  const outcome = (result: Result, by: string) => ({ ...placeOf(site), line, result, by });
  let passed = 0;
  let passedMs = 0;
  const maxMs = Number(values.seconds) * 1000 * (values.again ? AGAIN_FACTOR : 1);
  const ask = async (test: string) => {
    const takeOut = await copy.putIn(site.path, site);
    const answer = await runner.run(test, maxMsOf(test), site.path);
    takeOut();
    return answer;
  };
  for (const test of testsFor(site, line)) {
    if (passedMs >= maxMs) break;
    if (unusable.has(test)) continue;
    const answer = await ask(test);
    if (answer !== "too long" && answer.ok) {
      passed++;
      passedMs += answer.ms;
    } else if (await passesWithout(test)) {
      // A long test may also fail by chance, where the machine is busy: it has to fail twice.
      const isSure = answer !== "too long" && calling.msOf(test) < MAX_FAST_MS;
      if (!isSure && isPassed(await ask(test))) continue;
      return outcome(answer === "too long" ? answer : "killed", test);
    }
  }
  return outcome(passed === 0 ? "no test is near" : "survived", `${passed} test files`);
}

function isPassed(answer: TestAnswer | "too long"): boolean {
  return answer !== "too long" && answer.ok;
}

function maxMsOf(test: string): number {
  return Math.max(MAX_TEST_MS, 3 * calling.msOf(test));
}

/**
 * Those that run the line of the fault, of a constant those that call what uses it; after them those that are near,
 * where it is not known what they run.
 */
function testsFor({ path, within, isInFunction }: Site, line: number): string[] {
  const near = nearest.of(path).filter((test) => !calling.isNoted(test));
  const running = calling.of(path, within, isInFunction ? line : undefined);
  return [...new Set([...running, ...near])];
}

/** A test that failed by chance, or fails always, says nothing of a fault: without the fault it has to pass. */
async function passesWithout(test: string): Promise<boolean> {
  const passes = isPassed(await runner.run(test, maxMsOf(test)));
  if (!passes) {
    unusable.add(test);
    console.log(`not used: ${test} fails, or takes more than ${maxMsOf(test)} ms`);
  }
  return passes;
}

function placeOf({ path, start, end, replacement, kind }: Site): Place {
  const text = copy.read(path);
  const begin = text.lastIndexOf("\n", start - 1) + 1;
  const line = text.slice(begin).split("\n", 1)[0] ?? "";
  const [before, after] = [text.slice(start, end), replacement].map((each) =>
    JSON.stringify(each.replace(/\s+/g, " ").slice(0, 80)),
  );
  return { path, column: start - begin, text: line.trim(), kind, change: `${before} -> ${after}` };
}
