/**
 * Properties of the chunks of every file: no text is lost, no chunk is too large, each definition is in one chunk, and spans are
 * correct.
 * @module-tag slow
 */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { Syntax } from "../../../server/contracts/languages.ts";
import type { Chunk } from "../../../server/contracts/model.ts";
import { chunk } from "../../../server/indexing/chunking/chunk.ts";
import { createLanguages } from "../../../server/languages/languages.ts";
import { LANGUAGE_IDS } from "../../../server/languages/table.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const languages = createLanguages();

const SIZES = [
  { chunkSize: 1000, chunkOverlap: 300 },
  { chunkSize: 120, chunkOverlap: 0 },
  { chunkSize: 100, chunkOverlap: 10_000 },
  { chunkSize: 500, chunkOverlap: 100, strategy: "semantic" },
  { chunkSize: 500, chunkOverlap: 100, strategy: "fixed" },
  { chunkSize: 500, chunkOverlap: 100, strategy: "sliding" },
] as const;

async function check(text: string, languageId: string): Promise<void> {
  await languages.withSyntax(text, languageId, (syntax) => {
    for (const sizes of SIZES) {
      const chunks = chunk(text, syntax, { languageId, ...sizes });
      checkSpans(text, chunks, sizes.chunkSize);
      checkCoverage(text, chunks);
      checkSymbols(chunks, syntax);
    }
  });
}

/** One expectation for all chunks, because thousands of expectations would be slow. */
function checkSpans(text: string, chunks: readonly Chunk[], chunkSize: number): void {
  const bytes = Buffer.from(text);
  const wrong = chunks.filter(({ span, lines, text: own, context }, i) => {
    const isTrue = bytes.subarray(span.start, span.end).equals(Buffer.from(own));
    const isSmall = span.end - span.start <= chunkSize;
    const isInOrder = span.start > (chunks[i - 1]?.span.start ?? -1);
    const hasLines = lines.end - lines.start === own.split("\n").length - 1;
    const isInContext = context.start <= lines.start && lines.end <= context.end;
    return !(isTrue && isSmall && isInOrder && hasLines && isInContext);
  });
  expect(wrong).toEqual([]);
}

function checkCoverage(text: string, chunks: readonly Chunk[]): void {
  const bytes = Buffer.from(text);
  let end = 0;
  const gaps: string[] = [];
  for (const { span } of chunks) {
    gaps.push(bytes.subarray(end, Math.max(end, span.start)).toString());
    end = Math.max(end, span.end);
  }
  gaps.push(bytes.subarray(end).toString());
  expect(gaps.join("").trim()).toBe("");
}

function checkSymbols(chunks: readonly Chunk[], { definitions }: Syntax): void {
  const named = chunks.flatMap(({ symbols }) => symbols);
  expect(named.length).toBe(definitions.length);
  expect(new Set(named)).toEqual(new Set(definitions.map(({ symbol }) => symbol)));
  const elsewhere = chunks.filter(({ symbols, lines }) =>
    symbols.some(({ nameLine }) => nameLine < lines.start || nameLine > lines.end),
  );
  expect(elsewhere).toEqual([]);
}

/** A sample of the files of a folder. */
function filesUnder(folder: string, pattern: RegExp, step: number): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => pattern.test(file))
    .toSorted()
    .filter((_, i) => i % step === 0)
    .map((file) => join(folder, file));
}

describe("Chunks of this project and its packages have the properties:", () => {
  const files = [
    ...filesUnder(join(ROOT, "server"), /\.ts$/, 4),
    ...filesUnder(join(ROOT, "node_modules/vitest"), /\.(?:js|ts|md|json)$/, 20),
    ...filesUnder(join(ROOT, "node_modules/@parcel/watcher"), /\.(?:js|cc|hh|json)$/, 6),
    ...filesUnder(join(ROOT, "grammars"), /sample\.\w+$/, 1),
    ...filesUnder(join(ROOT, "test/languages/samples"), /\w+$/, 1).filter((file) =>
      statSync(file).isFile(),
    ),
  ];

  it.each(files.map((file) => [file.slice(ROOT.length + 1), file]))("%s", async (_, file) => {
    const text = readFileSync(file, "utf8");
    await check(text.slice(0, 60_000), languages.detect(file, text));
  });
});

describe("Chunks of unusual texts have the properties:", () => {
  const sample = readFileSync(join(ROOT, "grammars/typescript/sample.ts"), "utf8");

  it.each([
    ["an empty file", ""],
    ["one character", "x"],
    ["blank lines only", "\n\n \n"],
    ["CRLF", sample.replaceAll("\n", "\r\n")],
    ["no line feed at the end", sample.trimEnd()],
    ["characters of two, three and four bytes", sample.replaceAll("user", "üßer漢字🎉")],
    ["a lone half of a pair", `const a = "\ud83c";\n`.repeat(50)],
    ["one line of JSON", JSON.stringify(Array.from({ length: 3000 }, (_, i) => ({ id: i })))],
    ["one word without end", "a".repeat(5000)],
    ["deep brackets over many lines", "[\n".repeat(2000) + "]\n".repeat(2000)],
    ["tabs and trailing blanks", sample.replaceAll("  ", "\t").replaceAll("\n", "  \n")],
    ["cut in the middle", sample.slice(0, sample.length / 2)],
  ])("%s", async (_, text) => {
    for (const id of ["typescript", "python", "markdown", "text"]) await check(text, id);
  });

  it("texts in every language have the properties", async () => {
    for (const id of LANGUAGE_IDS) await check(sample, id);
  });
});

it("Chunking is deterministic", async () => {
  const text = readFileSync(join(ROOT, "grammars/typescript/sample.ts"), "utf8");
  const cut = () =>
    languages.withSyntax(text, "typescript", (syntax) =>
      chunk(text, syntax, { languageId: "typescript", chunkSize: 300, chunkOverlap: 90 }),
    );
  expect(await cut()).toEqual(await cut());
});

it("A line of 1 MB is cut", async () => {
  const text = JSON.stringify(Array.from({ length: 40_000 }, (_, i) => ({ id: i, name: `é${i}` })));
  const chunks = await languages.withSyntax(text, "json", (syntax) =>
    chunk(text, syntax, { languageId: "json", chunkSize: 1000, chunkOverlap: 300 }),
  );
  expect(chunks.length).toBeGreaterThan(1000);
});
