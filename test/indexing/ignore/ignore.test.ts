/** Exclusion rules of every source, compared with the results of git. */

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { DEFAULTS } from "../../../server/config/settings.ts";
import type { PartialSettings } from "../../../server/contracts/settings.ts";
import { compilePatterns } from "../../../server/indexing/ignore/ignore-patterns.ts";
import { createIgnoreRules } from "../../../server/indexing/ignore/ignore-rules.ts";
import { random } from "../../support/random.ts";
import { walk } from "../../support/walk.ts";
import { workspace, write } from "../../support/workspace.ts";

/** The exclusion rule of a path, which need not exist. */
const ruleFor = (root: string, path: string, settings: PartialSettings = {}) =>
  createIgnoreRules(root, { ...DEFAULTS, ...settings }).decide(path, "file")?.rule;

describe("ignore rules", () => {
  it("Ignore rules come from every source, and the later source takes precedence", async () => {
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
      ...".cocosearchignore .gitignore .ignore a/.gitignore a/b.tmp dist/x.py".split(" "),
      ..."keep.tmp src/main.py".split(" "),
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

  it("Lock and backup files of Emacs are excluded", async () => {
    const root = workspace(`
//- src/#main.py#
auto-saved
//- src/.#lock.py
locked
//- src/main.py
1
//- src/c#.md
1
`);
    expect((await walk(root)).paths).toEqual(["src/c#.md", "src/main.py"]);
  });

  it("Configured patterns take precedence, except over secret files", async () => {
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
      ".env": "secret file",
      "d.js": "not in indexing.includePatterns",
      gen: 'indexing.excludePatterns "gen/"',
    });
  });

  it("All rules of a source apply in a folder that a stronger source re-includes", () => {
    const root = workspace("//- .gitignore\nout2/\n*.tmp\n//- .cocosearchignore\n!out2/\n");
    expect(ruleFor(root, "out2/a.py")).toBeUndefined();
    expect(ruleFor(root, "out2/a.tmp")).toBe('.gitignore:2 "*.tmp"');
  });

  it("A pattern with a leading slash matches only in the folder of its file", () => {
    const root = workspace("//- .gitignore\n/*.one\n*_six\n*.two\n");
    const rules = createIgnoreRules(root, DEFAULTS);
    const isIgnored = (path: string) => rules.decide(path, "file") !== undefined;
    expect(["a.one", "in/a.one", "a.two", "in/a.two", "a_six"].filter(isIgnored)).toEqual([
      "a.one",
      "a.two",
      "in/a.two",
      "a_six",
    ]);
  });

  it("Built-in rules match files at any depth, and folders by name only", () => {
    const root = workspace();
    expect(ruleFor(root, "a/b/app.min.js")).toBe('built-in excludes "*.min.js"');
    expect(ruleFor(root, "a/app.map/code.py")).toBeUndefined();
    expect(ruleFor(root, "crates/x/target/debug/a.rs")).toBe(
      'built-in excludes "**/target/debug/"',
    );
    expect(ruleFor(root, "src/target/a.rs")).toBeUndefined();
  });

  it("A rule names the source, the line and the pattern", () => {
    const root = workspace("//- a/.gitignore\n\n# images\n/*.tmp\n");
    expect(ruleFor(root, "a/x.tmp")).toBe('a/.gitignore:3 "/*.tmp"');
  });
});

