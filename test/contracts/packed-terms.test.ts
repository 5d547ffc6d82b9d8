/** Packed term counts: as they were, or refused. */

import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { FileTerms } from "../../server/contracts/file-terms.ts";
import {
  PACKED_TERMS_VERSION,
  packTerms,
  unpackTerms,
} from "../../server/contracts/packed-terms.ts";
import { countFileTerms } from "../../server/search/lanes/count-file-terms.ts";
import { createMemoryLanes } from "../../server/search/lanes/memory-lanes.ts";
import { categorizer } from "../search/support.ts";
import { textsOf } from "../support/file-terms.ts";
import { forAllRandom } from "../support/random.ts";

const TEXTS = [
  "def parseQuery(text):\n  return text.split(poll.interval, größe)\n",
  "parseQuery parse_query HTTPServer größe Straße 日本語 x2 retry-after std::move running runs",
  "",
  "tax ".repeat(300),
];
const symbol = {
  name: "Cart.parseQuery",
  type: "function",
  signature: "def parseQuery(text)",
  lines: { start: 0, end: 1 },
  nameLine: 0,
} as const;
const chunksOf = (texts: readonly string[]) =>
  texts.map((text, i) => ({
    text,
    symbols: i === 0 ? [symbol] : [],
    ...(i === 1 ? { hierarchy: "Cart > parse" } : {}),
  }));
const bytesOf = (texts: readonly string[]) => texts.map((text) => Buffer.byteLength(text));
const counted = () => countFileTerms("shop/cart_parser.py", chunksOf(TEXTS));

describe("Packed terms", () => {
  it("are the terms that were packed", () => {
    const unpacked = unpackTerms(packTerms(counted()), bytesOf(TEXTS));
    expect(unpacked && textsOf(unpacked)).toEqual(textsOf(counted()));
    expect(unpacked?.hashes).toEqual(counted().hashes);
    const none = unpackTerms(packTerms(countFileTerms("a.py", [])), []);
    expect(none && textsOf(none)).toEqual([]);
  });

  it("are the terms of any text", async () => {
    await forAllRandom({ seed: 5, numRuns: 50 }, ({ int, pick }) => {
      const words = ["a", "größe", "x.y", "fooBar", "😀", "\u0001q", "std::move", "\n", "q"];
      const text = () => Array.from({ length: int(40) }, () => pick(words)).join(pick([" ", ""]));
      const texts = Array.from({ length: int(5) }, text);
      const terms = countFileTerms("a/b.py", chunksOf(texts));
      const unpacked = unpackTerms(packTerms(terms), bytesOf(texts));
      expect(unpacked && textsOf(unpacked)).toEqual(textsOf(terms));
    });
  });

  it("are found in lanes", async () => {
    const lanes = createMemoryLanes({ categorizer });
    const file = unpackTerms(packTerms(counted()), bytesOf(TEXTS));
    if (file === undefined) throw new Error("the terms were refused");
    const at = { lines: symbol.lines, context: symbol.lines, path: "a.py", languageId: "python" };
    const chunks = chunksOf(TEXTS).map((chunk, i) => ({
      ...chunk,
      ...at,
      span: { start: i, end: i + 1 },
      terms: { file, chunk: i },
    }));
    await lanes.replace([], chunks);
    const found = await lanes.keyword(["größe"], { limit: 9 });
    expect(found.map(({ chunk }) => chunk).toSorted((a, b) => a - b)).toEqual([0, 1]);
  });

  /** Counts that are stored by members: other counts need another version. */
  it("have the version of these counts", () => {
    const hash = createHash("sha256")
      .update(JSON.stringify(textsOf(counted())))
      .digest("hex");
    expect([PACKED_TERMS_VERSION, hash]).toMatchInlineSnapshot(`
      [
        1,
        "e9987ab50b358252c21fc8b04610e7d6dcbf66151d8acdfd1cfb1f11b55c1645",
      ]
    `);
  });

  const change = (more: (terms: FileTerms) => Partial<FileTerms>): Uint8Array => {
    const terms = counted();
    return packTerms({ ...terms, ...more(terms) });
  };
  const withNumber = (array: Uint32Array, at: number, number: number) =>
    array.map((own, i) => (i === at ? number : own));
  /** Changes the bytes before they are compressed. */
  const raw = (edit: (bytes: Buffer) => Uint8Array) =>
    deflateRawSync(edit(inflateRawSync(packTerms(counted()))));
  const withByte = (at: number, byte: number) =>
    raw((bytes) => {
      bytes[at] = byte;
      return bytes;
    });

  it.each([
    ["nothing", () => new Uint8Array()],
    ["no compressed bytes", () => Buffer.from("abc")],
    ["too few bytes", () => raw((bytes) => bytes.subarray(0, -1))],
    ["only a number", () => raw((bytes) => bytes.subarray(0, 4))],
    ["a byte too many", () => raw((bytes) => Buffer.concat([bytes, Buffer.from([0])]))],
    ["a billion terms", () => withByte(3, 60)],
    [
      "a term too many",
      () => raw((bytes) => (bytes.writeUInt32LE(bytes.readUInt32LE() + 1), bytes)),
    ],
    ["an empty term", () => withByte(4, 10)],
    ["a term that is not UTF-8", () => withByte(4, 0xff)],
    ["a bomb", () => deflateRawSync(Buffer.alloc(50_000_000))],
    ["a term twice", () => change(({ bytes, ends }) => ({ bytes: bytes.map(() => 97), ends }))],
    [
      "a number of a term behind the last",
      () =>
        change(({ counts, ends }) => ({ counts: withNumber(counts, 3, (ends.length << 8) | 4) })),
    ],
    [
      "a term twice in a chunk",
      () => change(({ counts }) => ({ counts: withNumber(counts, 1, counts[0] ?? 0) })),
    ],
    ["a count of 0", () => change(({ counts }) => ({ counts: withNumber(counts, 0, 0) }))],
    [
      "a chunk without a length",
      () => change(({ lengths }) => ({ lengths: withNumber(lengths, 2, 0) })),
    ],
    [
      "a length of a million words",
      () => change(({ lengths }) => ({ lengths: withNumber(lengths, 0, 1e6) })),
    ],
    [
      "a chunk too few",
      () =>
        change(({ lengths, countEnds }) => ({
          lengths: lengths.slice(1),
          countEnds: countEnds.slice(0, -1),
        })),
    ],
  ])("are refused with %s", (_, make) => {
    expect(unpackTerms(make(), bytesOf(TEXTS))).toBeUndefined();
  });
});
