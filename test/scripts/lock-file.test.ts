/** package-lock.json: what `npm ci` on another machine than its writer's depends on. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const LOCK_FILE = resolve(import.meta.dirname, "../../package-lock.json");
const { packages } = JSON.parse(readFileSync(LOCK_FILE, "utf8")) as {
  packages: Readonly<Record<string, Locked>>;
};

/** npm leaves out what its registry lacks, and then refuses to install from such a file. */
it("names the packages of every platform", () => {
  const missing = Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        packages[`node_modules/${name}`] === undefined &&
        packages[`${parent}/node_modules/${name}`] === undefined,
    ),
  );
  expect(missing).toEqual([]);
});

it("names no registry, so that npm asks the registry of each user", () => {
  const resolved = Object.values(packages).flatMap((each) => each.resolved ?? []);
  expect(resolved).toEqual([]);
});

/** The process of the language server would load and compile a second one for the engine's socket. */
it("has one version of the protocol's library", () => {
  const copies = Object.keys(packages).filter((path) => path.endsWith("/vscode-jsonrpc"));
  expect(copies).toEqual(["node_modules/vscode-jsonrpc"]);
});
