/** The command line as a user has it: real processes, a real engine, a workspace on disk. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hit } from "../../server/contracts/model.ts";
import { isLocked } from "../../server/daemon/lock.ts";
import { MAIN, type TestEngine, testEngine } from "../support/engine.ts";
import { startServer } from "../support/lsp-client.ts";
import { workspace, write } from "../support/workspace.ts";

const SHOP = `
//- .git/HEAD
ref: refs/heads/main
//- .gitignore
dist/
//- src/pool.py
"""Connections to the database."""

class Pool:
    def open_connection(self, url):
        """Opens a connection, and waits when all of them are busy."""
        return self.wait_for_free_slot(url)
//- src/mail.go
package mail

// SendReceipt mails the customer what was bought.
func SendReceipt(order Order) error {
	return smtp.Send(order.Customer, render(order))
}
//- dist/bundle.js
function openConnection() {}
//- odd 'name'\u{1f642}.md
# Refunds
Money goes back within ten days.
`;

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

let engine: TestEngine;
/** Indexed before the tests, and only read by them. */
let shop = "";

beforeAll(async () => {
  engine = testEngine({ COCOSEARCH_ENGINE_IDLE_SECONDS: "2" });
  shop = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch-shop-")));
  write(shop, SHOP);
  await coco(["index"]);
});

afterAll(async () => {
  await engine.dispose();
  rmSync(shop, { recursive: true });
});

interface Circumstances {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Done to the process once it has been started. */
  readonly started?: (child: ChildProcess) => unknown;
}

/** Runs the program, in the indexed workspace by default, and waits for it to exit. */
async function coco(args: readonly string[], circumstances: Circumstances = {}): Promise<Outcome> {
  const { cwd = shop, env = engine.env, started } = circumstances;
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env });
  const chunks = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => void (chunks.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => void (chunks.err += text));
  const closed = once(child, "close");
  await started?.(child);
  const [code] = (await closed) as [number];
  return { code, ...chunks };
}

const hitsOf = ({ out }: Outcome): Hit[] => (JSON.parse(out) as { hits: Hit[] }).hits;

describe("a workspace that was never indexed", () => {
  it("has no state, and `status` does not index it", async () => {
    const cwd = workspace(SHOP);
    expect(await coco(["status"], { cwd })).toMatchObject({ code: 1, out: "" });
    const { out } = await coco(["list"]);
    expect(out).not.toContain(cwd);
  });

  it("is indexed by the first search, also from a folder inside it", async () => {
    const cwd = join(workspace(SHOP), "src");
    const { code, out } = await coco(["search", "where", "is", "a", "connection", "opened"], {
      cwd,
    });
    expect(code).toBe(0);
    expect(out).toMatch(/^pool\.py:4:9 {2}method Pool\.open_connection {2}\d\.\d\d both\n/);
    expect(out).toContain("def open_connection(self, url):");
  });
});

describe("an indexed workspace", () => {
  it("is listed, with its state", async () => {
    const { out } = await coco(["list", "--json"]);
    const records = JSON.parse(out) as { root: string }[];
    expect(records.find(({ root }) => root === shop)).toMatchObject({ state: "complete" });
    const status = JSON.parse((await coco(["status", "--json"])).out) as unknown;
    expect(status).toMatchObject({ state: "ready", indexes: [{ root: shop, branch: "main" }] });
  });

  it("has files with quotes, spaces and an emoji in their names", async () => {
    const { out } = await coco(["search", "money goes back", "--limit", "1", "--lines", "0"]);
    expect(out).toMatch(/^odd 'name'\u{1f642}\.md:/u);
  });

  it.each(["-hidden", "-Version", "--version", "->quux"])(
    "is searched for %s, although it begins like an option",
    async (word) => {
      const { out, err } = await coco(["search", word, "--limit", "1"]);
      expect(`${out}${err}`).not.toContain("usage");
      expect(err).toContain(`"${word}"`);
    },
  );

  it("passes `doctor`", async () => {
    expect(await coco(["doctor"])).toMatchObject({ code: 0 });
  });

  it("shows in `list` whether an editor has it open", async () => {
    expect((await coco(["doctor"])).out).toContain(`editors in ${shop}: no editor has it open`);
    const server = startServer(engine.env);
    await server.initialize(shop);
    await server.progressEnded();
    expect((await coco(["doctor"])).out).toContain(`editors in ${shop}: 1 has it open`);
    await server.shutdown();
  });

  it("uses one index for a folder and a symbolic link to it", async () => {
    const link = join(workspace(), "link");
    symlinkSync(shop, link);
    const { out } = await coco(["status", "--json", "--root", link]);
    expect(JSON.parse(out)).toMatchObject({ indexes: [{ root: shop }] });
  });

  it("exits silently when the reader closes the pipe", async () => {
    const started = (child: ChildProcess) => void child.stdout?.destroy();
    const { code, err } = await coco(["search", "connection"], { started });
    expect([code, err]).toEqual([0, ""]);
  });
});

it("a search finds changes made since the last search", async () => {
  const cwd = workspace(SHOP);
  await coco(["index"], { cwd });
  write(cwd, "//- src/stock.rs\nfn reserve_warehouse_shelf() {}\n");
  const hits = hitsOf(await coco(["search", "reserve_warehouse_shelf", "--json"], { cwd }));
  expect(hits[0]).toMatchObject({ path: "src/stock.rs", lines: { start: 0 } });
});

it("a paused folder is not indexed until indexing resumes", async () => {
  const cwd = workspace(SHOP);
  await coco(["index"], { cwd });
  expect((await coco(["pause"], { cwd })).code).toBe(0);
  write(cwd, "//- src/late.py\ndef arrive_late(): pass\n");
  const found = async () => {
    const hits = hitsOf(await coco(["search", "arrive_late", "--json"], { cwd }));
    return hits.some(({ path }) => path === "src/late.py");
  };
  expect(await found()).toBe(false);
  const stored = hitsOf(await coco(["search", "SendReceipt", "--json"], { cwd }));
  expect(stored[0]).toMatchObject({ path: "src/mail.go" });
  const status = JSON.parse((await coco(["status", "--json"], { cwd })).out) as unknown;
  expect(status).toMatchObject({ state: "paused" });
  await coco(["resume"], { cwd });
  expect(await found()).toBe(true);
});

it("`clear` deletes an index, and fails the second time", async () => {
  const cwd = workspace(SHOP);
  await coco(["index"], { cwd });
  expect(await coco(["clear"], { cwd })).toMatchObject({ code: 0 });
  expect(await coco(["clear"], { cwd })).toMatchObject({ code: 1 });
  expect(await coco(["status"], { cwd })).toMatchObject({ code: 1 });
});

it("Ctrl-C ends a command that waits for the engine, and the engine exits", async () => {
  const young = testEngine({}, { isNew: true });
  const { lock } = young.home;
  const started = async (child: ChildProcess) => {
    while (!existsSync(lock) || !isLocked(lock)) await delay(10);
    child.kill("SIGINT");
  };
  const { code, out, err } = await coco(["index"], { env: young.env, started });
  expect([code, out, err]).toEqual([130, "", ""]);
  await young.dispose();
});

it("the error names the database that cannot be reached", async () => {
  const url = "postgresql://nobody@127.0.0.1:1/none";
  const away = testEngine({ COCOSEARCH_DATABASE_URL: url });
  try {
    const { code, out, err } = await coco(["index"], { env: away.env });
    expect([code, out]).toEqual([3, ""]);
    expect(err).toContain("127.0.0.1:1");
  } finally {
    await away.dispose();
  }
});
