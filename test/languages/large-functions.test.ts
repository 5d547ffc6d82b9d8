/** Which grammars V8 may optimize, and that it does not optimize the others. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { grammarFile } from "../../server/languages/grammar-files.ts";
import { compileForBaseline, largestFunction } from "../../server/languages/large-functions.ts";

const wasmOf = (languageId: string) => readFileSync(grammarFile(languageId, "wasm"));

it("finds the largest function of a module", () => {
  expect(largestFunction(wasmOf("powershell"))).toBe(371_898);
  expect(largestFunction(Uint8Array.of())).toBe(0);
  expect(largestFunction(wasmOf("powershell").subarray(0, 100))).toBe(0);
});

it.each(["powershell", "swift", "bash"])("does not optimize the grammar of %s", (id) =>
  expect(compileForBaseline(wasmOf(id))).toBeDefined(),
);
it.each(["c", "cpp", "kotlin"])("optimizes the grammar of %s", (id) =>
  expect(compileForBaseline(wasmOf(id))).toBeUndefined(),
);

/** Parses in a V8 that optimizes early and names each function that it has compiled. */
const PARSE = `
import { grammarFile } from "./server/languages/grammar-files.ts";
import { load } from "./server/languages/grammars.ts";
const [id, text] = process.argv.slice(1);
const { parser } = await load(grammarFile(id, "wasm"), {});
for (let n = 0; n < 20; n++) {
  parser.parse(text.repeat(100)).delete();
  await new Promise((done) => setTimeout(done, 100));
}
`;

/** How many modules have an optimized function: the parser's runtime, Node's own, and the grammar if it is allowed. */
function optimizedModules(languageId: string, text: string): number {
  const v8 = ["--wasm-tiering-budget=1000", "--trace-wasm-compilation-times"];
  const node = ["--import", "tsx", "--input-type=module", "--eval", PARSE, languageId, text];
  const cwd = join(import.meta.dirname, "../..");
  const traced = execFileSync(process.execPath, [...v8, ...node], {
    cwd,
    encoding: "utf8",
    maxBuffer: 50_000_000,
  });
  const modules = traced.matchAll(/Compiled function (0x[0-9a-f]+)#\d+ using TurboFan/g);
  return new Set(Array.from(modules, ([, module]) => module)).size;
}

it("lets V8 optimize no function of a grammar with a huge one", { timeout: 120_000 }, () => {
  const others = optimizedModules("c", "int f(int a) { return a; }\n") - 1;
  expect(optimizedModules("powershell", "$a = Get-Item $b\n")).toBe(others);
});
