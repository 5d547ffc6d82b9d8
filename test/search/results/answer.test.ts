/** The displayed form of a hit. */

import { expect, it } from "vitest";
import { search } from "../../../server/search/search.ts";
import { contextOf, embedded, indexOf, lanesOf, symbolNamed } from "../support.ts";

it("has the name of what its best line defines", async () => {
  const text = ["// adds up many totals", "function tally() {}", "function addNothing() {}"];
  const symbols = [symbolNamed("addNothing:function", 2), symbolNamed("tally:function", 1)];
  const chunk = embedded("src/sums.ts", text.join(" "));
  const lines = { start: 0, end: 2 };
  const context = {
    ...contextOf(indexOf("app", lanesOf({ ...chunk, lines, symbols }))),
    readLines: async () => text,
  };
  const { hits } = await search(context, { query: "what adds up many totals" });
  expect(hits[0]).toMatchObject({ bestLine: { line: 1 }, symbol: { name: "tally" } });
});

it("has no further place in the definition that its best line is in", async () => {
  const text = ["// adds up many totals", "function tally() {}", "function addNothing() {}"];
  const symbols = [symbolNamed("addNothing:function", 2), symbolNamed("tally:function", 1)];
  const lines = { start: 0, end: 2 };
  const more = ["tally", "other"].map((hierarchy, i) => ({
    ...embedded("src/sums.ts", "many", "", { start: 10 + i, hierarchy }),
  }));
  const chunk = { ...embedded("src/sums.ts", text.join(" ")), lines, symbols };
  const context = {
    ...contextOf(indexOf("app", lanesOf(chunk, ...more))),
    readLines: async () => text,
  };
  const { hits } = await search(context, { query: "what adds up many totals", limit: 1 });
  expect(hits[0]?.symbol?.name).toBe("tally");
  expect(hits[0]?.places?.map(({ hierarchy }) => hierarchy)).toEqual(["other"]);
});

it("is not named after a variable that the query does not mean", async () => {
  const text = ["logger = make()", "def tally(): pass"];
  const lines = { start: 0, end: 1 };
  const nameOf = async (query: string, ...symbols: string[]) => {
    const chunk = embedded("src/sums.py", text.join(" "));
    const defined = symbols.map((symbol, i) => symbolNamed(symbol, i));
    const index = indexOf("app", lanesOf({ ...chunk, lines, symbols: defined }));
    const context = { ...contextOf(index), readLines: async () => text };
    return (await search(context, { query })).hits[0]?.symbol?.name;
  };
  const both = ["logger:variable", "tally:function"];
  expect(await nameOf("which whale sings", ...both)).toBe("tally");
  expect(await nameOf("which whale sings", "logger:variable")).toBeUndefined();
  expect(await nameOf("where is the logger made", ...both)).toBe("logger");
});

it("is a definition of the type that was asked for", async () => {
  const text = ["class Sums {", "  tally() {}", "  addNothing() {}", "}"];
  const symbols = [
    symbolNamed("Sums:class", 0),
    symbolNamed("Sums.tally:method", 1),
    symbolNamed("Sums.addNothing:method", 2),
  ];
  const chunk = embedded("src/sums.ts", text.join(" "));
  const context = {
    ...contextOf(indexOf("app", lanesOf({ ...chunk, lines: { start: 0, end: 3 }, symbols }))),
    readLines: async () => text,
  };
  const shown = async (query: string, more: object = {}) => {
    const [hit] = (await search(context, { query, ...more })).hits;
    return [hit?.symbol?.name, hit?.bestLine?.line, hit?.symbols?.map(({ name }) => name)];
  };
  expect((await shown("tally"))[0]).toBe("Sums.tally");
  expect(await shown("tally", { symbolTypes: ["class"] })).toEqual([
    "Sums",
    expect.any(Number),
    ["Sums"],
  ]);
  expect((await shown("tally", { symbolName: "*.addNothing" }))[2]).toEqual(["Sums.addNothing"]);
});

