/** Whose index is whose on a Postgres that several installations share. */

import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { silent } from "../../server/common/log.ts";
import type { FileCommit, Store } from "../../server/contracts/store.ts";
import { openPostgres } from "../../server/store/external.ts";
import { administer, createDatabase, dropDatabase, NO_POSTGRES } from "../support/databases.ts";

const ROOT = "/workspaces/app";
const LINES = { start: 0, end: 0 };

const file: FileCommit = {
  file: {
    path: "a.py",
    sha256: "1",
    size: 1,
    mtimeMs: 1,
    statFingerprint: "1 2 3",
    languageId: "python",
    category: "implementation",
    parse: { status: "ok" },
    secrets: 0,
  },
  chunks: [{ span: { start: 0, end: 1 }, lines: LINES, text: "a", symbols: [], context: LINES }],
  vectors: [undefined],
};

describe.skipIf(NO_POSTGRES !== undefined)(NO_POSTGRES ?? "indexes of installations", () => {
  let url = "";
  beforeEach(async () => {
    url = await createDatabase();
    onTestFinished(() => dropDatabase(url));
  });

  async function start(installation: string): Promise<Store> {
    const store = await openPostgres({ url, installation, log: silent });
    onTestFinished(() => store.close());
    return store;
  }

  /** The name that the root has. */
  async function index(store: Store, root = ROOT): Promise<string> {
    const name = await store.nameFor(root, "");
    await store.open({ name, root, modelId: "m", dimension: 2, chunkerVersion: "1" });
    return name;
  }

  const named = (records: Awaited<ReturnType<Store["list"]>>) =>
    records.map(({ name, installation = "own" }) => `${name} ${installation}`);

  it("are apart for one path, and each has its own again", async () => {
    const stores = [await start("a"), await start("b"), await start("c")];
    const names: string[] = [];
    for (const store of stores) names.push(await index(store));
    expect(names[0]).toBe("app");
    expect(new Set(names).size).toBe(3);
    for (const [i, store] of stores.entries()) {
      expect(await store.nameFor(ROOT, "")).toBe(names[i]);
      const others = names.filter((name) => name !== names[i]);
      const expected = [`${names[i]} own`, ...others.map((name) => `${name} another`)];
      expect(named(await store.list()).toSorted()).toEqual(expected.toSorted());
    }
  });

  it("never are one where two installations were given the name at once", async () => {
    const [first, second] = [await start("a"), await start("b")];
    const name = await second.nameFor(ROOT, "");
    await index(first);
    const asked = { name, root: ROOT, modelId: "m", dimension: 2, chunkerVersion: "1" };
    await expect(second.open(asked)).rejects.toThrow(
      'the index name "app" belongs to /workspaces/app of another installation',
    );
  });

  it("resolve by name to the own index before one of another installation", async () => {
    const [first, second] = [await start("a"), await start("b")];
    await index(first);
    expect(await second.resolve("app")).toBe("app");
    const own = await index(second);
    expect(await second.resolve("app")).toBe(own);
    expect(await first.resolve("app")).toBe("app");
    expect(await first.resolve("nowhere")).toBeUndefined();
  });

  it("indexes without an installation are adopted once, and their files are read again", async () => {
    const [first, second] = [await start("a"), await start("b")];
    await index(first);
    const stored = await first.find("app");
    await stored?.commit([file], []);
    await administer("update cocosearch_indexes set installation = null", url);
    expect(named(await second.list())).toEqual(["app unknown"]);

    // An engine of an older program still writes it.
    await stored?.writer.tryHold();
    expect(await second.nameFor(ROOT, "")).not.toBe("app");
    await stored?.writer.release();

    expect(await stored?.statFingerprints()).toEqual(new Map([["a.py", "1 2 3"]]));
    expect(await second.nameFor(ROOT, "")).toBe("app");
    expect(await stored?.statFingerprints()).toEqual(new Map());
    expect(await stored?.hashes()).toEqual(new Map([["a.py", "1"]]));
    expect(named(await second.list())).toEqual(["app own"]);
    expect(await first.nameFor(ROOT, "")).not.toBe("app");
  });

  it("share vectors by content", async () => {
    const [first, second] = [await start("a"), await start("b")];
    await first.embeddings.put("m", new Map([["hash", Float32Array.of(1, 2)]]));
    expect([...(await second.embeddings.get("m", ["hash"])).keys()]).toEqual(["hash"]);
  });
});
