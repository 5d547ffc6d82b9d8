/** The log file: its size limit, and write errors. */

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

it("createLogFile rotates the log at its maximum size", () => {
  const file = join(folder(), "engine.log");
  const write = createLogFile(file, 10_000);
  for (let i = 0; i < 5_000; i++) write(`line ${i}\n`);
  expect(readdirSync(join(file, ".."))).toEqual(["engine.log", "engine.log.1"]);
  expect(statSync(file).size).toBeLessThan(12_000);
  expect(statSync(previousLog(file)).size).toBeLessThan(12_000);
  expect(readFileSync(file, "utf8")).toMatch(/line 4999\n$/);
});

it("The log file can be read by its owner only", () => {
  const file = join(folder(), "engine.log");
  createLogFile(file)("x\n");
  expect(statSync(file).mode & 0o077).toBe(0);
});

it("createLogFile drops a line that cannot be written", () => {
  const gone = folder();
  const write = createLogFile(join(gone, "engine.log"));
  rmSync(gone, { recursive: true });
  expect(() => write("x\n")).not.toThrow();
});
