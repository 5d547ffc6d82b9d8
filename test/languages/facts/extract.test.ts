/** Facts of a file: imports, calls and their positions. */

import { expect, it } from "vitest";
import { decodeFacts } from "../../../server/contracts/encoded-facts.ts";
import { CALL_CONTEXT, type FileFacts } from "../../../server/contracts/facts.ts";
import { factsOf } from "../../support/graph.ts";

async function read(path: string, text: string): Promise<FileFacts> {
  const facts = decodeFacts(await factsOf(path, text));
  if (facts === undefined) throw new Error(`nothing is read of ${path}`);
  return facts;
}

it("Calls have flags for an enclosing loop, condition or try block", async () => {
  const { calls } = await read(
    "a.py",
    `plain()
for x in y:
    looped()
    if x:
        both()
def again(n):
    again(n - 1)
    inner()
try:
    tried()
except Error:
    pass
`,
  );
  const { loop, condition, recursive, try: tried } = CALL_CONTEXT;
  expect(Object.fromEntries(calls.map(({ chain, context }) => [chain, context]))).toEqual({
    plain: 0,
    looped: loop,
    both: loop | condition,
    again: recursive,
    inner: 0,
    tried,
  });
});

it("A `require` statement is one import, and each `import()` is one", async () => {
  const { imports } = await read(
    "a.js",
    `const one = require("one");

const again = () => import("one");
`,
  );
  expect(imports.map(({ kind, module, line }) => [kind, module, line])).toEqual([
    [expect.any(String), "one", 0],
    ["dynamic", "one", 2],
  ]);
});

it("Two `require` calls of one module on adjacent lines keep their names", async () => {
  const { imports } = await read(
    "a.js",
    `const one = require("one");
const { two } = require("one");
import("one");
`,
  );
  const bound = imports.map(({ line, names }) => [line, names.map(({ alias }) => alias)]);
  expect(bound).toEqual([
    [0, ["one"]],
    [1, ["two"]],
    [2, []],
  ]);
});

it.each([
  ["a.ts", "const x = one.two();", ["x = one.two()"]],
  ["a.ts", "const x = one() ?? two();", ["x = one()"]],
  ["a.ts", "const x = one() || two();", ["x = one()"]],
  ["a.ts", "const x = one() ? two() : three();", ["x = "]],
  ["a.ts", "const x = one() + two();", ["x = "]],
  ["a.ts", "const x = one() as Two;", ["x = :Two;"]],
  ["a.ts", "const x = one() as const;", ["x = "]],
  ["a.ts", "const x = one() satisfies Two<Three>;", ["x = :Two<Three>;"]],
  ["a.ts", "const x = await one();", ["x = one()"]],
  ["a.ts", "const x = one()!;", ["x = one()"]],
  ["a.ts", "for (const x of one()) {}", ["x = one()[]"]],
  ["a.ts", "const [x, y] = one();", ["x = one()#0", "y = one()#1"]],
  ["a.ts", "const x = new One(two);", ["x = One()"]],
  ["a.py", "x = one() or two()", ["x = one()"]],
  ["a.py", "x = one() if two else three()", ["x = one()"]],
  ["a.py", "x = one() and two()", ["x = "]],
  ["a.py", "for x in one(): pass", ["x = one()[]"]],
  ["a.py", "x, y = one()", ["x = one()#0", "y = one()#1"]],
  ["a.py", "x = not one()", ["x = "]],
])(
  "The value of a variable is the operand that determines its type: %s: %s",
  async (path, text, values) => {
    const { definitions } = await read(path, `${text}\n`);
    expect(definitions.map(({ name, value }) => `${name} = ${value}`)).toEqual(values);
  },
);
