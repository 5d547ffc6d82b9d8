/** Facts as they are stored: the text may not change while FACTS_VERSION stays. */

import { expect, it } from "vitest";
import {
  decodeFacts,
  encodeFacts,
  FACTS_VERSION,
  type FileFacts,
} from "../../server/contracts/facts.ts";

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
    },
  ],
  calls: [
    { chain: "one", line: 6, column: 2, scope: 0, context: 4 },
    { chain: "Shop.open", line: 7, column: 0, scope: -1, context: 0 },
  ],
};

it("writes rows of numbers into a table of strings", () => {
  expect(encodeFacts({ ...FACTS, manifest: { paths: ["ü"] } })).toBe(
    JSON.stringify([
      FACTS_VERSION,
      "typescript",
      'a"b',
      ["Shop", "", "Base", "./x.js", "all", "one", "./y.js", "Shop.open"],
      [
        [1, 3, 3, -1, -1, 4, 5, 5],
        [2, 6, 4, 0],
      ],
      [[0, 0, 5, 4, -1, 1, 1, 1, 1, 2, 0]],
      [5, 6, 2, 0, 4, 7, 7, 0, -1, 0],
      { paths: ["ü"] },
    ]),
  );
});

it("writes empty lists for a file that says nothing", () => {
  const nothing = { language: "go", packageName: "", imports: [], definitions: [], calls: [] };
  expect(encodeFacts(nothing)).toBe(`[${FACTS_VERSION},"go","",[],[],[],[]]`);
});

it("reads back what was written", () => {
  const { definitions, calls, imports } = decodeFacts(encodeFacts(FACTS)) ?? FACTS;
  expect({ definitions, calls, imports }).toEqual({
    definitions: FACTS.definitions,
    calls: FACTS.calls,
    imports: FACTS.imports,
  });
});
