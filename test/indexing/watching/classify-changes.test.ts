/** Classification of changed paths: files to read, and stored files that are gone. */

import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { silent } from "../../../server/common/log.ts";
import { DEFAULTS } from "../../../server/config/settings.ts";
import { createIgnoreRules } from "../../../server/indexing/ignore/ignore-rules.ts";
import { StoredFiles } from "../../../server/indexing/stored-files.ts";
import { classifyChanges } from "../../../server/indexing/watching/classify-changes.ts";
import { workspace } from "../../support/workspace.ts";

const FILES = "//- a/x.py\n1\n//- a/in/y.py\n1\n//- ab/z.py\n1\n//- other/x.py\n2\n";
const STORED = ["a/x.py", "a/in/y.py", "ab/z.py"];

it.each<[string, (root: string) => void, { present: string[]; gone: string[] }]>([
  ["touched", () => undefined, { present: ["a/in/y.py", "a/x.py"], gone: [] }],
  [
    "deleted",
    (root) => rmSync(join(root, "a"), { recursive: true }),
    { present: [], gone: ["a/in/y.py", "a/x.py"] },
  ],
  [
    "replaced by a folder",
    (root) => {
      rmSync(join(root, "a"), { recursive: true });
      renameSync(join(root, "other"), join(root, "a"));
    },
    { present: ["a/x.py"], gone: ["a/in/y.py"] },
  ],
  [
    "replaced by a file",
    (root) => {
      rmSync(join(root, "a"), { recursive: true });
      writeFileSync(join(root, "a"), "1\n");
    },
    { present: ["a"], gone: ["a/in/y.py", "a/x.py"] },
  ],
  [
    "excluded by a new rule",
    (root) => writeFileSync(join(root, ".gitignore"), "/a/\n"),
    { present: [], gone: ["a/in/y.py", "a/x.py"] },
  ],
  [
    "replaced by a link to an indexed path",
    (root) => {
      mkdirSync(join(root, "b"));
      renameSync(join(root, "a"), join(root, "b/a"));
      symlinkSync("b/a", join(root, "a"));
    },
    { present: [], gone: ["a/in/y.py", "a/x.py"] },
  ],
  [
    "replaced by a link to an excluded folder",
    (root) => {
      mkdirSync(join(root, "dist"));
      renameSync(join(root, "a"), join(root, "dist/a"));
      rmSync(join(root, "dist/a/in"), { recursive: true });
      symlinkSync("dist/a", join(root, "a"));
    },
    { present: ["a/x.py"], gone: ["a/in/y.py"] },
  ],
  [
    "replaced by a link out of the workspace",
    (root) => {
      rmSync(join(root, "a"), { recursive: true });
      symlinkSync(workspace("//- x.py\n1\n"), join(root, "a"));
    },
    { present: [], gone: ["a/in/y.py", "a/x.py"] },
  ],
])("The stored files of a folder are classified if it is %s", async (_, happen, expected) => {
  const root = workspace(FILES);
  happen(root);
  expect(await classified(root, ["a"], STORED)).toEqual(expected);
});

describe("A link is classified as by discovery:", () => {
  const LEFT_OUT =
    "//- .gitignore\nbuild/\n//- build/gen.py\n1\n//- build/lib/z.py\n1\n//- x.py\n1\n";

  it.each<
    [string, Record<string, string>, string[], string[], { present?: string[]; gone?: string[] }]
  >([
    ["new", { "link.py": "build/gen.py" }, ["link.py"], [], { present: ["link.py"] }],
    ["stored", { "link.py": "build/gen.py" }, ["link.py"], ["link.py"], { present: ["link.py"] }],
    [
      "the second link to a file",
      { "a.py": "build/gen.py", "b.py": "build/gen.py" },
      ["b.py"],
      ["a.py"],
      {},
    ],
    [
      "a link that sorts before the stored one",
      { "a.py": "build/gen.py", "b.py": "build/gen.py" },
      ["a.py"],
      ["b.py"],
      { present: ["a.py"], gone: ["b.py"] },
    ],
    ["a folder", { lib: "build/lib" }, ["lib"], [], { present: ["lib/z.py"] }],
    ["on the way", { lib: "build/lib" }, ["lib/z.py"], [], { present: ["lib/z.py"] }],
    [
      "a link on the path of a stored file",
      { lib: "build/lib" },
      ["lib/z.py"],
      ["lib/z.py"],
      { present: ["lib/z.py"] },
    ],
    [
      "a link to an indexed file",
      { "link.py": "x.py" },
      ["link.py"],
      ["link.py"],
      { present: ["x.py"], gone: ["link.py"] },
    ],
    ["left out itself", { dist: "build/lib" }, ["dist", "dist/z.py"], [], {}],
    ["to nothing now", { "link.py": "gone.py" }, ["link.py"], ["link.py"], { gone: ["link.py"] }],
    ["to itself", { "link.py": "link.py" }, ["link.py"], ["link.py"], { gone: ["link.py"] }],
    ["to the whole", { all: "." }, ["all"], [], {}],
  ])("%s", async (_, links, changed, stored, { present = [], gone = [] }) => {
    const root = workspace(LEFT_OUT);
    for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path));
    expect(await classified(root, changed, stored)).toEqual({ present, gone });
  });

  it("links in a new folder are classified", async () => {
    const root = workspace(LEFT_OUT);
    symlinkSync("build/gen.py", join(root, "link.py"));
    mkdirSync(join(root, "new"));
    symlinkSync("../build/gen.py", join(root, "new/link.py"));
    symlinkSync("../build/lib", join(root, "new/lib"));
    expect(await classified(root, ["new"], [])).toEqual({ present: ["new/lib/z.py"], gone: [] });
  });

  it("links to secrets, into version control and out of the workspace are excluded", async () => {
    const root = workspace("//- .env\nKEY=1\n//- .git/hooks/x.py\n1\n");
    const links = {
      "env.py": ".env",
      "git.py": ".git/hooks/x.py",
      "out.py": workspace("//- x.py\n1\n"),
    };
    for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path));
    const stored = [...Object.keys(links), "out.py/x.py"];
    expect(await classified(root, stored, stored)).toEqual({ present: [], gone: stored });
  });

  it("a path through a link to a folder changes the real file", async () => {
    const root = workspace("//- v2/x.py\n1\n");
    symlinkSync("v2", join(root, "current"));
    const changed = ["current/x.py", "current/gone.py"];
    const found = await classified(root, changed, ["v2/x.py", "v2/gone.py"]);
    expect(found).toEqual({ present: ["v2/x.py"], gone: ["v2/gone.py"] });
  });
});

async function classified(root: string, changed: readonly string[], files: readonly string[]) {
  const stored = new StoredFiles(new Map(files.map((path) => [path, path])));
  const rules = createIgnoreRules(root, DEFAULTS);
  const found = await classifyChanges(new Set(changed), { root, rules, stored, log: silent });
  return { present: found.present.toSorted(), gone: found.gone.toSorted() };
}
