/**
 * Starts from snapshots of lanes and edges: same answers, and outdated or damaged snapshots are dropped.
 * @module-tag slow
 */

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLog } from "../../../server/common/log.ts";
import type { Session } from "../../../server/contracts/session.ts";
import { createEngine } from "../../../server/engine/engine.ts";
import { copyEmptyDatabase } from "../../support/empty-database.ts";
import { sampleTree } from "../../support/sample-tree.ts";

const QUESTIONS = ["parse a string as an email address", "ZodError", "union of types", "isAsync"];
const folder = mkdtempSync(join(tmpdir(), "cocosearch-lanes-"));
const data = join(folder, "home", "postgres");
const lanes = join(folder, "home", "lanes", "tree.lanes");
const edges = join(folder, "home", "edges", "tree.edges");
const root = join(folder, "tree");
const backup = join(folder, "backup");
let expected: unknown;

/** The log entries of one engine, from start to end. */
async function visit<T>(
  run: (session: Session) => Promise<T>,
  build = "1",
): Promise<{ found: T; messages: string[] }> {
  const messages: string[] = [];
  const log = createLog((line) => {
    const entry = JSON.parse(line) as { message: string; why?: string; isEarly?: boolean };
    const { message, why = "", isEarly } = entry;
    messages.push(`${message} ${why}`.trim());
    if (isEarly === true) messages.push(EARLY);
  }, "debug");
  const engine = createEngine({ data, logFile: "", log, version: "1.0.0", build, workers: 1 });
  try {
    const session = engine.session();
    await session.openFolders([root]);
    return { found: await run(session), messages };
  } finally {
    await engine.close();
  }
}

async function answers(session: Session): Promise<unknown> {
  await session.whenIdle();
  const lists = [];
  for (const query of QUESTIONS) {
    const { hits } = await session.search({ query, limit: 20 });
    // Importers are counted in the background; no search waits for them.
    lists.push(hits.map(({ importers: _importers, ...hit }) => hit));
  }
  return lists;
}

const restore = () => {
  rmSync(join(folder, "home"), { recursive: true, force: true });
  cpSync(backup, join(folder, "home"), { recursive: true });
};

beforeAll(async () => {
  sampleTree(root);
  mkdirSync(join(folder, "home"));
  copyEmptyDatabase(data);
  ({ found: expected } = await visit(answers));
  cpSync(join(folder, "home"), backup, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

const EARLY = "they were read while the database was being opened";
const READ = "lanes were loaded from a snapshot";
const STORED = "a snapshot of lanes was saved";

it("Snapshots are saved at the end, loaded at the next start, and not saved again", async () => {
  restore();
  expect(existsSync(lanes)).toBe(true);
  const { found, messages } = await visit(answers);
  expect(found).toEqual(expected);
  expect(messages).toContain(READ);
  expect(messages).toContain(EARLY);
  expect(messages).not.toContain(STORED);
});

it("Answers from the chunks equal answers from a snapshot", async () => {
  restore();
  rmSync(lanes);
  const { found, messages } = await visit(answers);
  expect(found).toEqual(expected);
  expect(messages).not.toContain(READ);
  expect(messages).toContain(STORED);
});

// array-file.test.ts has the other kinds of damage.
it.each<[string, () => void]>([
  ["is of another layout", () => writeFileSync(lanes, "cocosearch arrays 0\n and so on")],
  [
    "has another byte",
    () => {
      const bytes = readFileSync(lanes);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      writeFileSync(lanes, bytes);
    },
  ],
])("A snapshot that %s is dropped with one log entry", async (_, damage) => {
  restore();
  damage();
  const { found, messages } = await visit(answers);
  expect(found).toEqual(expected);
  expect(messages.filter((line) => line.includes("was dropped"))).toHaveLength(1);
  expect(messages).not.toContain(READ);
  expect(messages).toContain(STORED);
});

it("A snapshot of another build is not loaded", async () => {
  restore();
  const { found, messages } = await visit(answers, "2");
  expect(found).toEqual(expected);
  expect(messages).not.toContain(READ);
});

it("A snapshot older than the last commit is not loaded", async () => {
  restore();
  const old = readFileSync(lanes);
  writeFileSync(join(root, "new.ts"), "export function zebraCrossing() {\n  return 1;\n}\n");
  await visit((session) => session.whenIdle());
  writeFileSync(lanes, old);
  try {
    const { found, messages } = await visit(async (session) => {
      await session.whenIdle();
      return (await session.search({ query: "zebraCrossing" })).hits.map(({ path }) => path);
    });
    expect(messages).not.toContain(READ);
    expect(found[0]).toBe("new.ts");
  } finally {
    rmSync(join(root, "new.ts"));
  }
});

it("Changes between two runs are found", async () => {
  restore();
  writeFileSync(join(root, "new.ts"), "export function zebraCrossing() {\n  return 1;\n}\n");
  try {
    const { found, messages } = await visit(async (session) => {
      await session.whenIdle();
      return (await session.search({ query: "zebraCrossing" })).hits.map(({ path }) => path);
    });
    expect(messages).toContain(READ);
    expect(messages).toContain(STORED);
    expect(found[0]).toBe("new.ts");
  } finally {
    rmSync(join(root, "new.ts"));
  }
});

it("Drafts of killed processes are deleted, and snapshots with their index", async () => {
  restore();
  rmSync(lanes);
  writeFileSync(`${lanes}.new-1`, "half of it");
  await visit(async (session) => {
    await session.whenIdle();
    expect(readdirSync(join(folder, "home", "lanes"))).toEqual([]);
  });
  expect(readdirSync(join(folder, "home", "lanes"))).toEqual(["tree.lanes"]);
  await visit(async (session) => {
    await session.whenIdle();
    await session.clear("tree");
  });
  expect(readdirSync(join(folder, "home", "lanes"))).toEqual([]);
});

it.each<[string, (file: string) => void]>([
  ["as it was stored", () => undefined],
  ["damaged", (file) => truncateSync(file, 1_000)],
])("Answers use stored edges of the graph, %s", async (how, damage) => {
  restore();
  rmSync(edges, { force: true });
  const related = async (session: Session) => {
    await session.whenIdle();
    return await session.related({ path: "types.ts", direction: "importedBy" });
  };
  const { found: first, messages: before } = await visit(related);
  expect(first.files.length).toBeGreaterThan(1);
  expect(before).toContain("a snapshot of edges was saved");
  damage(edges);
  const { found, messages } = await visit(related);
  expect(found).toEqual(first);
  const isWhole = how !== "damaged";
  expect(messages.includes("edges were loaded from a snapshot")).toBe(isWhole);
  expect(messages.includes("a snapshot of edges was saved")).toBe(!isWhole);
});

it("The engine works without snapshots in an unwritable folder", async () => {
  restore();
  rmSync(join(folder, "home", "lanes"), { recursive: true });
  writeFileSync(join(folder, "home", "lanes"), "not a folder");
  const { found, messages } = await visit(answers);
  expect(found).toEqual(expected);
  expect(messages.some((line) => line.startsWith("a snapshot of lanes was not saved"))).toBe(true);
});
