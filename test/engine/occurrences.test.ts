/**
 * Every place of a text or a pattern in the real engine: all encodings and line ends, unsaved buffers, excluded files and
 * files outside, the order of the files, and the parts of a list.
 * @module-tag slow
 */

import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { BadRequest } from "../../server/common/errors.ts";
import type { OccurrencesRequest } from "../../server/contracts/occurrences-request.ts";
import type { Session } from "../../server/contracts/session.ts";
import { encode } from "../support/encode.ts";
import { engineInProcess, openedIn, sessionOf } from "../support/engine-in-process.ts";
import { eventually } from "../support/eventually.ts";
import { random } from "../support/random.ts";
import { workspace, write } from "../support/workspace.ts";

const engine = engineInProcess();
afterAll(() => engine.dispose());

function put(root: string, path: string, bytes: Uint8Array | string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), bytes);
}

/** `path:line:column` of every place, in the order of the answer; lines and columns from 1. */
async function placesOf(session: Session, request: OccurrencesRequest): Promise<string[]> {
  const places: string[] = [];
  let cursor: string | undefined;
  do {
    const answer = await session.occurrences(
      cursor === undefined ? request : { ...request, cursor },
    );
    for (const file of answer.files)
      for (const { line, column } of file.places)
        places.push(`${file.path}:${line + 1}:${column + 1}`);
    ({ cursor } = answer);
  } while (cursor !== undefined);
  return places;
}

const CODE = `
//- src/retry.ts
export function retryAfter(failure: Error): number {
  const waited = 1;
  return waited + retryAfterOf(failure);
}
export class Lock {
  async acquireLock() {
    await this.lock();
  }
}
//- src/plain.ts
export const lock = 1;
//- test/retry.test.ts
it("locks", () => expect(retryAfter(new Error("lock"))).toBe(1));
//- README.md
# Locks

A lock is retried.
//- config.yaml
lock: true
`;

it("Counts come first, of all files; definitions are named; product code precedes tests and documents", async () => {
  const session = await openedIn(engine, workspace(CODE));
  const answer = await session.occurrences({ exact: "lock", limit: 2 });
  expect(answer).toMatchObject({
    matches: 6,
    matchingFiles: 5,
    isComplete: true,
    missing: [],
    order: "category",
    state: "ready",
  });
  expect(answer.files.map(({ path, matches }) => `${path} ${matches}`)).toEqual([
    "src/plain.ts 1",
    "src/retry.ts 1",
    "config.yaml 1",
    "test/retry.test.ts 2",
    "README.md 1",
  ]);
  expect(answer.files.flatMap(({ places }) => places)).toMatchObject([
    { line: 0, column: 13, length: 4, text: "export const lock = 1;" },
    {
      line: 6,
      column: 15,
      text: "    await this.lock();",
      definition: { name: "Lock.acquireLock", type: "method", line: 5 },
    },
  ]);
});

it("The parts of a list have every place once, and refuse the cursor of another question", async () => {
  const session = await openedIn(engine, workspace(CODE));
  const whole = await placesOf(session, { pattern: "[lL]ock" });
  expect(whole).toHaveLength(9);
  expect(await placesOf(session, { pattern: "[lL]ock", limit: 2 })).toEqual(whole);
  const { cursor = "" } = await session.occurrences({ pattern: "[lL]ock", limit: 2 });
  const other = session.occurrences({ exact: "lock", limit: 2, cursor });
  await expect(other).rejects.toThrow(/cursor: the cursor of an answer to other parameters/);
  await expect(session.occurrences({ exact: "lock", cursor: "x" })).rejects.toThrow(BadRequest);
});

it("A query beside it orders the files by its ranking", async () => {
  const root = workspace(`
//- src/a.ts
export function paint() {
  return lock;
}
//- src/b.ts
/** Retries after a failure, with a growing delay. */
export function retryAfterFailure() {
  return lock;
}
`);
  const session = await openedIn(engine, root);
  const ordered = async (query?: string) => {
    const { files, order } = await session.occurrences({
      exact: "return lock",
      ...(query === undefined ? {} : { query }),
    });
    return [order, ...files.map(({ path }) => path)];
  };
  expect(await ordered()).toEqual(["category", "src/a.ts", "src/b.ts"]);
  expect(await ordered("retry after failure")).toEqual(["ranking", "src/b.ts", "src/a.ts"]);
  expect(await ordered("retry after failure path:src/a.ts")).toEqual(["ranking", "src/a.ts"]);
});

