/** The stored form of facts. The text may change only together with FACTS_VERSION. */

import { expect, it } from "vitest";
import {
  decodeFacts,
  encodeFacts,
  topNamesOf,
  usedTextsOf,
} from "../../server/contracts/encoded-facts.ts";
import { FACTS_VERSION, type FileFacts } from "../../server/contracts/facts.ts";

const FACTS: FileFacts = {
  language: "typescript",
  packageName: 'a"b',
  imports: [
    {
      kind: "reexport",
      module: "./x.js",
      names: [
        { name: undefined, alias: "all" },
        { name: "one", alias: "one" },
      ],
      line: 3,
      scope: -1,
    },
    { kind: "sideEffect", module: "./y.js", names: [], line: 4, scope: 0 },
  ],
  definitions: [
    {
      kind: "class",
      name: "Shop",
      line: 5,
      endLine: 9,
      parent: -1,
      flags: 1,
      type: "",
      value: "",
      bases: ["Base", "Shop"],
      owner: "",
      labels: "",
    },
  ],
  calls: [
    { chain: "one", line: 6, column: 2, scope: 0, context: 4, labels: "" },
    { chain: "Shop.open", line: 7, column: 0, scope: -1, context: 0, labels: "_" },
  ],
};

it("encodeFacts writes the facts for imports in one line, and the rest as indexes into a string table", () => {
  const [head, body] = encodeFacts({ ...FACTS, manifest: { paths: ["ü"] } }).split("\n");
  expect(head).toBe(
    JSON.stringify([
      FACTS_VERSION,
      "typescript",
      'a"b',
      [
        [1, "./x.js", 3, -1, null, "all", "one", "one"],
        [2, "./y.js", 4, 0],
      ],
      { paths: ["ü"] },
    ]),
  );
  expect(body).toBe(
    JSON.stringify([
      ["Shop", "", "Base", "one", "Shop.open", "_"],
      [0, 0, 5, 4, -1, 1, 1, 1, 1, 1, 2, 2, 0],
      [3, 6, 2, 0, 4, 1, 4, 7, 0, -1, 0, 5],
    ]),
  );
});

it("encodeFacts writes empty lists for a file without facts", () => {
  const nothing = { language: "go", packageName: "", imports: [], definitions: [], calls: [] };
  expect(encodeFacts(nothing)).toBe(`[${FACTS_VERSION},"go","",[]]\n[[],[],[]]`);
});

it("encodeFacts escapes characters that a database cannot store", () => {
  const calls = [{ chain: "a\0\ud800\n", line: 0, column: 0, scope: -1, context: 0, labels: "" }];
  const [, body = ""] = encodeFacts({ ...FACTS, calls }).split("\n");
  expect(body).toContain(String.raw`"a\u0000\ud800\n"`);
});

/** Two definitions at the top of the file, one of them a member, and a nested one. */
const NAMES: FileFacts = {
  ...FACTS,
  definitions: ["Shop", "open", "close", ""].map((name, i) => ({
    kind: "function",
    name,
    line: 1,
    endLine: 2,
    parent: i === 2 ? 0 : -1,
    flags: 0,
    type: `T${i}`,
    value: i === 0 ? "v()" : "",
    bases: i === 2 ? ["Base"] : [],
    owner: i === 1 ? "Shop" : "",
    labels: i === 1 ? "_ _?" : "",
  })),
};

it.each([
  ["objects", (facts: FileFacts) => facts],
  ["text", (facts: FileFacts) => decode(facts)],
  [
    "text of which some became objects",
    (facts: FileFacts) => {
      const decoded = decode(facts);
      expect(decoded.calls).toHaveLength(2);
      return decoded;
    },
  ],
])("Top-level names and strings are found in %s", (_, from) => {
  const facts = from(NAMES);
  expect(topNamesOf(facts)).toEqual([{ name: "Shop", index: 0 }]);
  const used = [...usedTextsOf(facts)].filter((text) => text !== "").toSorted();
  expect(used).toEqual(["Base", "Shop", "Shop.open", "T0", "T1", "T2", "T3", "one", "v()"]);
});

function decode(facts: FileFacts): FileFacts {
  const decoded = decodeFacts(encodeFacts(facts));
  if (decoded === undefined) throw new Error("the facts cannot be read");
  return decoded;
}

it("decodeFacts rejects facts of another version and other text", () => {
  const encoded = encodeFacts(FACTS);
  expect(decodeFacts(encoded.replace(`[${FACTS_VERSION},`, "[9,"))).toBeUndefined();
  expect(decodeFacts("")).toBeUndefined();
  expect(decodeFacts("[")).toBeUndefined();
});

it("decodeFacts restores encoded facts", () => {
  const { definitions, calls, imports } = decodeFacts(encodeFacts(FACTS)) ?? FACTS;
  expect({ definitions, calls, imports }).toEqual({
    definitions: FACTS.definitions,
    calls: FACTS.calls,
    imports: FACTS.imports,
  });
});
