/** The reader of TypeScript sources for code metrics. */

import { describe, expect, it } from "vitest";
import {
  cyclesOf,
  exportedNames,
  functionLengths,
  importsOf,
} from "../../scripts/code-metrics/sources.ts";

describe("lengths of functions", () => {
  it.each([
    ["a function", "export async function f(): Promise<void> {\n  g();\n}\n", [3]],
    ["parameters over several lines", "function f(\n  a: string,\n): void {\n  g(a);\n}\n", [5]],
    ["destructured parameters", "function f({\n  a,\n}: A): void {\n  g(a);\n}\n", [5]],
    ["a method", "class A {\n  get #b(): number {\n    return 1;\n  }\n}\n", [3]],
    ["an arrow", "const f = (a: A) => {\n  g(a);\n};\n", [3]],
    ["a branch is none", "if (a) {\n  b();\n}\n", []],
    ["a call with a callback is none", "it(() =>\n  a(),\n);\n", []],
  ])("%s", (_, text, expected) => expect(functionLengths(text)).toEqual(expected));
});

it("finds imports of types, of values and at run time", () => {
  const text = `import type { A } from "./a.ts";\nimport {\n  b,\n} from "./b.ts";\nawait import("./c.ts");\n`;
  expect(importsOf(text)).toEqual(["./a.ts", "./b.ts", "./c.ts"]);
});

it("finds exported names once", () => {
  const text = "export const a = 1;\nexport async function b() {}\nexport function b(): void;\n";
  expect(exportedNames(text)).toEqual(["a", "b"]);
});

it("finds groups of files that import each other, and no others", () => {
  const graph = new Map([
    ["a", ["b"]],
    ["b", ["c", "missing"]],
    ["c", ["b", "d"]],
    ["d", []],
    ["e", ["f"]],
    ["f", ["e"]],
  ]);
  expect(cyclesOf(graph)).toEqual([
    ["b", "c"],
    ["e", "f"],
  ]);
});