it("Filters by path and language choose files", async () => {
  const session = await openedIn(engine, workspace(CODE));
  expect(await placesOf(session, { exact: "lock", paths: ["src", "!**/plain.ts"] })).toEqual([
    "src/retry.ts:7:16",
  ]);
  expect(await placesOf(session, { exact: "lock", languages: ["yaml", "md"] })).toEqual([
    "config.yaml:1:1",
    "README.md:3:3",
  ]);
});

it("Every encoding and line end has the lines and columns that an editor shows", async () => {
  const root = workspace();
  const lines = ["int größe = 1; // größe", "", "  größe();"];
  const places = (path: string) => [`${path}:1:5`, `${path}:1:19`, `${path}:3:3`];
  put(root, "crlf.c", lines.join("\r\n"));
  put(root, "cr.c", lines.join("\r"));
  put(root, "lf.c", lines.join("\n"));
  put(root, "bom.c", `\uFEFF${lines.join("\n")}`);
  put(root, "latin.c", Buffer.from(lines.join("\n"), "latin1"));
  put(root, "utf16.c", Buffer.from(`\uFEFF${lines.join("\n")}`, "utf16le"));
  put(root, "cyrillic.c", encode("// вычисляет сумму всех строк таблицы", "windows-1251"));
  put(root, "long.c", `${"x ".repeat(30_000)}größe${" y".repeat(30_000)}\n`);
  const session = await openedIn(engine, root);
  const found = await placesOf(session, { exact: "größe" });
  const names = ["bom.c", "cr.c", "crlf.c", "latin.c", "lf.c", "long.c", "utf16.c"];
  expect(found).toEqual(
    names.flatMap((name) => (name === "long.c" ? ["long.c:1:60001"] : places(name))),
  );
  expect(await placesOf(session, { pattern: "größe$", ignoreCase: true })).toEqual(
    names.filter((name) => name !== "long.c").map((name) => `${name}:1:19`),
  );
  expect(await placesOf(session, { exact: "всех строк" })).toEqual(["cyrillic.c:1:20"]);
  const { files } = await session.occurrences({ exact: "größe", paths: ["long.c"] });
  expect(files[0]?.places[0]?.text).toHaveLength(400);
});

it("The code of notebook cells is searched, with the lines of the file", async () => {
  const root = workspace();
  const source = ["import pool\n", 'pool.open("a")\n'];
  const cell = { cell_type: "code", metadata: {}, outputs: [{ text: "pool output" }], source };
  const notebook = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
  put(root, "a.ipynb", JSON.stringify(notebook, null, 1));
  const session = await openedIn(engine, root);
  const { files } = await session.occurrences({ exact: 'pool.open("a")' });
  expect(files[0]?.places.map(({ text }) => text)).toEqual(['pool.open("a")']);
  expect((await session.occurrences({ exact: "pool output" })).matches).toBe(0);
});

it("An unsaved buffer replaces its file, and a new file is searched before it is saved", async () => {
  const root = workspace(CODE);
  const session = await openedIn(engine, root);
  await session.buffer(
    join(root, "src/plain.ts"),
    "\nexport function unlocked() {\n  lock();\n}\n",
  );
  await session.buffer(join(root, "src/new.ts"), "lock\n");
  const files = await eventually(async () => {
    const found = (await session.occurrences({ exact: "lock", paths: ["src"] })).files;
    // The definitions of the old text would be wrong: there are none until the new text is parsed.
    expect(found[1]?.places[1]).toMatchObject({ line: 2, definition: { name: "unlocked" } });
    return found;
  });
  expect(files.map(({ path, isUnsaved, places }) => [path, isUnsaved, places.length])).toEqual([
    ["src/new.ts", true, 1],
    ["src/plain.ts", true, 2],
    ["src/retry.ts", undefined, 1],
  ]);
  await session.buffer(join(root, "src/plain.ts"), undefined);
  await session.buffer(join(root, "src/new.ts"), undefined);
  expect(await placesOf(session, { exact: "lock", paths: ["src"] })).toEqual([
    "src/plain.ts:1:14",
    "src/retry.ts:7:16",
  ]);
});

it("Files are searched as they are now; their definitions are of the same text or missing", async () => {
  const root = workspace(CODE);
  const session = await openedIn(engine, root);
  await session.pause();
  put(root, "src/retry.ts", "\n\n\n\n\nawait this.lock();\n");
  const changed = await session.occurrences({ exact: "this.lock", paths: ["src"] });
  expect(changed.files[0]?.places).toEqual([
    { line: 5, column: 6, length: 9, text: "await this.lock();" },
  ]);
  rmSync(join(root, "src/retry.ts"));
  expect((await session.occurrences({ exact: "this.lock" })).matches).toBe(0);
  await session.resume();
});