it("is shown by a line that has a word, where no word of the question is in it", async () => {
  const text = ["*/", "---", "const answer = 42;", "{"];
  const chunk = embedded("src/a.ts", "where is the reply");
  const index = indexOf("app", lanesOf({ ...chunk, lines: { start: 0, end: 3 } }));
  const context = { ...contextOf(index), readLines: async () => text };
  const { hits } = await search(context, { query: "which whale sings" });
  expect(hits[0]?.bestLine?.line).toBe(2);
});

it.each([
  ["Middle::Deep::deepMethod", "Outer::Middle::Deep", 2],
  ["deepMethod", "Outer::Middle::Deep", 2],
  ["Deep::deepMethod", "Outer::Middle::Deep", 2],
  ["middleMethod", "Outer::Middle::middleMethod", 4],
  ["deepest_field", "Outer::Middle", 5],
])(
  "for %s, which its chunk only declares or defines, has the name %s",
  async (query, name, line) => {
    const text = [
      "class Middle {",
      "  class Deep {",
      "    void deepMethod();",
      "  };",
      "  void middleMethod() { deep.deepMethod(); }",
      "  int deepest_field;",
      "};",
    ];
    const symbols = [
      { ...symbolNamed("Outer::Middle:class", 0), lines: { start: 0, end: 6 } },
      { ...symbolNamed("Outer::Middle::Deep:class", 1), lines: { start: 1, end: 3 } },
      symbolNamed("Outer::Middle::middleMethod:method", 4),
    ];
    const chunk = embedded("src/nested.h", text.join("\n"));
    const lines = { start: 0, end: 6 };
    const index = indexOf("app", lanesOf({ ...chunk, lines, symbols }));
    const context = { ...contextOf(index), readLines: async () => text };
    const [hit] = (await search(context, { query })).hits;
    expect([hit?.symbol?.name, hit?.bestLine?.line]).toEqual([name, line]);
  },
);

it("has a context range with its best line, also in a chunk that is longer than a range", async () => {
  const text = Array.from({ length: 70 }, (_, i) => `int number${i};`);
  const chunk = embedded("src/numbers.c", text.join(" "));
  const lines = { start: 0, end: 69 };
  const context = {
    ...contextOf(indexOf("app", lanesOf({ ...chunk, lines }))),
    readLines: async (_root: string, _path: string, { start, end }: typeof lines) =>
      text.slice(start, end + 1),
  };
  const shown = async (query: string) => {
    const [hit] = (await search(context, { query, includeText: true })).hits;
    return [hit?.bestLine?.line, hit?.contextRange, hit?.text?.split("\n")];
  };
  const around = (start: number) => [{ start, end: start + 49 }, text.slice(start, start + 50)];
  expect(await shown("number69")).toEqual([69, ...around(20)]);
  expect(await shown("number1")).toEqual([1, ...around(0)]);
  expect(await shown("number30")).toEqual([30, ...around(9)]);
});

it("is named after the function around it, which begins in an earlier chunk, if it defines nothing", async () => {
  const text = ["  total += many;", "  return total;"];
  const tally = { ...symbolNamed("tally:function", 0), lines: { start: 0, end: 11 } };
  const head = embedded("src/sums.ts", "function tally() {");
  const body = embedded("src/sums.ts", text.join(" "), "", { start: 500 });
  const context = {
    ...contextOf(
      indexOf(
        "app",
        lanesOf(
          { ...head, lines: { start: 0, end: 9 }, symbols: [tally] },
          { ...body, lines: { start: 10, end: 11 }, symbols: [] },
        ),
      ),
    ),
    readLines: async () => text,
  };
  const { hits } = await search(context, { query: "return the total of many" });
  const hit = hits.find(({ lines }) => lines.start === 10);
  expect(hit?.symbol).toMatchObject({ name: "tally", nameLine: 0 });
});
