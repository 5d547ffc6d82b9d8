/** Packed facts: what comes back is what was given, and damage is nothing. */

import { expect, it } from "vitest";
import { NO_FACTS, packFacts, unpackFacts } from "../../server/contracts/packed-facts.ts";

const TEXT = `[22,"go","ü",[]]\n[["open","close","\u{1f600}"],${"[1,2,3],".repeat(500)}[]]`;

it("gives back what was packed, in bytes of its own", () => {
  const packed = packFacts(TEXT);
  expect(packed.length).toBeLessThan(TEXT.length / 3);
  expect(packed.buffer.byteLength).toBe(packed.length);
  expect(unpackFacts(packed)).toBe(TEXT);
});

it("packs nothing as nothing", () => {
  expect(packFacts("")).toEqual(NO_FACTS);
  expect(unpackFacts(NO_FACTS)).toBe("");
});

it("takes what is damaged for nothing", () => {
  const packed = packFacts(TEXT);
  expect(unpackFacts(packed.subarray(0, packed.length >> 1))).toBe("");
  expect(unpackFacts(Uint8Array.of(255, 255, 255))).toBe("");
});
