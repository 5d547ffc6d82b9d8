/** Loaded before each test file by note-functions.config.ts: notes which functions of the server it calls. */

import { mkdirSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect } from "vitest";
import { type CalledFunctions, NOTES_VARIABLE, noteFile, rawFolder } from "./called-functions.ts";

const folder = process.env[NOTES_VARIABLE];
if (folder === undefined) throw new Error(`${NOTES_VARIABLE} names no folder`);

const test = relative(process.cwd(), expect.getState().testPath ?? "").replaceAll("\\", "/");
// Threads and processes that the test starts from here on write theirs when they end.
process.env.NODE_V8_COVERAGE = rawFolder(folder, test);

const start = performance.now();
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

afterAll(async () => {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const called: Record<string, string[]> = {};
  for (const { url, functions } of result) {
    const path = url.startsWith("file:") ? relative(process.cwd(), fileURLToPath(url)) : url;
    if (!path.startsWith("server/")) continue;
    const names = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
    called[path] = [...new Set(names.map(({ functionName }) => functionName))];
  }
  mkdirSync(folder, { recursive: true });
  const note: CalledFunctions = { test, called, ms: Math.round(performance.now() - start) };
  writeFileSync(noteFile(folder, test), JSON.stringify(note));
});
