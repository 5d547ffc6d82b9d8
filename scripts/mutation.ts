/**
 * Puts small faults into copies of the server's sources, one at a time, and tells which of them no near test notices.
 * The same seed chooses the same faults of the same tree. A survivor may also be a fault that changes nothing: read it.
 *
 * usage: npm run -s mutation -- [--faults 300] [--seed 1] [--under server/search] [--out FILE]
 *          [--timeout 180]   (seconds for the near tests of one fault)
 */

import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Fault, faultsOf } from "./mutation/faults.ts";
import { NearestTests, sourcesIn } from "./mutation/nearest-tests.ts";

const ROOT = resolve(import.meta.dirname, "..");
/** Copied, because a fault is written into it or the test runner looks up from it; all else is linked. */
const COPIED = ["server", "test", "scripts"];
interface Site extends Fault {
  readonly path: string;
}

interface Outcome {
  readonly site: Site;
  readonly tests: readonly string[];
  readonly result: "killed" | "survived" | "too long" | "no test is near";
}

const { values } = parseArgs({
  options: {
    faults: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    under: { type: "string", default: "server" },
    out: { type: "string" },
    // Several times what the slowest near tests take; a fault that makes a loop endless is noticed by this.
    timeout: { type: "string", default: "180" },
  },
});
const timeoutMs = Number(values.timeout) * 1000;

const copy = mkdtempSync(join(tmpdir(), "cocosearch-mutation-"));
try {
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  const others = readdirSync(ROOT).filter((name) => !COPIED.includes(name));
  for (const name of others) symlinkSync(join(ROOT, name), join(copy, name));
  await run();
} finally {
  rmSync(copy, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const nearest = new NearestTests(copy);
  const sites = await sitesUnder(values.under);
  const chosen = sample(sites, Number(values.faults), Number(values.seed));
  console.log(
    `${chosen.length} of ${sites.length} faults under ${values.under}, seed ${values.seed}`,
  );
  checkBaseline([...new Set(chosen.flatMap(({ path }) => nearest.of(path)))]);
  const sorted = chosen.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const outcomes = sorted.map((site, i) => {
    const outcome = tryFault(site, nearest.of(site.path));
    const line = `${i + 1} ${describe(outcome)}`;
    if (outcome.result !== "killed") console.log(line);
    if (values.out !== undefined) appendFileSync(values.out, `${line}\n`);
    return outcome;
  });
  summarize(outcomes);
}

async function sitesUnder(folder: string): Promise<Site[]> {
  const sites: Site[] = [];
  for (const path of sourcesIn(copy, folder)) {
    const faults = await faultsOf(readFileSync(join(copy, path), "utf8"));
    sites.push(...faults.map((fault) => ({ ...fault, path })));
  }
  return sites;
}

/** Without putting back, each as likely as any other. */
function sample(sites: readonly Site[], count: number, seed: number): Site[] {
  const random = randomNumbers(seed);
  const left = [...sites];
  const chosen: Site[] = [];
  while (chosen.length < count && left.length > 0) {
    const [site] = left.splice(Math.floor(random() * left.length), 1);
    if (site !== undefined) chosen.push(site);
  }
  return chosen;
}

/** A linear congruential generator (Numerical Recipes), from 0 up to 1. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A test that fails anyway would count as one that notices. */
function checkBaseline(tests: readonly string[]): void {
  const { status, stdout } = runTests(tests, ["--reporter=dot"], timeoutMs * 10);
  if (status === 0) return;
  console.log(stdout);
  throw new Error("some near tests fail without a fault; run the tests first");
}

function runTests(tests: readonly string[], options: readonly string[], timeout: number) {
  const vitest = ["vitest", "run", "--config", "test/vitest.config.ts", "--maxWorkers=1"];
  return spawnSync("npx", [...vitest, ...options, ...tests], {
    cwd: copy,
    env: { ...process.env, COCOSEARCH_TEST_BUILT: "1" },
    stdio: ["ignore", "pipe", "ignore"],
    encoding: "utf8",
    maxBuffer: 100_000_000,
    timeout,
    killSignal: "SIGKILL",
  });
}

function tryFault(site: Site, tests: readonly string[]): Outcome {
  if (tests.length === 0) return { site, tests, result: "no test is near" };
  const file = join(copy, site.path);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.slice(0, site.start) + site.replacement + text.slice(site.end));
  const { status, error } = runTests(tests, ["--bail=1"], timeoutMs);
  writeFileSync(file, text);
  if (error !== undefined) return { site, tests, result: "too long" };
  return { site, tests, result: status === 0 ? "survived" : "killed" };
}

function describe({ site, tests, result }: Outcome): string {
  const text = readFileSync(join(copy, site.path), "utf8");
  const line = text.slice(0, site.start).split("\n").length;
  const [before, after] = [text.slice(site.start, site.end), site.replacement].map((each) =>
    JSON.stringify(each.replace(/\s+/g, " ").slice(0, 80)),
  );
  return `${result}: ${site.path}:${line} ${site.kind}: ${before} -> ${after} (${tests.length} test files)`;
}

function summarize(outcomes: readonly Outcome[]): void {
  const folders = new Map<string, { killed: number; all: number }>();
  for (const { site, result } of outcomes) {
    const folder = site.path.split("/").slice(0, 2).join("/");
    const counts = folders.get(folder) ?? { killed: 0, all: 0 };
    counts.all++;
    if (isNoticed(result)) counts.killed++;
    folders.set(folder, counts);
  }
  for (const [folder, { killed, all }] of folders)
    console.log(`${folder.padEnd(24)} ${killed} of ${all}`);
  const killed = outcomes.filter(({ result }) => isNoticed(result)).length;
  console.log(
    `${killed} of ${outcomes.length} noticed: ${((100 * killed) / outcomes.length).toFixed(1)} %`,
  );
}

function isNoticed(result: Outcome["result"]): boolean {
  return result === "killed" || result === "too long";
}
