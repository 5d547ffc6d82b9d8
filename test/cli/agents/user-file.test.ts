/** Files of the user: which are refused, and how they are replaced. */

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  checkReplaceable,
  deleteUserFile,
  readUserFile,
  replaceUserFile,
} from "../../../server/cli/agents/user-file.ts";
import { workspace } from "../../support/workspace.ts";

const read = (root: string, name = "a.json") => readUserFile(root, name, name);

/** Ways to make a file that is refused; the file outside is /outside/secret. */
const REFUSED: readonly (readonly [
  name: string,
  make: (file: string, top: string) => void,
  RegExp,
])[] = [
  ["a folder", (file) => mkdirSync(file), /^a\.json is a folder/],
  ["a pipe", (file) => execFileSync("mkfifo", [file]), /^a\.json is not a regular file/],
  ["UTF-16", (file) => writeFileSync(file, "\ufeff{}", "utf16le"), /not encoded in UTF-8: save it/],
  ["UTF-16 without a mark", (file) => writeFileSync(file, "{}", "utf16le"), /not encoded in UTF-8/],
  ["Latin-1", (file) => writeFileSync(file, '{"a": "\u00e9"}', "latin1"), /not encoded in UTF-8/],
  [
    "a large file",
    (file) => {
      writeFileSync(file, "");
      truncateSync(file, 5_000_001);
    },
    /^a\.json is larger than 5 MB/,
  ],
  [
    "a link to another tree",
    (file, top) => symlinkSync(join(top, "outside/secret"), file),
    /symbolic link/,
  ],
  ["a link to nothing", (file) => symlinkSync("nothing", file), /symbolic link/],
  ["a link to itself", (file) => symlinkSync("a.json", file), /symbolic link/],
];

describe.each(REFUSED)("%s", (_name, make, message) => {
  it("is refused", () => {
    const top = workspace("//- outside/secret\nsecret\n//- root/other\n");
    const root = join(top, "root");
    make(join(root, "a.json"), top);
    expect(() => read(root)).toThrow(message);
    expect(readFileSync(join(top, "outside/secret"), "utf8")).toBe("secret\n");
  });
});

it("a folder that leads to another tree is refused, for a new file, too", () => {
  const top = workspace("//- outside/secret\nsecret\n//- root/other\n");
  symlinkSync("../outside", join(top, "root/.cursor"));
  expect(() => read(join(top, "root"), ".cursor/mcp.json")).toThrow(/symbolic link/);
  expect(() => read(join(top, "root"), ".cursor/rules/x.mdc")).toThrow(/symbolic link/);
  expect(() => read(join(top, "root"), "other/x.json")).toThrow(/cannot be opened/);
});

it("a link inside the tree is followed and stays a link", () => {
  const root = workspace("//- dot/a.json\n{}\n");
  symlinkSync("dot/a.json", join(root, "a.json"));
  replaceUserFile(read(root), "{ }\n");
  expect(readFileSync(join(root, "dot/a.json"), "utf8")).toBe("{ }\n");
  expect(readdirSync(root).toSorted()).toEqual(["a.json", "dot"]);
});

it("a read-only file is refused", () => {
  const root = workspace("//- a.json\n{}\n");
  chmodSync(join(root, "a.json"), 0o444);
  const file = read(root);
  expect(() => checkReplaceable(file)).toThrow("a.json is read-only");
  expect(() => replaceUserFile(file, "x")).toThrow("a.json is read-only");
  expect(readFileSync(join(root, "a.json"), "utf8")).toBe("{}\n");
  expect(readdirSync(root)).toEqual(["a.json"]);
});

it("keeps the byte order mark and the permissions", () => {
  const root = workspace("//- a.json\n");
  writeFileSync(join(root, "a.json"), "\ufeff{}", { mode: 0o600 });
  chmodSync(join(root, "a.json"), 0o666);
  const file = read(root);
  expect(file.text).toBe("{}");
  replaceUserFile(file, "{ }");
  expect(readFileSync(join(root, "a.json"), "utf8")).toBe("\ufeff{ }");
  expect(statSync(join(root, "a.json")).mode & 0o777).toBe(0o666);
});

/** The changes to a file between reading and writing. */
const CHANGES: readonly (readonly [
  name: string,
  before: string | undefined,
  change: (file: string) => void,
])[] = [
  ["changed", "{}", (file) => writeFileSync(file, "{1}")],
  ["created", undefined, (file) => writeFileSync(file, "{1}")],
  [
    "replaced by a link",
    "{}",
    (file) => {
      execFileSync("rm", [file]);
      symlinkSync("other", file);
    },
  ],
];

it.each(CHANGES)("a file that was %s meanwhile is left as it is", (_name, before, change) => {
  const root = workspace("//- other\n{}");
  const path = join(root, "a.json");
  if (before !== undefined) writeFileSync(path, before);
  const file = read(root);
  change(path);
  const now = readFileSync(path, "utf8");
  expect(() => replaceUserFile(file, "ours")).toThrow("a.json was changed meanwhile");
  expect(() => deleteUserFile(file)).toThrow("changed meanwhile");
  expect(readFileSync(path, "utf8")).toBe(now);
  expect(readdirSync(root).toSorted()).toEqual(["a.json", "other"]);
});

it("deletes a file with the folders that are then empty", () => {
  const root = workspace("//- .a/b/c.json\n//- .a/d\n");
  deleteUserFile(read(root, ".a/b/c.json"));
  expect(readdirSync(join(root, ".a"))).toEqual(["d"]);
});