it("Excluded, large and unreadable files are named, and nothing outside of the root is read", async () => {
  const outside = workspace("//- secret.ts\nlock outside\n");
  const root = workspace(`${CODE}
//- .gitignore
build/
//- build/out.ts
lock
//- cocosearch.yaml
indexing:
  maxFileBytes: 2000
`);
  write(root, `//- src/grown.ts\nlock\n//- src/closed.ts\nlock\n`);
  put(root, "src/large.ts", "// lock\n".repeat(500));
  symlinkSync(join(outside, "secret.ts"), join(root, "src/link.ts"));
  const session = await openedIn(engine, root);
  await session.pause();
  put(root, "src/grown.ts", "// lock\n".repeat(500));
  rmSync(join(root, "src/closed.ts"));
  symlinkSync(join(outside, "secret.ts"), join(root, "src/closed.ts"));
  const answer = await session.occurrences({ exact: "lock", paths: ["src", "build"] });
  expect(answer.files.map(({ path }) => path)).toEqual(["src/plain.ts", "src/retry.ts"]);
  expect(answer.isComplete).toBe(false);
  const byReason = new Map(answer.missing.map((each) => [each.reason, each]));
  expect(byReason.get("too large")).toMatchObject({ files: 2 });
  expect(byReason.get("too large")?.examples.toSorted()).toEqual(["src/grown.ts", "src/large.ts"]);
  expect(byReason.get("unreadable")?.examples).toEqual(["src/closed.ts"]);
  expect(byReason.get("excluded")?.examples.some((path) => path.startsWith("build"))).toBe(true);
  await session.resume();
});

it.skipIf(process.getuid?.() === 0)("A file that cannot be read is named", async () => {
  const root = workspace(CODE);
  const session = await openedIn(engine, root);
  await session.pause();
  chmodSync(join(root, "src/plain.ts"), 0);
  const { missing } = await session.occurrences({ exact: "lock" });
  expect(missing).toEqual([{ reason: "unreadable", files: 1, examples: ["src/plain.ts"] }]);
  await session.resume();
});

it("A secret is neither shown nor confirmed", async () => {
  const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  const root = workspace(`//- a.ts\nconst token = "${secret}"; // lock\n`);
  const session = await openedIn(engine, root);
  expect((await session.occurrences({ exact: secret })).matches).toBe(0);
  expect((await session.occurrences({ pattern: "ghp_[a-z]" })).matches).toBe(0);
  const { files } = await session.occurrences({ exact: "lock" });
  expect(files[0]?.places[0]?.text).toContain("****");
  expect(JSON.stringify(files)).not.toContain(secret);
});

it("A long scan reports how many files it has searched, under the name of the request", async () => {
  // Each match is looked for up to the end of the line, so that this file takes longer than a slice.
  const line = "a".repeat(20_000);
  const root = workspace(`//- a.txt\n${line}\n//- b.txt\na\n//- c.txt\na\n`);
  const session = await openedIn(engine, root);
  const reports: unknown[] = [];
  session.onEvent((event) => {
    if (event.kind === "searched") reports.push(event);
  });
  const request = { pattern: "a.*b|a", paths: ["*.txt"], limit: 1 };
  const answer = await session.occurrences({ ...request, reportAs: "mine" });
  expect(answer).toMatchObject({ matches: 20_002, isComplete: true });
  expect(reports).toEqual([{ kind: "searched", reportAs: "mine", searched: 1, total: 3 }]);
});

it("A cancelled request ends, and the next one is answered", async () => {
  const session = await openedIn(engine, workspace(CODE));
  const controller = new AbortController();
  controller.abort(new Error("enough"));
  await expect(session.occurrences({ exact: "lock" }, controller.signal)).rejects.toThrow("enough");
  expect((await session.occurrences({ exact: "lock" })).matches).toBe(6);
});

it("An invalid pattern is an error with a remedy, without folders too", async () => {
  const session = await openedIn(engine);
  await expect(session.occurrences({ pattern: "a(?=b)" })).rejects.toThrow(
    /^pattern: invalid or unsupported Perl syntax: `\(\?=`; the syntax is that of RE2/,
  );
});

/** Words, pieces, text beyond ASCII and simple patterns, drawn from the text of the files. */
function drawn(text: string, count: number): OccurrencesRequest[] {
  const { int, pick } = random(11);
  const lines = text.split("\n").filter((line) => /\S/.test(line));
  const escape = (part: string) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return Array.from({ length: count }, (_, i): OccurrencesRequest => {
    const line = pick(lines);
    const start = int(line.length);
    const piece = line.slice(start, start + 1 + int(8));
    const word = pick(line.match(/\w+/g) ?? ["lock"]);
    if (i % 3 === 0 || !/\S/.test(piece)) return { exact: word };
    return i % 3 === 1
      ? { exact: piece }
      : { pattern: `${escape(word)}[a-z]*( |${escape(pick(lines).slice(0, 3))})` };
  });
}

