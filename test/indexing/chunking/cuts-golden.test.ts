/** Boundaries of small chunks of the samples, by strategy, and without their grammar: read golden-cuts/. */

import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import type { Chunk, CodeSymbol } from "../../../server/contracts/model.ts";
import { chunk } from "../../../server/indexing/chunking/chunk.ts";
import type { ChunkOptions } from "../../../server/indexing/chunking/chunk-page.ts";
import { createLanguages } from "../../../server/languages/languages.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const languages = createLanguages();

const SMALL = { chunkSize: 200, chunkOverlap: 60 };
const SIZES = [SMALL, { chunkSize: 300, chunkOverlap: 90, strategy: "semantic" }] as const;
/** Sliding cuts depend on lengths and definitions alone, so a few samples are enough. */
const SLIDING_SAMPLES = /\.(?:py|cs|md|sql)$/;
const SLIDING_SIZES = [
  { chunkSize: 250, chunkOverlap: 100, strategy: "sliding" },
  // The overlap is at most half of a chunk.
  { chunkSize: 250, chunkOverlap: 240, strategy: "sliding" },
] as const;

const filesIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) =>
    join(folder, path).replaceAll("\\", "/"),
  );
const samples = [
  ...filesIn("grammars").filter((path) => /\/sample\.\w+$/.test(path)),
  ...filesIn("test/languages/samples").filter((path) =>
    /\.(?:md|rst|yaml|vue|sql|erl|f90|el|ml)$/.test(path),
  ),
].toSorted();

const linesOf = ({ start, end }: Chunk["lines"]) => `${start + 1}-${end + 1}`;

function showSymbol({ type, name, lines, nameLine, signature }: CodeSymbol): string {
  return `  ${type} ${name} ${linesOf(lines)} at ${nameLine + 1}: ${signature}`;
}

function showChunk({ span, lines, context, symbols, blockType, hierarchy }: Chunk): string {
  const parts = [`${linesOf(lines)} bytes ${span.start}-${span.end} in ${linesOf(context)}`];
  if (blockType !== undefined) parts.push(blockType);
  if (hierarchy !== undefined) parts.push(`of ${hierarchy}`);
  if (symbols.length > 0) parts.push(`defines ${symbols.map(({ name }) => name).join(" ")}`);
  return parts.join(", ");
}

async function shownCuts(
  text: string,
  path: string,
  all: readonly Omit<ChunkOptions, "languageId">[],
  unparsed?: string,
): Promise<string[]> {
  const languageId = languages.detect(path, text);
  const about = { path, ...(unparsed === undefined ? {} : { unparsed }) };
  return await languages.withSyntax(
    text,
    languageId,
    (syntax) => [
      `${languageId}, ${syntax.health.status}`,
      ...syntax.definitions.map(({ symbol }) => showSymbol(symbol)),
      ...all.flatMap((sizes) => [
        Object.values(sizes).join(" "),
        ...chunk(text, syntax, { languageId, ...sizes }).map(showChunk),
      ]),
    ],
    about,
  );
}

it.each(samples)("%s", async (path) => {
  const text = readFileSync(join(ROOT, path), "utf8").replaceAll("\r\n", "\n").slice(0, 3_000);
  const sizes = SLIDING_SAMPLES.test(path) ? [...SIZES, ...SLIDING_SIZES] : SIZES;
  const shown = await shownCuts(text, path, sizes);
  if (path.startsWith("grammars/"))
    shown.push("", ...(await shownCuts(text, path, [SMALL], "not parsed in this test")));
  const name = `${basename(dirname(path))}-${basename(path)}.txt`;
  await expect(`${shown.join("\n")}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, "golden-cuts", name),
  );
});
