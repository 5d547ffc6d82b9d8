/** The samples of grammars/ as they are cut: read the files under golden/ to see what the chunker does. */

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { chunk } from "../../server/indexing/chunk.ts";
import { createLanguages } from "../../server/languages/languages.ts";
import type { Chunk, Lines } from "../../server/model.ts";

const GRAMMARS = resolve(import.meta.dirname, "../../grammars");
const languages = createLanguages();

const samples = readdirSync(GRAMMARS, { recursive: true, encoding: "utf8" })
  .filter((file) => /\/sample\.\w+$/.test(file))
  .toSorted();

it.each(samples)("%s", async (sample) => {
  const text = readFileSync(join(GRAMMARS, sample), "utf8");
  const id = languages.detect(sample, text);
  // Half the usual size, so that samples of a screen show every kind of cut.
  const chunks = await languages.withSyntax(text, id, (syntax) =>
    chunk(text, syntax, { languageId: id, chunkSize: 500, chunkOverlap: 150 }),
  );
  const golden = chunks.map(show).join("\n");
  await expect(golden).toMatchFileSnapshot(join(import.meta.dirname, `golden/${id}.txt`));
});

/** Lines are counted from 1, as editors show them. */
function show({ lines, span, context, hierarchy, blockType, symbols, text }: Chunk): string {
  const facts = [
    `chunk ${range(lines)}, ${span.end - span.start} bytes`,
    ...(range(context) === range(lines) ? [] : [`context ${range(context)}`]),
    ...(hierarchy === undefined ? [] : [`in ${hierarchy}`]),
    ...(blockType === undefined ? [] : [blockType]),
  ];
  const named = symbols.map(
    ({ type, name, lines: own, signature }) => `--- ${type} ${name} ${range(own)}: ${signature}\n`,
  );
  const body = text
    .split("\n")
    .map((line, i) => `${String(lines.start + i + 1).padStart(4)}  ${line}`);
  return `=== ${facts.join("; ")}\n${named.join("")}${body.join("\n").replaceAll(/ +$/gm, "")}\n`;
}

function range({ start, end }: Lines): string {
  return `${start + 1}-${end + 1}`;
}
