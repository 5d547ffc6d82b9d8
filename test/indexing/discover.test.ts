/** What belongs into an index: ignore rules against git's own answers, links, odd names, and why a path is left out. */

import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DEFAULTS } from "../../server/config.ts";
import { discover } from "../../server/indexing/discover.ts";
import { createIgnoreRules } from "../../server/indexing/ignore-rules.ts";
import type { LeftOut } from "../../server/model.ts";
import { workspace, write } from "../support/workspace.ts";

async function walk(root: string, settings = {}) {
  const rules = createIgnoreRules(root, { ...DEFAULTS, ...settings });
  const paths: string[] = [];
  const leftOut: LeftOut[] = [];
  for await (const { path } of discover(root, rules, { leftOut: (file) => leftOut.push(file) })) {
    paths.push(path);
  }
  return { paths, rules: Object.fromEntries(leftOut.map(({ path, rule }) => [path, rule])) };
}

describe("ignore rules", () => {
  it("come from every source, and the later one wins", async () => {
    const root = workspace(`
//- .gitignore
*.tmp
/build
!keep.tmp
//- .git/info/exclude
private/
//- .ignore
notes.txt
//- .cocosearchignore
!dist/
//- a/.gitignore
!b.tmp
c.py
//- a/b.tmp
//- a/c.py
//- a/d.tmp
//- build/x.py
//- dist/x.py
//- keep.tmp
//- notes.txt
//- private/x.py
//- src/package-lock.json
//- src/main.py
//- src/node_modules/x/index.js
`);
    const { paths, rules } = await walk(root);
    expect(paths).toEqual([
      ".cocosearchignore",
      ".gitignore",
      ".ignore",
      "a/.gitignore",
      "a/b.tmp",
      "dist/x.py",
      "keep.tmp",
      "src/main.py",
    ]);
    expect(rules).toMatchObject({
      "a/c.py": 'a/.gitignore:2 "c.py"',
      "a/d.tmp": '.gitignore:1 "*.tmp"',
      build: '.gitignore:2 "/build"',
      "notes.txt": '.ignore:1 "notes.txt"',
      private: '.git/info/exclude:1 "private/"',
      "src/node_modules": 'built-in excludes "node_modules/"',
      "src/package-lock.json": 'built-in excludes "package-lock.json"',
    });
  });

  it("obey the configured patterns last, and secrets never come back", async () => {
    const root = workspace(`
//- .cocosearchignore
!.env
//- .env
KEY=1
//- a.py
//- b.py
//- gen/c.py
//- d.js
`);
    const { paths, rules } = await walk(root, {
      "indexing.excludePatterns": ["gen/", "!.env"],
      "indexing.includePatterns": ["*.py", ".env"],
    });
    expect(paths).toEqual(["a.py", "b.py"]);
    expect(rules).toMatchObject({
      ".env": "a file of secrets",
      "d.js": "not in indexing.includePatterns",
      gen: 'indexing.excludePatterns "gen/"',
    });
  });

  it("agree with git on thousands of paths", async () => {
    const root = workspace();
    execFileSync("git", ["init", "-q", root]);
    const paths = generatedTree(root);
    const git = execFileSync("git", ["-C", root, "check-ignore", "--no-index", "--stdin", "-z"], {
      input: paths.join("\0"),
      encoding: "utf8",
    });
    const ignored = new Set(git.split("\0"));
    const expected = paths.filter((path) => !ignored.has(path)).toSorted();
    const { paths: found } = await walk(root);
    const own = found.filter((path) => !path.endsWith(".gitignore"));
    expect(own.toSorted()).toEqual(expected);
    expect(expected.length).toBeGreaterThan(500);
    expect(ignored.size).toBeGreaterThan(500);
  });
});

