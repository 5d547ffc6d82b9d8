/** The log on disk: its bound, and what happens where it cannot be written. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createLogFile, previousLog } from "../../server/daemon/log-file.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "cocosearch-log-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

it("keeps the newest lines, and the log before, within a bound", () => {
  const file = join(folder(), "engine.log");
  const write = createLogFile(file, 10_000);
  for (let i = 0; i < 5_000; i++) write(`line ${i}\n`);
  expect(readdirSync(join(file, ".."))).toEqual(["engine.log", "engine.log.1"]);
  expect(statSync(file).size).toBeLessThan(12_000);
  expect(statSync(previousLog(file)).size).toBeLessThan(12_000);
  expect(readFileSync(file, "utf8")).toMatch(/line 4999\n$/);
});

it("is private", () => {
  const file = join(folder(), "engine.log");
  createLogFile(file)("x\n");
  expect(statSync(file).mode & 0o077).toBe(0);
});

it("loses a line where it cannot be written, and fails nothing", () => {
  const gone = folder();
  const write = createLogFile(join(gone, "engine.log"));
  rmSync(gone, { recursive: true });
  expect(() => write("x\n")).not.toThrow();
});