it("Places of drawn texts and patterns are on the lines that `git grep` finds", async () => {
  const files: Record<string, string> = {
    "a.ts":
      'export const größe = "ß→ü"; // size: (größe)\nfunction lock(a: number) {\n  return a;\n}\n',
    "b.py": "def lock(self):\n    return self.größe[0] * 2  # über\n\n\ndef unlock(): pass\n",
    "c.md": "# Größe\n\nThe lock (of a door) is über-safe → 100 %.\n",
  };
  const root = workspace();
  for (const [path, text] of Object.entries(files)) put(root, path, text);
  const session = await openedIn(engine, root);
  for (const request of drawn(Object.values(files).join(""), 60)) {
    const { exact, pattern = "" } = request;
    const flags = exact === undefined ? ["-E", "-e", pattern] : ["-F", "-e", exact];
    const args = ["grep", "--no-index", "-n", "-a", ...flags, "--", ...Object.keys(files)];
    const env = { ...process.env, LC_ALL: "C.UTF-8" };
    const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8", env });
    // git ends with 1 without a match.
    expect([0, 1]).toContain(status);
    const lines = stdout.split("\n").filter((line) => line !== "");
    const expected = lines.map((line) => line.split(":", 2).join(":"));
    const found = (await placesOf(session, request)).map((place) => place.replace(/:\d+$/, ""));
    expect([request, [...new Set(found)].toSorted()]).toEqual([request, expected.toSorted()]);
  }
});

it("Linked indexes are searched, open or not, and indexes can be named", async () => {
  const [own, linked] = [
    workspace(CODE),
    workspace("//- b.py\ndef locked():\n    lock()\n//- é.py\n"),
  ];
  put(linked, "latin.py", Buffer.from("# lock für größere Schlösser\n", "latin1"));
  const other = await openedIn(engine, linked);
  const name = (await other.list()).find(({ root }) => root === linked)?.name ?? "";
  const session = sessionOf(engine);
  await session.configure({ linkedIndexes: [name] });
  await session.openFolders([own]);
  await session.whenIdle();
  const linkedOf = async (request: OccurrencesRequest) => {
    const { files, warnings } = await session.occurrences(request);
    const found = files.filter(({ root }) => root === linked);
    return { found: found.map(({ path, matches }) => `${path} ${matches}`), warnings, files };
  };
  expect(await linkedOf({ exact: "lock" })).toMatchObject({
    found: ["b.py 2", "latin.py 1"],
    warnings: [],
  });
  await other.openFolders([]);
  await engine.engine.freeMemory();
  const { found, warnings, files: stored } = await linkedOf({ exact: "lock" });
  expect(warnings).toEqual([
    `index "${name}" is not open: files that were added to ${linked} since it was indexed were not searched`,
  ]);
  expect(found).toEqual(["b.py 2", "latin.py 1"]);
  expect(stored.find(({ path }) => path === "b.py")?.places[0]).toMatchObject({
    line: 0,
    column: 4,
    definition: { name: "locked" },
  });
  const { files } = await session.occurrences({ exact: "für größere", indexes: [name] });
  expect(files.map(({ path, places }) => [path, places[0]?.column])).toEqual([["latin.py", 7]]);
  await expect(session.occurrences({ exact: "lock", indexes: ["nowhere"] })).rejects.toThrow(
    'indexes: no index is named "nowhere"',
  );
  rmSync(linked, { recursive: true });
  const gone = await session.occurrences({ exact: "lock" });
  expect(gone.files.some(({ root }) => root === linked)).toBe(false);
  expect(gone.warnings).toEqual([
    `index "${name}" was not searched: it is of ${linked}, which is gone`,
  ]);
});

it("Folders of version control are not named in `missing`", async () => {
  const root = workspace(`${CODE}
//- .gitignore
build/
//- build/out.ts
lock
//- bare/HEAD
ref: refs/heads/main
//- bare/objects/x
//- bare/refs/x
//- .git/HEAD
ref: refs/heads/main
//- nested/.git
gitdir: ../elsewhere
//- nested/a.ts
lock
`);
  const session = await openedIn(engine, root);
  const { missing } = await session.occurrences({ exact: "lock" });
  expect(missing).toEqual([{ reason: "excluded", files: 1, examples: ["build"] }]);
});
