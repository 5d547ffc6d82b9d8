/** Loaded before each test file by note-functions.config.ts: notes which functions of the server it calls, and which lines of them run. */

import { mkdirSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect } from "vitest";
import { type CalledFunctions, NOTES_VARIABLE, noteFile, rawFolder } from "./called-functions.ts";
import { linesRun } from "./lines-run.ts";

const folder = process.env[NOTES_VARIABLE];
if (folder === undefined) throw new Error(`${NOTES_VARIABLE} names no folder`);

const test = relative(process.cwd(), expect.getState().testPath ?? "").replaceAll("\\", "/");
// Threads and processes that the test starts from here on write theirs when they end.
process.env.NODE_V8_COVERAGE = rawFolder(folder, test);

const start = performance.now();
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Debugger.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

afterAll(async () => {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const ms = Math.round(performance.now() - start);
  const called: Record<string, string[]> = {};
  const lines: Record<string, number[]> = {};
  for (const { url, functions, scriptId } of result) {
    const path = url.startsWith("file:") ? relative(process.cwd(), fileURLToPath(url)) : url;
    if (!path.startsWith("server/")) continue;
    const names = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
    called[path] = [...new Set(names.map(({ functionName }) => functionName))];
    const { scriptSource } = await session.post("Debugger.getScriptSource", { scriptId });
    lines[path] = linesRun(scriptSource, functions);
  }
  mkdirSync(folder, { recursive: true });
  const note: CalledFunctions = { test, called, lines, ms };
  writeFileSync(noteFile(folder, test), JSON.stringify(note));
});
