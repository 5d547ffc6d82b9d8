/** Databases that another program has changed: tables dropped, a model replaced under the same name. */

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../server/contracts/store.ts";
import { DATABASES, type FreshDatabase } from "../support/databases.ts";

const INDEX = { name: "shop", root: "/shop", modelId: "m1", dimension: 3, chunkerVersion: "1" };

describe.each(DATABASES)("the store in $name", ({ missing, create }) => {
  describe.skipIf(missing !== undefined)(missing ?? "", () => {
    let database: FreshDatabase;
    let store: Store;
    beforeEach(async () => {
      database = await create();
      store = await database.open();
    });
    afterEach(async () => {
      await store.close();
      await database.dispose();
    });

    /** Runs statements while the store is closed: only one connection to the built-in database may be open. */
    async function beneath(...statements: string[]): Promise<void> {
      await store.close();
      const bare = database.openBare();
      for (const statement of statements) await bare.query(statement);
      await bare.close();
      store = await database.open();
    }

    it("keeps vectors of one dimension for a text, and gives none of another", async () => {
      const put = (...numbers: number[]) =>
        store.embeddings.put("changed", new Map([["a", Float32Array.from(numbers)]]));
      await put(1, 0);
      await put(0, 1, 0);
      expect(await store.embeddings.get("changed", ["a"], 2)).toEqual(new Map());
      const found = await store.embeddings.get("changed", ["a"], 3);
      expect([...(found.get("a") ?? [])]).toEqual([0, 1, 0]);
      await put(0, 0, 1);
      expect(await store.embeddings.get("changed", ["a"])).toEqual(found);
    });

    it.each(["cocosearch_indexes", "cocosearch_embeddings"])("makes %s again", async (table) => {
      await store.open(INDEX);
      await beneath(`drop table ${table}`);
      expect(await store.nameFor("/shop", "")).toBe("shop");
      expect(await (await store.open(INDEX)).hasTables()).toBe(true);
      await store.embeddings.put("m1", new Map([["a", Float32Array.of(1)]]));
    });

    it("detects an index with a dropped table", async () => {
      await store.open(INDEX);
      await beneath("drop table codeindex_shop__shop_chunks cascade");
      const index = await store.open(INDEX);
      expect(await index.hasTables()).toBe(false);
      await store.drop("shop");
      expect(await (await store.open(INDEX)).hasTables()).toBe(true);
    });
  });
});
