/** The installation id of a data folder. */

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

it("The id is stable in one data folder and differs between folders", () => {
  const home = folder();
  const id = readInstallation(home);
  expect(readInstallation(home)).toBe(id);
  expect(readFileSync(join(home, "installation"), "utf8")).toBe(`${id}\n`);
  expect(readInstallation(folder())).not.toBe(id);
});

it("A truncated id file is replaced", () => {
  const home = folder();
  writeFileSync(join(home, "installation"), "");
  const id = readInstallation(home);
  expect(id).toHaveLength(36);
  expect(readInstallation(home)).toBe(id);
});

it("An unwritable folder is reported with a remedy", () => {
  expect(() => readInstallation(join(folder(), "gone"))).toThrow(Unavailable);
});
