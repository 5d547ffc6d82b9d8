/** The id that a data folder gives to its installation. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Unavailable } from "../../../server/common/errors.ts";
import { readInstallation } from "../../../server/engine/indexes/installation.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "cocosearch-installation-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

it("stays the same in one data folder, and differs in another", () => {
  const home = folder();
  const id = readInstallation(home);
  expect(readInstallation(home)).toBe(id);
  expect(readFileSync(join(home, "installation"), "utf8")).toBe(`${id}\n`);
  expect(readInstallation(folder())).not.toBe(id);
});

it("is made again where its file was cut off", () => {
  const home = folder();
  writeFileSync(join(home, "installation"), "");
  const id = readInstallation(home);
  expect(id).toHaveLength(36);
  expect(readInstallation(home)).toBe(id);
});

it("says what to do where it cannot be written", () => {
  expect(() => readInstallation(join(folder(), "gone"))).toThrow(Unavailable);
});
