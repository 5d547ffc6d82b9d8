/**
 * Chunks of a sample of every language and format, in golden/: their ranges, definitions and first lines.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, it } from "vitest";
import type { Chunk, Lines } from "../../../server/contracts/model.ts";
import { chunk } from "../../../server/indexing/chunking/chunk.ts";
import { createLanguages } from "../../../server/languages/languages.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
/** Samples with a grammar, and samples of languages and formats without one. */
const FOLDERS = ["grammars", "test/languages/samples"];
const languages = createLanguages();

const samples = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && (folder !== "grammars" || /^sample\.\w+$/.test(entry.name)),
    )
    .map((entry) => ({
      folder,
      path: relative(join(ROOT, folder), join(entry.parentPath, entry.name)),
    })),
).toSorted((a, b) => a.path.localeCompare(b.path, "en"));

it.each(samples)("$path", async ({ folder, path }) => {
  const text = readFileSync(join(ROOT, folder, path), "utf8");
  const id = languages.detect(path, text);
  const about = { path };
  // Half the usual size, so that samples of a screen show every kind of cut.
  const cut = { languageId: id, chunkSize: 500, chunkOverlap: 150 };
  const chunks = await languages.withSyntax(text, id, (syntax) => chunk(text, syntax, cut), about);
  const name = folder === "grammars" ? id : path.replaceAll("/", "-").replace(/^\./, "");
  const golden = join(import.meta.dirname, `golden/${name}.txt`);
  const lines = text.split("\n");
  for (const one of chunks)
    expect(one.text).toBe(lines.slice(one.lines.start, one.lines.end + 1).join("\n"));
  await expect(chunks.map((one) => show(one, folder)).join("")).toMatchFileSnapshot(golden);
});

/** Lines are counted from 1, as editors show them. */
function show(
  { lines, span, context, hierarchy, blockType, symbols, text }: Chunk,
  folder: string,
): string {
  // golden-cuts/ has the definitions of the samples with a grammar.
  const isBrief = folder === "grammars";
  const facts = [
    `chunk ${range(lines)}, ${span.end - span.start} bytes`,
    ...(range(context) === range(lines) ? [] : [`context ${range(context)}`]),
    ...(hierarchy === undefined ? [] : [`in ${hierarchy}`]),
    ...(blockType === undefined ? [] : [blockType]),
    ...(isBrief && symbols.length > 0
      ? [`defines ${symbols.map(({ name }) => name).join(" ")}`]
      : []),
  ];
  const named = (isBrief ? [] : symbols).map(
    ({ type, name, lines: own, signature }) => `--- ${type} ${name} ${range(own)}: ${signature}\n`,
  );
  const first = `${String(lines.start + 1).padStart(4)}  ${text.split("\n", 1)[0]}`.trimEnd();
  return `=== ${facts.join("; ")}\n${named.join("")}${first}\n`;
}

function range({ start, end }: Lines): string {
  return `${start + 1}-${end + 1}`;
}
