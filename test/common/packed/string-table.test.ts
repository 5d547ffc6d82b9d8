/** Interned strings in any script. */

import { expect, it } from "vitest";
import { StringTable } from "../../../server/common/packed/string-table.ts";

it("startsWith compares prefixes like strings do", () => {
  const table = new StringTable();
  const texts = ["open", "opening", "oven", "op", "", "öffnen", "ofen"];
  const numbers = texts.map((text) => table.intern(text));
  const beginning = (start: string) =>
    texts.filter((_, i) => table.startsWith(numbers[i] as number, start));
  expect(beginning("open")).toEqual(["open", "opening"]);
  expect(beginning("o")).toEqual(["open", "opening", "oven", "op", "ofen"]);
  expect(beginning("ö")).toEqual(["öffnen"]);
  expect(beginning("x")).toEqual([]);
});

it("length and byteLength count UTF-16 units and bytes", () => {
  const table = new StringTable();
  const texts = ["", "open", "öffnen", "名前", "a\u{1f600}b"];
  const numbers = texts.map((text) => table.intern(text));
  expect(numbers.map((id) => table.length(id))).toEqual(texts.map(({ length }) => length));
});

it("A table of any size is equal after pack and unpack", () => {
  const table = new StringTable();
  for (let size = 0; size < 70; size++) {
    const copy = StringTable.unpack(table.pack());
    expect([...copy.texts()]).toEqual([...table.texts()]);
    expect(copy.find("no such text")).toBe(-1);
    table.intern(`text ${size}`);
  }
});
