/** The built-in model: its tokenizer in any script, its table, and what its vectors say. */

import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { eachPart } from "../../server/common/words.ts";
import { createBuiltinEmbedder, embedDocuments } from "../../server/embedding/builtin.ts";
import { loadEmbeddingModel, parseTable } from "../../server/embedding/embedding-model.ts";
import { StaticEmbedder } from "../../server/embedding/static-embedder.ts";
import { idsOf } from "../../server/embedding/tokenize.ts";
import { createVocabulary, findWord, NONE } from "../../server/embedding/vocabulary.ts";
import { workspace } from "../support/workspace.ts";

function wordsIn(text: string): string {
  const words: string[] = [];
  eachPart(text, (start, end) => words.push(text.slice(start, end)));
  return words.join(" ");
}

const vocabularyOf = (words: readonly string[]) =>
  createVocabulary(words, (bytes) => new ArrayBuffer(bytes));

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
});

describe("a vocabulary", () => {
  const words = Array.from({ length: 5000 }, (_, i) => `w${(i * 7919).toString(36)}é`);
  const vocabulary = vocabularyOf(words);

  it("finds each of its words, in either case, wherever it is", () => {
    for (const [id, word] of words.entries()) {
      const text = `x${word.toUpperCase().replace("É", "é")}y`;
      expect(findWord(vocabulary, text, 1, text.length - 1)).toBe(id);
    }
  });
  it("finds nothing else", () => {
    for (const word of ["", "w", `${words[7]}s`, words[8]?.slice(1) ?? "", "\u212a"]) {
      expect(findWord(vocabulary, word, 0, word.length)).toBe(NONE);
    }
  });
});

describe("a word that is not in the vocabulary", () => {
  const words = ["auth", "a", "tok", "en", "1", "12", "größe", "gross", "о"];
  const vocabulary = vocabularyOf(words);
  const ids = (word: string, buckets = 0) => idsOf(word, vocabulary, buckets);
  const pieces = (word: string) => ids(word).map((id) => words[id]);

  it.each([
    ["Auth", ["auth"]],
    ["token", ["tok", "en"]],
    ["xaz", ["a"]],
    ["121212", ["12", "12"]],
    ["GRO\u0308SSE", ["gross"]],
    ["Gro\u0308ße", ["größe"]],
    [`${"x".repeat(24)}auth`, []],
  ])("%s is cut into its longest known pieces: %j", (word, expected) =>
    expect(pieces(word)).toEqual(expected),
  );

  it("counts pairs of characters that no piece has, in buckets after the words", () => {
    const pairs = ids("用户登录", 64);
    expect(pairs).toHaveLength(3);
    expect(pairs.every((id) => id >= words.length && id < words.length + 64)).toBe(true);
    expect(ids("用户", 64)).toEqual(pairs.slice(0, 1));
    expect(ids("用", 64)).toHaveLength(1);
    expect(ids("слово", 64)[2]).toBe(8);
    expect(ids("用户")).toEqual([]);
  });
});

describe("a table", () => {
  const rows = Int8Array.from([127, 0, 0, 0, 0, 127, 0, 0, 0, 0, -127, 0]);
  const header = { id: "tiny", dimension: 4, words: ["a", "b"], buckets: 1 };
  const json = Buffer.from(JSON.stringify({ format: 1, ...header }).padEnd(100));
  const length = Buffer.from(Uint32Array.of(json.length).buffer);
  const scales = Float32Array.of(1, 2, 3);
  const bytes = Buffer.concat([length, json, Buffer.from(scales.buffer), Buffer.from(rows)]);

  it("is read with the values that were written", () => {
    const table = parseTable(bytes, "0123456789");
    expect(table).toMatchObject({ id: "tiny-01234567", dimension: 4, buckets: 1 });
    expect(findWord(table.vocabulary, "b", 0, 1)).toBe(1);
    expect([...table.scales]).toEqual([1, 2, 3]);
    expect(table.rows).toEqual(new Int8Array(rows));
  });

  it("is shared with threads, not copied", () => {
    const table = parseTable(bytes, "x");
    for (const { buffer } of [...Object.values(table.vocabulary), table.scales, table.rows]) {
      expect(buffer).toBeInstanceOf(SharedArrayBuffer);
    }
  });

  it("is refused when its bytes differ from the manifest", () => {
    const folder = workspace('//- manifest.json\n{"file": "a.bin", "sha256": "00"}\n//- a.bin\nx');
    expect(() => loadEmbeddingModel(pathToFileURL(`${folder}/`))).toThrow(
      "not the model of this version",
    );
  });

  it("is refused when it is cut off", () => {
    expect(() => parseTable(bytes.subarray(0, -1), "x")).toThrow("wrong length");
  });
});

describe("vectors", () => {
  const table = loadEmbeddingModel();
  const bag = new StaticEmbedder(table);
  const cosine = (a: Float32Array | undefined, b: Float32Array | undefined) =>
    [...(a ?? [])].reduce((sum, value, i) => sum + value * (b?.[i] ?? 0), 0);

  it("have length 1, and do not depend on earlier texts", async () => {
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

  it("are close for texts in a script that the vocabulary lacks", () => {
    const near = bag.document({ path: "a.py", text: "# 用户登录后刷新令牌", names: [] });
    const far = bag.document({ path: "a.py", text: "# 绘制一个圆形的图标", names: [] });
    const query = bag.query("刷新令牌");
    expect(cosine(query, near)).toBeGreaterThan(cosine(query, far) + 0.1);
  });

  it("do not depend on the file that was embedded before", () => {
    const chunk = (path: string) => ({ path, text: "x", names: [] });
    const own = new StaticEmbedder(table);
    own.document(chunk("auth/token.py"));
    expect(own.document(chunk("draw/circle.py"))).toEqual(bag.document(chunk("draw/circle.py")));
  });

  it("exist for text without a known word", () => {
    expect(bag.query("!!! 😀")).toBeUndefined();
    const nowhere = embedDocuments(bag, [{ path: "", text: "}{", names: [] }]);
    expect(cosine(nowhere, nowhere)).toBeCloseTo(1, 5);
  });
});
