/** What becomes of paths that an event told of: files to read, and stored files that are gone. */

import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
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
    "another folder now",
    (root) => {
      rmSync(join(root, "a"), { recursive: true });
      renameSync(join(root, "other"), join(root, "a"));
    },
    { present: ["a/x.py"], gone: ["a/in/y.py"] },
  ],
  [
    "a file now",
    (root) => {
      rmSync(join(root, "a"), { recursive: true });
      writeFileSync(join(root, "a"), "1\n");
    },
    { present: ["a"], gone: ["a/in/y.py", "a/x.py"] },
  ],
  [
    "left out by a rule now",
    (root) => writeFileSync(join(root, ".gitignore"), "/a/\n"),
    { present: [], gone: ["a/in/y.py", "a/x.py"] },
  ],
  [
    "a link now, which may lead to what is stored",
    (root) => {
      mkdirSync(join(root, "b"));
      renameSync(join(root, "a"), join(root, "b/a"));
      symlinkSync("b/a", join(root, "a"));
    },
    { present: [], gone: [] },
  ],
])("knows what is stored of a folder that is %s", async (_, happen, expected) => {
  const root = workspace(FILES);
  const stored = new StoredFiles(new Map(STORED.map((path) => [path, path])));
  happen(root);
  const rules = createIgnoreRules(root, DEFAULTS);
  const found = await classifyChanges(new Set(["a"]), { root, rules, stored, log: silent });
  expect({ present: found.present.toSorted(), gone: found.gone.toSorted() }).toEqual(expected);
});
