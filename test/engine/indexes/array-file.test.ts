/** Array files round-trip, and damaged files are rejected. */

import { createHash, randomBytes } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import type { NumberArray, PackedArrays } from "../../../server/common/packed/packed-arrays.ts";
import { readArrays, writeArrays } from "../../../server/engine/indexes/array-file.ts";

const folder = mkdtempSync(join(tmpdir(), "cocosearch-arrays-"));
const path = join(folder, "sub", "a.lanes");
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => rmSync(join(folder, "sub"), { recursive: true, force: true }));

const always = () => true;
const ARRAYS: PackedArrays = new Map<string, NumberArray>([
  ["a", new Int32Array([1, -2, 3])],
  ["none", new Uint8Array()],
  // More than one piece.
  ["large", new Uint8Array(9_000_001).map((_, i) => i % 251)],
  ["c", new Float64Array([0.1, Number.NEGATIVE_INFINITY])],
  ["repeated", new Uint32Array(500).fill(7)],
  ["random", new Uint8Array(randomBytes(300))],
]);

/** Comparing millions of numbers one by one takes minutes. */
const bytesOf = (arrays: PackedArrays | undefined) =>
  [...(arrays ?? [])].map(([name, array]) => {
    const bytes = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
    return [name, array.constructor.name, createHash("sha256").update(bytes).digest("hex")];
  });

const readOf = async (file: string, whose: string) =>
  (await readArrays(file, (belongsTo) => belongsTo === whose))?.arrays;

it("`readArrays` returns the written arrays and their owner", async () => {
  expect(await writeArrays(path, "me", ARRAYS, always)).toBe(true);
  expect(bytesOf(await readOf(path, "me"))).toEqual(bytesOf(ARRAYS));
  expect(await readOf(path, "you")).toBeUndefined();
  expect(await readOf(join(folder, "other"), "me")).toBeUndefined();
});

it("Compressible pieces are compressed, others are stored as they are", async () => {
  const random = new Int8Array(randomBytes(5_000_000));
  await writeArrays(path, "me", new Map([["random", random]]), always);
  expect(statSync(path).size - random.length).toBeGreaterThan(0);
  expect(statSync(path).size - random.length).toBeLessThan(300);

  // The beginning of a piece decides; a piece that grows anyway is stored as it is.
  const mixed = new Int8Array(random).fill(1, 0, 100_000);
  await writeArrays(path, "me", new Map([["mixed", mixed]]), always);
  expect(statSync(path).size).toBeLessThan(mixed.length + 300);
  expect(bytesOf(await readOf(path, "me"))).toEqual(bytesOf(new Map([["mixed", mixed]])));

  const repeated = new Float64Array(1_000_000).map((_, i) => i % 100);
  await writeArrays(path, "me", new Map([["repeated", repeated]]), always);
  expect(statSync(path).size).toBeLessThan(repeated.byteLength / 10);
  expect(bytesOf(await readOf(path, "me"))).toEqual(bytesOf(new Map([["repeated", repeated]])));
});

it("A write replaces the file atomically and leaves no draft", async () => {
  await writeArrays(path, "me", ARRAYS, always);
  writeFileSync(`${path}.new-999`, "of a process that was killed");
  const small = new Map([["b", new Int8Array([7])]]);
  await writeArrays(path, "me", small, always);
  expect(await readOf(path, "me")).toEqual(small);
  expect(readdirSync(join(folder, "sub"))).toEqual(["a.lanes"]);
});

it("A write keeps the old file if the arrays change meanwhile", async () => {
  const small = new Map([["b", new Int8Array([7])]]);
  await writeArrays(path, "me", small, always);
  for (let asked = 0; asked < 8; asked++) {
    let left = asked;
    expect(await writeArrays(path, "me", ARRAYS, () => left-- > 0)).toBe(false);
    expect(await readOf(path, "me")).toEqual(small);
    expect(readdirSync(join(folder, "sub"))).toEqual(["a.lanes"]);
  }
});

it("A file with any changed byte, a missing end or extra bytes is rejected", async () => {
  const small = new Map([...ARRAYS].filter(([name]) => name !== "large"));
  await writeArrays(path, "me", small, always);
  const whole = readFileSync(path);
  const isRefused = async (bytes: Buffer) => {
    writeFileSync(path, bytes);
    return await readOf(path, "me").then(
      () => false,
      () => true,
    );
  };
  // The whole beginning, and every fifth byte of the rest.
  for (let at = 0; at < whole.length; at += at < 40 ? 1 : 5) {
    const flipped = Buffer.from(whole);
    flipped[at] = (flipped[at] ?? 0) ^ 0x10;
    expect([at, await isRefused(flipped)]).toEqual([at, true]);
    expect([at, await isRefused(whole.subarray(0, at))]).toEqual([at, true]);
  }
  expect(await isRefused(Buffer.concat([whole, Buffer.from([0])]))).toBe(true);
  expect(existsSync(path)).toBe(true);
});