describe("above the workspace", () => {
  it("Rules of a repository apply to a subfolder that is opened", () => {
    const top = workspace(`
//- .git/HEAD
ref: refs/heads/main
//- .git/info/exclude
/packages/app/private/
//- .gitignore
*.tmp
/packages/app/made/
//- packages/.gitignore
!keep.tmp
notes.txt
`);
    const root = join(top, "packages/app");
    mkdirSync(root);
    expect(ruleFor(root, "a.tmp")).toBe('../../.gitignore:1 "*.tmp"');
    expect(ruleFor(root, "made/x.py")).toBe('../../.gitignore:2 "/packages/app/made/"');
    expect(ruleFor(root, "keep.tmp")).toBeUndefined();
    expect(ruleFor(root, "src/notes.txt")).toBe('../.gitignore:2 "notes.txt"');
    expect(ruleFor(root, "private/x.py")).toMatch(/^\.git\/info\/exclude:1/);
    expect(ruleFor(root, "src/main.py")).toBeUndefined();
  });

  it("An excluded folder is indexed when it is opened as the root", () => {
    const top = workspace("//- .git/HEAD\nref: refs/heads/main\n//- .gitignore\nout/\n*.tmp\n");
    const root = join(top, "out");
    mkdirSync(root);
    expect(ruleFor(root, "src/main.py")).toBeUndefined();
    expect(ruleFor(root, "src/a.tmp")).toBe('../.gitignore:2 "*.tmp"');
  });

  it("Ignore files above the root are ignored outside a repository", () => {
    const root = join(workspace("//- .gitignore\n*\n"), "a");
    mkdirSync(root);
    expect(ruleFor(root, "x.py")).toBeUndefined();
  });

  it("A worktree shares the excludes of its repository", () => {
    const top = workspace("//- main/a.py\n");
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
        cwd: join(top, "main"),
        stdio: "ignore",
      });
    git("init");
    git("add", ".");
    git("commit", "-m", "first");
    git("worktree", "add", "../other");
    writeFileSync(join(top, "main/.git/info/exclude"), "*.tmp\n");
    expect(ruleFor(join(top, "other"), "a.tmp")).toBe('.git/info/exclude:1 "*.tmp"');
  });
});

describe("the user's global file", () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    ["git's default place", "//- git/ignore\n*.tmp\n"],
    [
      "core.excludesFile",
      "//- git/config\n[core]\n\texcludesfile = ROOT/mine # why\n//- mine\n*.tmp\n",
    ],
    [
      "core.excludesFile in the home folder",
      "//- git/config\n[core]\n\texcludesfile = ~/mine\n//- mine\n*.tmp\n",
    ],
  ])("is read from %s", (_, literal) => {
    const config = workspace();
    write(config, literal.replace("ROOT", config));
    vi.stubEnv("XDG_CONFIG_HOME", config);
    vi.stubEnv("HOME", config);
    expect(ruleFor(workspace(), "a.tmp")).toBe('global excludes:1 "*.tmp"');
  });
});

describe("linguist attributes", () => {
  it.each([
    ["*.gen.ts linguist-generated", "a/x.gen.ts", true],
    ["*.gen.ts linguist-generated=true diff", "x.gen.ts", true],
    ["lib/** linguist-vendored", "lib/a/b.c", true],
    ["/lib/*.c linguist-vendored", "lib/b.c", true],
    ["/lib/*.c linguist-vendored", "a/lib/b.c", false],
    ["lib linguist-vendored", "lib/b.c", false],
    ["lib/ linguist-vendored", "lib/b.c", false],
    ['"a b.c" linguist-generated', "a b.c", true],
    ["*.c -linguist-generated", "b.c", false],
    ["*.c linguist-generated=false", "b.c", false],
    ["*.c linguist-generated\nb.c -linguist-generated", "b.c", false],
    ["# *.c linguist-generated", "b.c", false],
    ["*.c linguist-language=Java", "b.c", false],
    ["*.map -linguist-generated", "b.map", false],
  ])("%s: %s", (lines, path, isExcluded) => {
    const root = workspace(`//- .gitattributes\n${lines}\n`);
    expect(ruleFor(root, path)?.startsWith(".gitattributes:") ?? false).toBe(isExcluded);
  });

  it("The nearest folder overrides attributes, and ignore files override both", () => {
    const root = workspace(
      "//- .gitattributes\n*.c linguist-vendored\n//- a/.gitattributes\nb.c !linguist-vendored\n//- .cocosearchignore\n!kept.c\n",
    );
    expect(ruleFor(root, "b.c")).toBe('.gitattributes:1 "*.c linguist-vendored"');
    expect(ruleFor(root, "a/b.c")).toBeUndefined();
    expect(ruleFor(root, "kept.c")).toBeUndefined();
  });
});

