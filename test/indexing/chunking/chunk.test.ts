/** Where files are cut: whole definitions, cuts inside long ones, and text without syntax. */

import { describe, expect, it } from "vitest";
import type { Chunk } from "../../../server/contracts/model.ts";
import { chunk } from "../../../server/indexing/chunking/chunk.ts";
import { createLanguages } from "../../../server/languages/languages.ts";

const languages = createLanguages();

function cut(
  languageId: string,
  text: string,
  chunkSize = 200,
  chunkOverlap = 60,
): Promise<Chunk[]> {
  return languages.withSyntax(text, languageId, (syntax) =>
    chunk(text, syntax, { languageId, chunkSize, chunkOverlap }),
  );
}

/** A function of a number of statements of 20 bytes each. */
function fn(name: string, statements: number): string {
  const lines = Array.from({ length: statements }, (_, i) => `  call_of(${name}, ${i % 10}, 1);\n`);
  return `function ${name}() {\n${lines.join("")}}\n`;
}

const namesOf = (chunks: readonly Chunk[]) =>
  chunks.map(({ symbols }) => symbols.map(({ name }) => name).join(" "));
const linesOf = (chunks: readonly Chunk[]) =>
  chunks.map(({ lines }) => `${lines.start}-${lines.end}`);

describe("definitions", () => {
  it("Definitions stay whole and are merged while they fit", async () => {
    const chunks = await cut("javascript", `${fn("a", 2)}\n${fn("b", 2)}\n${fn("c", 5)}`);
    expect(namesOf(chunks)).toEqual(["a b", "c"]);
    expect(linesOf(chunks)).toEqual(["0-8", "10-16"]);
  });
  it("A definition includes the comments above it", async () => {
    const chunks = await cut(
      "javascript",
      `${fn("a", 5)}\n// About b.\n// And more.\n${fn("b", 4)}`,
    );
    expect(linesOf(chunks)).toEqual(["0-6", "8-15"]);
  });
  it("A long definition is cut between statements, with overlap", async () => {
    const chunks = await cut("javascript", fn("a", 16));
    expect(namesOf(chunks)).toEqual(["a", "", ""]);
    for (const [i, { lines, context, hierarchy }] of chunks.entries()) {
      const endBefore = chunks[i - 1]?.lines.end ?? 0;
      expect(context).toEqual({ start: 0, end: 17 });
      expect(hierarchy).toBe("a");
      expect(lines.start).toBeLessThanOrEqual(endBefore);
    }
  });
  it("Variables are cut like other statements, and name no block", async () => {
    const constants = Array.from({ length: 4 }, (_, i) => `LIMIT_${i} = ${i}\n`).join("");
    const text = `${constants}def run():\n  pass\n`;
    const semantic = await languages.withSyntax(text, "python", (syntax) =>
      chunk(text, syntax, {
        languageId: "python",
        chunkSize: 200,
        chunkOverlap: 60,
        strategy: "semantic",
      }),
    );
    expect(namesOf(semantic)).toEqual(["LIMIT_0 LIMIT_1 LIMIT_2 LIMIT_3", "run"]);
    expect(semantic.map(({ blockType }) => blockType)).toEqual([undefined, "function_definition"]);
  });
  it("Separate definitions have no overlap", async () => {
    const chunks = await cut("javascript", `${fn("a", 6)}${fn("b", 6)}`);
    expect(linesOf(chunks)).toEqual(["0-7", "8-15"]);
  });
  it("A long class is cut at its members, with its head in the first chunk", async () => {
    const method = (name: string) => `  ${name}() {\n${"    work(1, 2, 3, 4);\n".repeat(5)}  }\n`;
    const chunks = await cut(
      "javascript",
      `class A {\n${method("b")}${method("c")}${method("d")}}\n`,
    );
    expect(namesOf(chunks)).toEqual(["A A.b", "A.c", "A.d"]);
    expect(chunks.map(({ hierarchy }) => hierarchy)).toEqual(["A", "A", "A"]);
    expect(linesOf(chunks)).toEqual(["0-7", "8-14", "15-22"]);
  });
  it("A chunk names its block type", async () => {
    const [only] = await cut("python", "class A:\n  def b(self): pass\n");
    expect(only?.blockType).toBe("class_definition");
    expect(only?.hierarchy).toBeUndefined();
  });
  it("A definition is never cut inside its head", async () => {
    const chunks = await cut("c", `int\nadd(int a)\n{\n${"  call_with(1, 2, 3);\n".repeat(20)}}\n`);
    expect(chunks[0]?.text).toMatch(/^int\nadd\(int a\)\n\{\n {2}call/);
  });
  it("A merged chunk has no context beyond its own lines", async () => {
    const [only] = await cut("javascript", `${fn("a", 2)}\n${fn("b", 2)}`);
    expect(only?.context).toEqual(only?.lines);
  });
});

describe("text without syntax", () => {
  it("Prose is cut at headings, not at comments in code blocks", async () => {
    const section = (title: string) => `# ${title}\n\n${"words and words\n".repeat(9)}\n`;
    const text = `${section("One")}\`\`\`sh\n# comment\n\`\`\`\n${section("Two")}`;
    expect((await cut("markdown", text)).map(({ text: own }) => own.split("\n")[0])).toEqual([
      "# One",
      "# Two",
    ]);
  });
  it("Configuration is cut at its top-level keys", async () => {
    const entry = (key: string) => `${key}:\n${"  name: some value\n".repeat(8)}`;
    expect(linesOf(await cut("yaml", entry("one") + entry("two")))).toEqual(["0-8", "9-17"]);
  });
  it("A list is cut before its key, not between items at the same column", async () => {
    const list = (title: string) => `${title}:\n${"- some words of it\n".repeat(8)}`;
    const text = list("one") + list("two") + list("three");
    expect(linesOf(await cut("text", text))).toEqual(["0-8", "9-17", "18-26"]);
  });
  it("Plain text is cut at blank lines before other lines", async () => {
    const paragraph = "words and words and words\n".repeat(5);
    expect(linesOf(await cut("text", `${paragraph}\n${paragraph}\n${paragraph}`))).toEqual([
      "0-4",
      "6-10",
      "12-16",
    ]);
  });
  it("A text with many blank lines is cut", async () => {
    const chunks = await cut("text", `a(\n${"\n".repeat(50_000)})\n`);
    expect(chunks.map(({ text: own }) => own)).toEqual(["a(", ")"]);
  });
  it("Code without a grammar is cut at definition patterns", async () => {
    const kotlin = (name: string) => `fun ${name}() {\n${"    println(1 + 1)\n".repeat(7)}}\n`;
    expect(namesOf(await cut("kotlin", `import a\n\n${kotlin("one")}${kotlin("two")}`))).toEqual([
      "one",
      "two",
    ]);
  });
});

describe("one long line", () => {
  it("A long line is cut after separators", async () => {
    const chunks = await cut("json", `[${"123456789,".repeat(50)}0]`);
    expect(chunks.length).toBeGreaterThan(2);
    for (const { text } of chunks.slice(0, -1)) expect(text).toMatch(/,$/);
  });
  it("A long line without separators is cut between characters", async () => {
    const text = "🎉".repeat(200);
    const chunks = await cut("text", text);
    expect(chunks.map((one) => one.text).join("")).toBe(text);
    for (const { text: own, span } of chunks) {
      expect(own).toMatch(/^(?:🎉)+$/u);
      expect(span.end - span.start).toBeLessThanOrEqual(200);
    }
  });
  it("Each definition on a long line is a symbol of the piece that contains it", async () => {
    const line = Array.from({ length: 30 }, (_, i) => `function f${i}(){return ${i}}`).join(";");
    const names = namesOf(await cut("javascript", line))
      .join(" ")
      .split(" ");
    expect(names.length).toBe(30);
    expect(names[29]).toBe("f29");
  });
});

it("An empty or blank file has no chunks", async () => {
  expect(await cut("python", "")).toEqual([]);
  expect(await cut("python", "\n  \n\t\r\n")).toEqual([]);
});

it("A chunk keeps the indentation of its first line and has no surrounding blank lines", async () => {
  const [only] = await cut("text", "\n\n  indented\n\n");
  expect(only?.text).toBe("  indented");
  expect(only?.lines).toEqual({ start: 2, end: 2 });
  expect(only?.span).toEqual({ start: 2, end: 12 });
});
