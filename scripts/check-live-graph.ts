/**
 * Edits repositories at random and checks that the updated graph equals a new one.
 *
 * usage: npm run check-live-graph -- DIR... [--edits 500] [--seed 1] [--saves N]
 *
 *   --saves N  only measure the time to update after N saves that add a line, and N saves that rename a symbol
 */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { createRandom } from "./evaluation/random.ts";
import { findDifference } from "./graph/live-check.ts";
import { measureSaves, type Save } from "./graph/saves.ts";
import { scriptOptions, usageIn } from "./script-options.ts";

const MAX_BYTES = 300_000;
/** How many of the slowest saves are shown. */
const SHOWN = 5;
const IGNORED = /(?:^|\/)(?:\.git|node_modules|dist|build|target|vendor)(?:\/|$)/;

const USAGE = usageIn(import.meta.filename);
const { values, positionals } = scriptOptions(USAGE, {
  allowPositionals: true,
  options: {
    edits: { type: "string", default: "500" },
    saves: { type: "string" },
    seed: { type: "string", default: "1" },
  },
});

if (positionals.length === 0) {
  console.error(USAGE);
  process.exit(2);
}

for (const root of positionals) {
  const files = readFiles(root);
  if (values.saves !== undefined) {
    await showSaves(root, files, Number(values.saves));
    continue;
  }
  const imports: number[] = [];
  const all: number[] = [];
  const difference = await findDifference(files, {
    edits: Number(values.edits),
    random: createRandom(Number(values.seed)),
    measured: (importsMs, allMs) => {
      imports.push(importsMs);
      all.push(allMs);
    },
  });
  const times = `imports ${spread(imports)}, all ${spread(all)}`;
  console.log(`${root}: ${files.size} files, ${all.length} edits; ${times}`);
  if (difference === undefined) continue;
  const { edit, kind, lines } = difference;
  console.log(`differs after edit ${edit} (${kind})\n${lines.slice(0, 20).join("\n")}`);
  process.exitCode = 1;
}

async function showSaves(root: string, files: ReadonlyMap<string, string>, count: number) {
  const random = createRandom(Number(values.seed));
  const { firstStepMs, moved, renamed } = await measureSaves(files, { saves: count, random });
  console.log(
    `${root}: ${files.size} files, everything resolved in steps of ${firstStepMs.toFixed(1)} ms at most`,
  );
  showTimes("a line more", moved);
  showTimes("another name", renamed);
}

function showTimes(what: string, saves: readonly Save[]): void {
  const times = `imports ${spread(saves.map((save) => save.importsMs))}, all ${spread(saves.map((save) => save.allMs))}`;
  const steps = `longest step ${Math.max(...saves.map((save) => save.stepMs)).toFixed(1)} ms`;
  console.log(`${what}: ${saves.length} saves; ${times}; ${steps}`);
  const slowest = saves.toSorted((one, other) => other.allMs - one.allMs).slice(0, SHOWN);
  for (const { path, allMs } of slowest) console.log(`  ${allMs.toFixed(1)} ms ${path}`);
}

function readFiles(root: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    const full = join(root, name);
    const path = relative(root, full).split(sep).join("/");
    const found = IGNORED.test(path) ? undefined : statSync(full, { throwIfNoEntry: false });
    if (found?.isFile() !== true || found.size > MAX_BYTES) continue;
    const text = readFileSync(full, "utf8");
    if (!text.includes("\0")) files.set(path, text);
  }
  return files;
}

function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  return `median ${at(0.5)} ms, 90 % ${at(0.9)} ms`;
}
