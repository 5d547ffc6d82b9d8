/** The message of a Node that is too old, for each way to put the program on the PATH. */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { MAIN } from "./support/engine.ts";

const MANIFEST = resolve(import.meta.dirname, "../package.json");

/** The program, with `process.versions.node` set to this version. */
function runIn(version: string) {
  const changed = `Object.defineProperty(process.versions, "node", { value: "${version}" })`;
  const args = [
    "--import",
    `data:text/javascript,${encodeURIComponent(changed)}`,
    MAIN,
    "--version",
  ];
  return spawnSync(process.execPath, args, { encoding: "utf8" });
}

it.each(["18.20.4", "20.18.3"])("says that Node %s is too old, and where to get one", (version) => {
  const { status, stdout, stderr } = runIn(version);
  expect([status, stdout]).toEqual([3, ""]);
  expect(stderr).toMatch(/^cocosearch-lsp needs Node\.js 20\.19 or later, .*nodejs\.org\n$/);
});

it.each(["20.19.0", "22.0.0", "24.1.0"])("starts in Node %s", (version) => {
  expect(runIn(version).status).toBe(0);
});

it("requires the version in package.json", () => {
  const { engines } = JSON.parse(readFileSync(MANIFEST, "utf8")) as { engines: { node: string } };
  expect(engines.node).toBe(">=20.19");
});
