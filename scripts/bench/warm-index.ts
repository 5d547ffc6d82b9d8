/** Measures the command `index` on an engine that has indexed another folder before, so that V8 has compiled the code. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { engineEnvironment, openEditor } from "../editor.ts";
import { ended } from "../evaluation/server.ts";
import { ENGINE_IDLE_SECONDS, whenQuiet, whenSettled } from "./asking.ts";
import type { Numbers } from "./statistics.ts";
import { usageOf } from "./usage.ts";

/** Some hundred files of this project. */
const BEFORE = resolve(import.meta.dirname, "../../server");

/** `bytes` is the size of the indexed text of `root`. */
export async function indexOnWarmEngine(
  root: string,
  program: string,
  bytes: number,
): Promise<Numbers> {
  const home = mkdtempSync(join(tmpdir(), "cocosearch-bench-"));
  try {
    const { connection, close } = await openEditor(BEFORE, home, ENGINE_IDLE_SECONDS, {}, program);
    const { engine } = await whenSettled(connection);
    await whenQuiet(engine.pid);
    const cpuBefore = usageOf(engine.pid).cpuMs;
    const start = performance.now();
    execFileSync(process.execPath, [program, "index", "--root", root], {
      env: { ...process.env, ...engineEnvironment(home, ENGINE_IDLE_SECONDS) },
      stdio: "ignore",
    });
    const ms = performance.now() - start;
    const cpuMs = (usageOf(engine.pid).cpuMs ?? Number.NaN) - (cpuBefore ?? Number.NaN);
    await close();
    await ended(engine.pid);
    return {
      warmIndexMs: ms,
      warmIndexMbPerSecond: bytes / 1e3 / ms,
      warmIndexCpuPerMbMs: cpuMs / (bytes / 1e6),
    };
  } finally {
    rmSync(home, { recursive: true });
  }
}
