/** The code cache between processes: starts the built program repeatedly. */

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MAIN } from "../support/engine.ts";
import { workspace } from "../support/workspace.ts";

const COMPLETION = ["completion", "bash"];
const LANGUAGES = ["languages", "--help"];

/** Runs a command that needs no engine. */
function run(home: string, args: readonly string[]) {
  const env = { ...process.env, COCOSEARCH_HOME: home };
  return spawnSync(process.execPath, [MAIN, ...args], { encoding: "utf8", env });
}

/** The cache files by name. The number of a file changes when it is written again. */
function kept(home: string): [name: string, inode: number][] {
  const folder = join(home, "compiled");
  return readdirSync(folder).map((name) => [name, statSync(join(folder, name)).ino]);
}

/** A data folder with the code cache of one command. */
function keeping() {
  const home = workspace();
  const { stdout } = run(home, LANGUAGES);
  const [[name, inode] = ["", 0]] = kept(home);
  return { home, stdout, inode, file: join(home, "compiled", name) };
}

it("Each command writes one cache file and uses it again", () => {
  const { home, stdout, inode } = keeping();
  expect(run(home, LANGUAGES).stdout).toBe(stdout);
  expect(kept(home)).toEqual([[expect.stringMatching(/^command-languages\.[0-9a-f]{16}$/), inode]]);
  run(home, COMPLETION);
  expect(kept(home)).toHaveLength(2);
});

it.each<[string, (file: string) => void]>([
  ["cut short", (file) => writeFileSync(file, readFileSync(file).subarray(0, 9_000))],
  ["empty", (file) => writeFileSync(file, "")],
  [
    "damaged",
    (file) => {
      const content = readFileSync(file);
      content[20_000] = (content[20_000] ?? 0) ^ 1;
      writeFileSync(file, content);
    },
  ],
  ["one that others can write", (file) => chmodSync(file, 0o666)],
])("A cache file that is %s is replaced", (_, harm) => {
  const { home, stdout, inode, file } = keeping();
  harm(file);
  const again = run(home, LANGUAGES);
  expect([again.status, again.stdout, again.stderr]).toEqual([0, stdout, ""]);
  expect(kept(home)).toEqual([[expect.any(String), expect.any(Number)]]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const replaced = kept(home)[0]?.[1];
  expect(replaced).not.toBe(inode);
  run(home, LANGUAGES);
  expect(kept(home)[0]?.[1]).toBe(replaced);
});

it("The cache of another build is deleted", () => {
  const { home, file } = keeping();
  const older = file.replace(/[0-9a-f]{16}$/, "0123456789abcdef");
  writeFileSync(older, "of another build");
  writeFileSync(file, "");
  run(home, LANGUAGES);
  expect(existsSync(older)).toBe(false);
});

it("A failed or unknown command writes no cache", () => {
  const home = workspace();
  expect(run(home, ["languages", "--no-such-option"]).status).not.toBe(0);
  run(home, ["../../escape"]);
  expect(existsSync(join(home, "compiled"))).toBe(false);
});

it("The program runs without a data folder and does not create one", () => {
  const home = join(workspace(), "none");
  expect(run(home, LANGUAGES).status).toBe(0);
  expect(existsSync(home)).toBe(false);
  const file = join(workspace("//- file\n1\n"), "file");
  expect(run(file, LANGUAGES)).toMatchObject({ status: 0, stderr: "" });
});
