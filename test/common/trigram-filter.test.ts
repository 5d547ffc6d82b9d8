/** A filter of trigrams refuses texts that are not there, and never one that is. */

import { expect, it } from "vitest";
import { TrigramFilter, trigramsOf } from "../../server/common/trigram-filter.ts";
import { random } from "../support/random.ts";

const mayHave = (whole: string, text: string) => new TrigramFilter(whole).mayHave(trigramsOf(text));

it("finds every part of a text, of all lengths and characters", () => {
  const draw = random(1);
  const unit = () =>
    String.fromCharCode(draw.chance(0.8) ? 97 + draw.int(26) : draw.int(0x1_00_00));
  const whole = Array.from({ length: 3_000 }, unit).join("");
  for (const length of [0, 1, 2, 3, 4, 100, 3_000])
    for (let start = 0; start + length <= whole.length; start += 7)
      expect(mayHave(whole, whole.slice(start, start + length))).toBe(true);
});

it("refuses nearly every name that a text does not have", () => {
  const draw = random(2);
  const word = () =>
    Array.from({ length: 10 }, () => String.fromCharCode(97 + draw.int(26))).join("");
  const whole = Array.from({ length: 1_000 }, word).join(" ");
  const filter = new TrigramFilter(whole);
  const taken = Array.from({ length: 1_000 }, word).filter((each) =>
    filter.mayHave(trigramsOf(each)),
  );
  expect(taken.length).toBeLessThan(20);
});

it("has no trigrams in texts of less than three units, and refuses any in an empty text", () => {
  expect([trigramsOf(""), trigramsOf("ab")].map(({ length }) => length)).toEqual([0, 0]);
  expect(mayHave("", "abc")).toBe(false);
  expect(mayHave("ab", "abc")).toBe(false);
});
