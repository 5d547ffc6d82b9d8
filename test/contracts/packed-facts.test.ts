/** Packed facts: a round trip, and damaged bytes. */

import { expect, it } from "vitest";
import { NO_FACTS, packFacts, unpackFacts } from "../../server/contracts/packed-facts.ts";

const TEXT = `[22,"go","ü",[]]\n[["open","close","\u{1f600}"],${"[1,2,3],".repeat(500)}[]]`;

it("unpackFacts restores packed facts into a new buffer", () => {
  const packed = packFacts(TEXT);
  expect(packed.length).toBeLessThan(TEXT.length / 3);
  expect(packed.buffer.byteLength).toBe(packed.length);
  expect(unpackFacts(packed)).toBe(TEXT);
});

it("Empty facts are packed as no bytes", () => {
  expect(packFacts("")).toEqual(NO_FACTS);
  expect(unpackFacts(NO_FACTS)).toBe("");
});

it("unpackFacts returns nothing for damaged bytes", () => {
  const packed = packFacts(TEXT);
  expect(unpackFacts(packed.subarray(0, packed.length >> 1))).toBe("");
  expect(unpackFacts(Uint8Array.of(255, 255, 255))).toBe("");
});
