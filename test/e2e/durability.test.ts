/**
 * One engine serves all clients, and the index survives the engine's death: real processes, real kills.
 * @module-tag slow
 */

import { execFile, execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, expect, it } from "vitest";
import type { Hit } from "../../server/contracts/model.ts";
import type { Session } from "../../server/contracts/session.ts";
import { lockHolder, takeLock } from "../../server/daemon/lock.ts";
import { MAIN, type TestEngine, testEngine } from "../support/engine.ts";
import { eventually } from "../support/eventually.ts";
import { isRunning, startServer, until } from "../support/lsp-client.ts";
import { sampleTree } from "../support/sample-tree.ts";
import { workspace } from "../support/workspace.ts";

const SOURCES = resolve(import.meta.dirname, "../../node_modules/zod/src/v3");

const FILES = readdirSync(SOURCES, { recursive: true, withFileTypes: true }).filter((entry) =>
  entry.isFile(),
).length;

const cleanups: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const ATTIC = "def climb_into_the_attic():\n    return 2\n";

function library(): string {
  const root = workspace();
  cpSync(SOURCES, root, { recursive: true });
  return root;
}

function engine({ isNew = false } = {}): TestEngine {
  const made = testEngine({}, { isNew });
  cleanups.push(() => made.dispose());
  return made;
}

async function indexed(session: Session, root: string): Promise<void> {
  await session.openFolders([root]);
  await session.whenIdle();
}

it("one engine serves editors and commands that start at the same time", async () => {
  const root = library();
  const { env, pid } = engine();
  const servers = Array.from({ length: 4 }, () => startServer(env));
  cleanups.push(() => {
    for (const { child } of servers) child.kill();
  });
  const run = promisify(execFile);
  const commands = Array.from({ length: 6 }, () =>
    run(process.execPath, [MAIN, "search", "parse a string", "--root", root, "--json"], { env }),
  );
  await Promise.all(servers.map((server) => server.initialize(root)));
  for (const { stdout } of await Promise.all(commands)) {
    expect((JSON.parse(stdout) as { hits: unknown[] }).hits.length).toBeGreaterThan(0);
  }
  const pids = servers.map((server) =>
    until("the engine's process", async () => (await server.status()).engine?.pid),
  );
  expect(new Set([await pid(), ...(await Promise.all(pids))]).size).toBe(1);
});

it("a folder that is closed and reopened repeatedly stays open", async () => {
  const root = library();
  const { env } = engine();
  const server = startServer(env);
  cleanups.push(() => void server.child.kill());
  await server.initialize(root);
  const folder = { uri: pathToFileURL(root).href, name: "test" };
  const change = (added: object[], removed: object[]) =>
    server.connection.sendNotification("workspace/didChangeWorkspaceFolders", {
      event: { added, removed },
    });
  for (let i = 0; i < 20; i++) {
    await change([], [folder]);
    await change([folder], []);
    await change([folder], [folder]);
  }
  await until("the index", async () => {
    const { state, indexes } = await server.status();
    return state === "ready" && indexes[0]?.files === FILES;
  });
  await server.searchUntil("parse a string as an email address", () => true);
  expect(await server.shutdown()).toBe(0);
});

/** Importers are counted when the graph is there again, and no search waits for it. */
const uncounted = (hits: readonly Hit[]) => hits.map(({ importers: _importers, ...hit }) => hit);

it("an engine killed during initdb leaves no process behind", async () => {
  const made = engine({ isNew: true });
  // Where the package has no empty database that could be unpacked.
  const draft = `${made.home.data}.new-1`;
  mkdirSync(draft, { recursive: true });
  const program =
    "const [, path, draft] = process.argv; import(path).then((m) => m.initializeDatabase(draft, 60_000));";
  const dataFolder = join(dirname(MAIN), "store/data-folder.js");
  const killed = spawn(process.execPath, ["-e", program, dataFolder, draft]);
  const maker = await until("initdb", () => processOn(draft));
  killed.kill("SIGKILL");
  await until("its end", () => !isRunning(maker));
  expect((await made.session().status()).engine.store).toBe(made.home.data);
  expect(readdirSync(dirname(draft)).filter((name) => name.includes(".new-"))).toEqual([]);
});

