/**
 * Faults that take a whole engine to happen: a grammar that breaks, a service that answers nonsense, an index of another version.
 * @module-tag slow
 */

import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { silent } from "../../server/common/log.ts";
import type { Session } from "../../server/contracts/session.ts";
import { PgliteDatabase } from "../../server/store/pglite.ts";
import { writeBrokenGrammar } from "../support/broken-grammar.ts";
import { embeddingServer, type Fault } from "../support/embedding-server.ts";
import { testEngine } from "../support/engine.ts";
import { until } from "../support/lsp-client.ts";
import { place } from "../support/place.ts";
import { SMALL_SHOP } from "../support/shops.ts";
import { workspace, write } from "../support/workspace.ts";

const MIXED = `
//- pool.py
def open_pool(url):
    return Pool(url)
//- mail.js
function sendReceipt(order) {
  return smtp.send(order);
}
//- queue.js
function takeOrder() {
  return orders.shift();
}
`;

function session(): Session {
  const engine = testEngine();
  onTestFinished(() => engine.dispose());
  return engine.session();
}

it("A grammar that breaks costs its own files their trees, and no others", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-grammar-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const wasm = join(folder, "python.wasm");
  writeBrokenGrammar(wasm, "breaks");
  const own = session();
  await own.configure({ "languages.grammars": [{ language: "python", wasm, extensions: [] }] });
  await own.openFolders([workspace(MIXED)]);
  await own.whenIdle();
  const first = async (query: string) => (await own.search({ query })).hits[0];
  expect((await first("open_pool"))?.symbol?.name).toBe("open_pool");
  expect((await first("sendReceipt"))?.symbol?.name).toBe("sendReceipt");
  const status = await own.status();
  expect(status.state).toBe("ready");
  expect(status.indexes[0]?.parse).toMatchObject([
    { languageId: "javascript", ok: 2, error: 0 },
    { languageId: "python", ok: 0, error: 1 },
  ]);
});

describe("an embedding service that answers", () => {
  const NONSENSE: readonly Fault[] = [
    "wrong count",
    "wrong dimension",
    "NaN",
    "too large a number",
    "all zero",
    "no JSON",
    "cut connection",
  ];

  it(`with ${NONSENSE.join(", ")} loses nothing, stores nothing wrong, and is asked again`, async () => {
    const engine = testEngine();
    onTestFinished(() => engine.dispose());
    // Each fault has a service of its own, so that all of them wait at the same time.
    await Promise.all(NONSENSE.map((fault) => checkNonsense(engine.session(), fault)));
  });

  async function checkNonsense(own: Session, fault: Fault) {
    const server = await embeddingServer();
    onTestFinished(() => server.close());
    await own.configure({
      "embedding.provider": "openai",
      "embedding.baseUrl": `${server.url}/v1`,
      "embedding.model": "m",
    });
    const name = `of_${fault.replaceAll(" ", "_")}`;
    // A dimension is wrong only where another one is known.
    const root = workspace(`//- known.py\ndef known_${name}(): pass\n`);
    await own.openFolders([root]);
    await until("the first vector", () => areEmbedded(own, 1));
    server.fail(fault);
    write(root, `//- late.py\ndef late_${name}(): pass\n`);
    const told = await until(`the report of ${fault}`, async () => {
      const { state, reason, indexes } = await own.status();
      return state === "degraded" ? { reason, indexes } : undefined;
    });
    expect(told.reason).toContain("embed");
    expect(told.indexes).toMatchObject([{ chunks: 2, pending: 1 }]);
    const { hits } = await own.search({ query: `late_${name}` });
    expect(hits[0]?.symbol?.name).toBe(`late_${name}`);
    server.fail("none");
    await until("the last vector", () => areEmbedded(own, 2));
  }

  async function areEmbedded(own: Session, wanted: number): Promise<boolean> {
    const { state, indexes } = await own.status();
    return state === "ready" && indexes[0]?.chunks === wanted && indexes[0].pending === 0;
  }
});

it("An index of other tables, of another chunker and of another model is made again, and is then a clean one", async () => {
  const root = workspace(SMALL_SHOP);
  const [old, clean] = [place(""), place("")];
  for (const each of [old, clean]) await each.settle(root);
  const expected = await clean.rows();
  for (const change of [
    "schema_version = 0",
    "chunker_version = 'old'",
    "model_id = 'builtin:old'",
  ]) {
    await old.engine.end();
    const database = new PgliteDatabase({ directory: old.engine.home.data, log: silent });
    await database.query(`update cocosearch_indexes set ${change}`);
    await database.close();
    await old.settle(root);
    expect({ change, rows: await old.rows() }).toEqual({ change, rows: expected });
  }
});

describe("a folder", () => {
  it("a missing folder keeps its index until it is back", async () => {
    const root = workspace(MIXED);
    const own = session();
    await own.openFolders([root]);
    await own.whenIdle();
    renameSync(root, `${root}-away`);
    onTestFinished(() => rmSync(`${root}-away`, { recursive: true, force: true }));
    await expect(own.reindex({})).rejects.toThrow(`${root} cannot be read`);
    expect(await own.status()).toMatchObject({ state: "unavailable", indexes: [{ files: 3 }] });
    renameSync(`${root}-away`, root);
    await own.reindex({});
    expect(await own.status()).toMatchObject({ state: "ready", indexes: [{ files: 3 }] });
    const { hits } = await own.search({ query: "open_pool" });
    expect(hits[0]?.symbol?.name).toBe("open_pool");
  });
});
