/** The built-in model: its tokenizer in any script, its table, and what its vectors say. */

import { describe, expect, it } from "vitest";
import { BagEmbedder } from "../../server/embedding/bag.ts";
import { createBuiltinEmbedder, embedDocuments } from "../../server/embedding/builtin.ts";
import { formatTable, loadTable, parseTable } from "../../server/embedding/table.ts";
import { eachWord, idsOf } from "../../server/embedding/tokenize.ts";

function wordsIn(text: string): string {
  const words: string[] = [];
  eachWord(text, (word) => words.push(word));
  return words.join(" ");
}

describe("words", () => {
  it.each([
    ["getUserById", "get User By Id"],
    ["HTTPServer2 parseJSON", "HTTP Server 2 parse JSON"],
    ["snake_case-x.y", "snake case x y"],
    ["ABc A aB", "A Bc A a B"],
    ["", ""],
    ["größeÄndern Пользователь用户 e\u0301t", "größe Ändern Пользователь 用户 e\u0301t"],
    ["😀 a\ud800b", "a b"],
  ])("%j", (text, words) => expect(wordsIn(text)).toBe(words));

  it("are the same by the fast way and by the definition", () => {
    const letters = "aBcD1_ .-Z9xYz";
    for (let seed = 1; seed < 500; seed++) {
      let state = seed;
      const text = Array.from({ length: 40 }, () => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        return letters[state % letters.length];
      }).join("");
      // A letter outside ASCII at the end, apart, takes the slow way.
      expect(wordsIn(`${text} ß`)).toBe(`${wordsIn(text)} ß`.trim());
    }
  });

  it("that are unknown are cut into the longest known pieces", () => {
    const vocabulary = new Map(["auth", "a", "tok", "en", "1", "12"].map((word, i) => [word, i]));
    expect(idsOf("Auth", vocabulary)).toEqual([0]);
    expect(idsOf("token", vocabulary)).toEqual([2, 3]);
    expect(idsOf("xaz", vocabulary)).toEqual([1]);
    expect(idsOf("121212", vocabulary)).toEqual([5, 5]);
  });
});

describe("a table", () => {
  const rows = Int8Array.from([127, 0, 0, 127, 64, 64]);
  const bytes = formatTable("tiny", ["a", "b", "c"], Float32Array.of(1, 2, 3), rows);

  it("is read as it was written", () => {
    const table = parseTable(bytes, "0123456789");
    expect(table).toMatchObject({ id: "tiny-01234567", dimension: 2, words: ["a", "b", "c"] });
    expect([...table.scales]).toEqual([1, 2, 3]);
    expect(table.rows).toEqual(new Int8Array(rows));
  });

  it("is refused when it is cut off", () => {
    expect(() => parseTable(bytes.subarray(0, -1), "x")).toThrow("wrong length");
  });
});

describe("vectors", () => {
  const table = loadTable();
  const bag = new BagEmbedder(table);
  const cosine = (a: Float32Array | undefined, b: Float32Array | undefined) =>
    [...(a ?? [])].reduce((sum, value, i) => sum + value * (b?.[i] ?? 0), 0);

  it("have length 1, and do not depend on what was embedded before", async () => {
    const embedder = createBuiltinEmbedder(table);
    const chunk = {
      path: "src/auth/token.py",
      text: "def refresh(token): ...",
      names: ["refresh"],
    };
    const [first] = await embedder.embedChunks([chunk]);
    await embedder.embedQuery("something else entirely");
    const [second] = await embedder.embedChunks([chunk]);
    expect(second).toEqual(first);
    expect(cosine(first, first)).toBeCloseTo(1, 5);
    expect(embedDocuments(bag, [chunk, chunk])).toEqual(
      Float32Array.of(...(first ?? []), ...(first ?? [])),
    );
  });

  it("are close for texts that share their rare words, in body, path or names", () => {
    const query = bag.query("refresh the authentication token");
    const near = bag.document({ path: "a.py", text: "refresh authentication token", names: [] });
    const path = bag.document({ path: "auth/refresh_token.py", text: "x = 1", names: [] });
    const far = bag.document({ path: "b.py", text: "draw a circle on the canvas", names: [] });
    expect(cosine(query, near)).toBeGreaterThan(cosine(query, path));
    expect(cosine(query, path)).toBeGreaterThan(cosine(query, far) + 0.1);
  });

  it("exist for text without a known word", () => {
    expect(bag.query("!!! 😀")).toBeUndefined();
    const nowhere = embedDocuments(bag, [{ path: "", text: "}{", names: [] }]);
    expect(cosine(nowhere, nowhere)).toBeCloseTo(1, 5);
  });
});