/** The process that works on a folder, as its command line says. */
function processOn(folder: string): number | undefined {
  const listed = execFileSync("ps", ["-A", "-ww", "-o", "pid=,args="], { encoding: "utf8" });
  const line = listed.split("\n").find((each) => each.includes(`initdb.js ${folder}`));
  return line === undefined ? undefined : Number.parseInt(line, 10);
}

it("the engine rebuilds a damaged database, reports it, and indexes again", async () => {
  const root = workspace();
  sampleTree(root);
  const damaged = engine();
  const first = damaged.session();
  await indexed(first, root);
  const before = await first.search({ query: "parse a string as an email address" });
  await first.dispose();
  await damaged.left();
  rmSync(join(damaged.home.data, "PG_VERSION"));

  const second = damaged.session();
  const told: string[] = [];
  second.onEvent((event) => {
    if (event.kind === "message") told.push(event.text);
  });
  await indexed(second, root);
  await second.whenIdle();
  const after = await second.search({ query: "parse a string as an email address" });
  expect(uncounted(after.hits)).toEqual(uncounted(before.hits));
  expect(told.join()).toContain("was damaged");
});

/** At once, as the engine may still be writing, and makes parts of its home again. */
function deleteHome(root: string): void {
  renameSync(root, `${root}-deleted`);
  rmSync(`${root}-deleted`, { recursive: true });
}

it("the engine starts its threads and database after its home was deleted", async () => {
  const root = workspace(`//- attic.py\n${ATTIC}`);
  const { session, home } = engine();
  const client = session();
  await client.languages();
  deleteHome(home.root);
  await indexed(client, root);
  const { hits } = await client.search({ query: "climb_into_the_attic" });
  expect(hits[0]?.path).toBe("attic.py");
});

it("one engine indexes again after its home was deleted while the database was open", async () => {
  const root = workspace("//- shop.py\ndef open_the_shop():\n    return 1\n");
  const { session, home } = engine();
  const client = session();
  const told: string[] = [];
  client.onEvent((event) => {
    if (event.kind === "message") told.push(event.text);
  });
  await indexed(client, root);
  const { pid } = (await client.status()).engine;
  deleteHome(home.root);
  writeFileSync(join(root, "attic.py"), ATTIC);
  // Files that the database had open can be written on, so that not the first pass need meet a missing one.
  await eventually(async () => {
    await client.reindex({ full: true });
    await client.whenIdle();
    expect(told.join()).toContain("was deleted while it was in use");
  });
  await client.whenIdle();
  expect((await client.status()).state).toBe("ready");
  const { hits } = await client.search({ query: "climb_into_the_attic" });
  expect(hits[0]?.path).toBe("attic.py");
  await eventually(() => expect(lockHolder(home.lock)).toBe(pid));
});

it("an engine exits if another engine has taken its deleted home", async () => {
  const { session, home } = engine();
  const { pid } = (await session().status()).engine;
  rmSync(home.lock, { recursive: true });
  mkdirSync(home.lock);
  // This process plays another engine: it is alive and holds the lock.
  const taken = takeLock(home.lock);
  cleanups.push(() => taken?.release());
  await eventually(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"));
  expect(lockHolder(home.lock)).toBe(process.pid);
});

it("a relative COCOSEARCH_HOME leads to the same engine", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-relative-"));
  cleanups.push(() => rmSync(folder, { recursive: true }));
  // Deep enough to lead elsewhere from the home itself.
  const home = join(folder, "a/b/c/d/e/home");
  const relatively = testEngine({ COCOSEARCH_HOME: relative(process.cwd(), home) });
  cleanups.push(() => relatively.dispose());
  await expect(relatively.session().status()).resolves.toMatchObject({ state: "no-root" });
  expect(readdirSync(home)).toContain("engine.sock");
});