/** A tree with ignore files at every level, from a fixed seed; returns its other files. */
function generatedTree(root: string): string[] {
  let state = 7;
  const pick = <T>(from: readonly T[]): T => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return from[Math.floor((state / 2_147_483_648) * from.length)] as T;
  };
  const names = ["alpha", "beta", "gamma", "delta"];
  const files = ["one.py", "two.txt", "three.rs", "four five.md", "x#y.c", "six.generated"];
  const rules = [
    "*.txt",
    "!two.txt",
    "beta/",
    "/gamma",
    "**/delta/*.rs",
    "*.generated",
    "!six.generated",
    "alpha/**/one.py",
    "four five.md",
    "x\\#y.c",
    "# a comment",
    "",
    "gamma/*",
    "!gamma/one.py",
    "tr*.rs",
    "[ot]*.py",
    "/alpha/beta/",
    "delta",
    "!delta/",
    "two.txt   ",
  ];
  const paths: string[] = [];
  const fill = (folder: string, depth: number) => {
    mkdirSync(join(root, folder), { recursive: true });
    if (pick([true, false, false])) {
      const lines = Array.from({ length: 4 }, () => pick(rules)).join("\n");
      writeFileSync(join(root, folder, ".gitignore"), `${lines}\n`);
    }
    for (const file of files) {
      const path = folder === "" ? file : `${folder}/${file}`;
      writeFileSync(join(root, path), "x");
      paths.push(path);
    }
    if (depth < 4)
      for (const name of names) fill(folder === "" ? name : `${folder}/${name}`, depth + 1);
  };
  fill("", 0);
  return paths;
}

describe("links", () => {
  it("are followed inside the root, once, and never out of it", async () => {
    const outside = workspace("//- secret.py\n");
    const root = workspace("//- a/x.py\n//- build-output/y.py\n//- .gitignore\nbuild-output\n");
    symlinkSync(join(root, "a"), join(root, "again"));
    symlinkSync(root, join(root, "a", "loop"));
    symlinkSync(outside, join(root, "out"));
    symlinkSync(join(outside, "secret.py"), join(root, "out.py"));
    symlinkSync(join(root, "missing"), join(root, "nowhere"));
    symlinkSync(join(root, "build-output"), join(root, "linked"));
    const { paths, rules } = await walk(root);
    expect(paths).toEqual([".gitignore", "a/x.py", "linked/y.py"]);
    expect(rules).toMatchObject({
      again: "a link to what is indexed",
      "a/loop": "a link out of the workspace",
      out: "a link out of the workspace",
      "out.py": "a link out of the workspace",
      nowhere: "a link that leads nowhere",
    });
  });
});

describe("odd trees", () => {
  it("are walked in order, whatever the names", async () => {
    const root = workspace();
    const names = [
      "it's.py",
      'a "quote".py',
      "new\nline.py",
      "😀.py",
      " lead.py",
      "ünï.py",
      "-x.py",
    ];
    for (const name of names) writeFileSync(join(root, name), "x");
    const { paths } = await walk(root);
    expect(paths).toEqual(names.toSorted());
  });

  it("skip a name that is not UTF-8", async () => {
    const root = workspace("//- ok.py\n");
    writeFileSync(Buffer.concat([Buffer.from(`${root}/bad-`), Buffer.from([0xff, 0xfe])]), "x");
    const { paths, rules } = await walk(root);
    expect(paths).toEqual(["ok.py"]);
    expect(Object.values(rules)).toEqual(["a name that is not UTF-8"]);
  });

  it("end when they are cancelled", async () => {
    const root = workspace("//- a/b.py\n");
    const rules = createIgnoreRules(root, DEFAULTS);
    const walking = discover(root, rules, { signal: AbortSignal.abort() });
    await expect(walking.next()).rejects.toThrow("aborted");
  });

  it("are walked below one folder when that is what changed", async () => {
    const root = workspace("//- .gitignore\nout/\n//- a/x.py\n//- b/y.py\n//- out/z.py\n");
    const rules = createIgnoreRules(root, DEFAULTS);
    const below = async (under: string) => {
      const paths: string[] = [];
      for await (const { path } of discover(root, rules, { under })) paths.push(path);
      return paths;
    };
    expect(await below("b")).toEqual(["b/y.py"]);
    expect(await below("out")).toEqual([]);
  });

  it("are read again when a rule changes", () => {
    const root = workspace("//- .gitignore\n*.py\n");
    const rules = createIgnoreRules(root, DEFAULTS);
    expect(rules.decide("a.py", false)).toEqual({ rule: '.gitignore:1 "*.py"' });
    write(root, "//- .gitignore\n*.js\n");
    rules.refresh();
    expect(rules.decide("a.py", false)).toBeUndefined();
  });
});
