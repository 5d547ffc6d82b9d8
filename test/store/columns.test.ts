/** Text and JSON that Postgres can hold. */

import { expect, it } from "vitest";
import { storable, storableJson } from "../../server/store/columns.ts";

it.each([
  ["plain", "plain"],
  ["a\0b", "a\ufffdb"],
  ["\ud800x", "\ufffdx"],
  ["x\udc00", "x\ufffd"],
  ["\u{1f600}", "\u{1f600}"],
])("makes %j storable", (text, expected) => {
  expect(storable(text)).toBe(expected);
  expect(JSON.parse(storableJson({ a: [text] }))).toEqual({ a: [expected] });
});

it("keeps a text that only looks like an escape", () => {
  expect(storableJson({ a: "\\u0000", b: 1 })).toBe(String.raw`{"a":"\\u0000","b":1}`);
});
