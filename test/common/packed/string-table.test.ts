/** Strings by their numbers, in any script. */

import { expect, it } from "vitest";
import { StringTable } from "../../../server/common/packed/string-table.ts";

it("knows which strings begin with another one", () => {
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

it("knows how long they are", () => {
  const table = new StringTable();
  const texts = ["", "open", "öffnen", "名前", "a\u{1f600}b"];
  const numbers = texts.map((text) => table.intern(text));
  expect(numbers.map((id) => table.length(id))).toEqual(texts.map(({ length }) => length));
});

it("is the same when it was packed and unpacked, at every size", () => {
  const table = new StringTable();
  for (let size = 0; size < 70; size++) {
    const copy = StringTable.unpack(table.pack());
    expect([...copy.texts()]).toEqual([...table.texts()]);
    expect(copy.find("no such text")).toBe(-1);
    table.intern(`text ${size}`);
  }
});
