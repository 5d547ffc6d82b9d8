/** Measures a restart with an unchanged tree: the time to verify the index, and the resources used. One JSON line per start. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openEditor } from "../editor.ts";
import { ended, indexed } from "../evaluation/server.ts";
import { generateTree } from "./tree.ts";
import { usageOf } from "./usage.ts";

const USAGE = `usage: node --import tsx scripts/bench/restart.ts (--root DIR | --files N) [--starts N]

  --root DIR   a repository, which is only read
  --files N    a generated tree of N small files
  --starts N   how often it is started again (default: 3)`;

const ENGINE_IDLE_SECONDS = 1;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      root: { type: "string" },
      files: { type: "string" },
      starts: { type: "string", default: "3" },
    },
  });
  if ((values.root === undefined) === (values.files === undefined)) {
    console.error(USAGE);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-restart-"));
  try {
    const root = resolve(values.root ?? join(folder, "tree"));
    if (values.files !== undefined) {
      mkdirSync(root);
      generateTree(root, Number(values.files));
    }
    const home = join(folder, "home");
    mkdirSync(home);
    for (let start = 0; start <= Number(values.starts); start++) {
      console.log(JSON.stringify({ root, start, ...(await startOnce(root, home)) }));
    }
    return 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Start 0 indexes the tree; later starts find it unchanged. */
async function startOnce(root: string, home: string) {
  const { connection, startedAt, close } = await openEditor(root, home, ENGINE_IDLE_SECONDS);
  const { engine, indexes } = await indexed(connection, root);
  const readyMs = Math.round(performance.now() - startedAt);
  const { cpuMs, memoryMb } = usageOf(engine.pid);
  await close();
  await ended(engine.pid);
  const { discoverMs, prepareMs, wallMs } = lastPass(home);
  const files = indexes[0]?.files;
  return {
    files,
    readyMs,
    engineCpuMs: cpuMs,
    engineMb: memoryMb,
    discoverMs,
    prepareMs,
    passMs: wallMs,
  };
}

/** The last pass in the engine's log. */
function lastPass(home: string): Record<string, number> {
  const lines = readFileSync(join(home, "engine.log"), "utf8").split("\n");
  const passes = lines.filter((line) => line.includes('"message":"indexed"'));
  return JSON.parse(passes.at(-1) ?? "{}") as Record<string, number>;
}

process.exitCode = await main();