describe("git", () => {
  /** Covers every source of git, including the global file and info/exclude. */
  it("agrees on 10,000 paths, with negation, escapes, spaces and case", {
    tags: ["slow"],
  }, async ({ annotate }) => {
    const root = workspace();
    const config = workspace("//- git/ignore\n*.rs\n!three.rs\nGAMMA\n/delta/alpha/\n");
    vi.stubEnv("XDG_CONFIG_HOME", config);
    vi.stubEnv("HOME", config);
    onTestFinished(() => void vi.unstubAllEnvs());
    execFileSync("git", ["init", "-q", root]);
    writeFileSync(
      join(root, ".git/info/exclude"),
      "four five.md\n!/alpha/four five.md\nbeta/gamma/\n",
    );
    const paths = generatedTree(root);
    const ignored = ignoredByGit(root, paths);
    const expected = paths.filter((path) => !ignored.has(path)).toSorted();
    const { paths: found } = await walk(root);
    const own = found.filter((path) => !path.endsWith(".gitignore"));
    expect(own.toSorted()).toEqual(expected);
    expect(paths.length).toBeGreaterThan(10_000);
    expect(expected.length).toBeGreaterThan(1_000);
    expect(ignored.size).toBeGreaterThan(1_000);
    await annotate(`${paths.length} paths; git excludes ${ignored.size}`);
  });

  it("agrees on 6,000 paths with unusual patterns", () => {
    const root = workspace();
    execFileSync("git", ["init", "-q", root]);
    const { int, pick } = random(3);
    const some = (from: readonly string[], most: number) =>
      Array.from({ length: 1 + int(most) }, () => pick(from));
    const line = () =>
      [...some(["", "", "", "!"], 1), ...some(ATOMS, 4), ...some(["", "", "", "/"], 1)].join("");
    const paths: string[] = [];
    for (let folder = 0; folder < 200; folder++) {
      mkdirSync(join(root, `${folder}`));
      const lines = Array.from({ length: 3 }, line);
      writeFileSync(join(root, `${folder}`, ".gitignore"), `${lines.join("\n")}\n`);
      for (let i = 0; i < 30; i++) paths.push(`${folder}/${some(NAMES, 3).join("/")}`);
    }
    const ignored = ignoredByGit(root, paths);
    const rules = createIgnoreRules(root, DEFAULTS);
    const wrong = paths.filter(
      (path) => (rules.decide(path, "file") !== undefined) !== ignored.has(path),
    );
    expect(wrong).toEqual([]);
    expect(ignored.size).toBeGreaterThan(300);
  });
});

const ATOMS = [
  ..."a b c ab * ** ? / / [ab] [!a] [a-c] []a] [[:alpha:]] [^b \\a \\* \\[ . .x # ! [ ]".split(" "),
  ..."{a,b} + ( ^ $ | - [a-] [\\]] \\ **/ /** /**/ x.tar.zz *.zz [[:digit:]b]".split(" "),
  " ",
  "a b",
  "\\ ",
];
const NAMES = [
  ..."a b c ab abc a.x b.x x.tar.zz * [ ] # ! a] {a,b} - + ^ 1 \\ $ |".split(" "),
  "a b",
  "a ",
];

it("An invalid pattern matches nothing, and the other lines apply", () => {
  const find = compilePatterns(["[c-a]", "x\\", "[", "b"]);
  expect(find("b", false)?.line).toBe(4);
  for (const path of ["d", "x", "x\\", "["]) expect(find(path, false)).toBeUndefined();
});

function ignoredByGit(root: string, paths: readonly string[]): ReadonlySet<string> {
  const output = execFileSync("git", ["-C", root, "check-ignore", "--no-index", "--stdin", "-z"], {
    input: paths.join("\0"),
    encoding: "utf8",
    maxBuffer: 10_000_000,
  });
  return new Set(output.split("\0"));
}

/** A tree with ignore files at every level, from a fixed seed; returns its other files. */
function generatedTree(root: string): string[] {
  const { pick } = random(7);
  const names = ["alpha", "beta", "gamma", "delta", "Alpha", "a b"];
  const files = [
    "one.py",
    "two.txt",
    "three.rs",
    "four five.md",
    "x#y.c",
    "six.generated",
    "ONE.py",
    "!bang.py",
    "trail ",
    "[odd].py",
  ];
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
    "Alpha/",
    "one.PY",
    "\\!bang.py",
    "trail\\ ",
    "trail ",
    "\\[odd].py",
    "a b/*.txt",
    "!a b/",
    "/*",
    "!/alpha/",
    "**/beta/**",
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
