/**
 * Measures parsing and chunking of real source by language: parse errors, definitions, lost text, speed.
 *
 * usage: npm run languages -- FOLDER... [--ctags] [--most N] [--missing LANGUAGE]
 *
 * Takes at most N files of each language (200), spread over the folders. --ctags compares the functions,
 * methods and types with Universal Ctags; --missing lists the definitions of a language that only ctags finds.
 */

import { join } from "node:path";
import type { Chunk } from "../server/contracts/model.ts";
import { chunk } from "../server/indexing/chunking/chunk.ts";
import { createLanguages } from "../server/languages/languages.ts";
import { hasWitness, isFound, tagsOf } from "./languages/ctags.ts";
import { filesByLanguage, type SourceFile } from "./languages/source-files.ts";
import { scriptOptions, usageIn } from "./script-options.ts";

const SIZES = { chunkSize: 1500, chunkOverlap: 300 };

interface Tally {
  files: number;
  ok: number;
  partial: number;
  definitions: number;
  bytes: number;
  ms: number;
  lost: number;
  tags: number;
  found: number;
}

const languages = createLanguages();
const { values, positionals } = scriptOptions(usageIn(import.meta.filename), {
  allowPositionals: true,
  options: {
    ctags: { type: "boolean", default: false },
    most: { type: "string", default: "200" },
    missing: { type: "string" },
  },
});
const tallies = new Map<string, Tally>();
const byLanguage = await filesByLanguage(languages, positionals);
for (const [languageId, files] of byLanguage) {
  for (const file of spread(files, Number(values.most))) await measure(languageId, file);
}
print();

function spread(files: readonly SourceFile[], most: number): SourceFile[] {
  const step = Math.max(1, files.length / most);
  return files.filter((_, i) => i === 0 || Math.floor(i / step) > Math.floor((i - 1) / step));
}

async function measure(languageId: string, { folder, path, text }: SourceFile): Promise<void> {
  const file = join(folder, path);
  const tally = tallies.get(languageId) ?? newTally();
  tallies.set(languageId, tally);
  const started = performance.now();
  const { chunks, definitions, health } = await languages.withSyntax(
    text,
    languageId,
    (syntax) => ({
      chunks: chunk(text, syntax, { languageId, ...SIZES }),
      definitions: syntax.definitions,
      health: syntax.health,
    }),
    { path: file },
  );
  tally.ms += performance.now() - started;
  tally.files++;
  tally.bytes += Buffer.byteLength(text);
  tally.definitions += definitions.length;
  if (health.status === "ok") tally.ok++;
  if (health.status === "partial") tally.partial++;
  if (isTextLost(text, chunks)) tally.lost++;
  const tags = values.ctags && hasWitness(languageId) ? tagsOf(file, languageId) : undefined;
  for (const tag of tags ?? []) {
    tally.tags++;
    if (isFound(tag, definitions)) tally.found++;
    else if (values.missing === languageId)
      console.log(`${file}:${tag.line} ${tag.kind} ${tag.name}`);
  }
}

function newTally(): Tally {
  return {
    files: 0,
    ok: 0,
    partial: 0,
    definitions: 0,
    bytes: 0,
    ms: 0,
    lost: 0,
    tags: 0,
    found: 0,
  };
}

/** Whether a line that is not blank is in no chunk. */
function isTextLost(text: string, chunks: readonly Chunk[]): boolean {
  const bytes = Buffer.from(text);
  let end = 0;
  for (const { span } of [...chunks, { span: { start: bytes.length, end: bytes.length } }]) {
    if (bytes.subarray(end, Math.max(end, span.start)).toString().trim() !== "") return true;
    end = Math.max(end, span.end);
  }
  return false;
}

function print(): void {
  const rows = [...tallies].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const share = (part: number, whole: number) =>
    whole === 0 ? "" : `${((100 * part) / whole).toFixed(1)} %`;
  console.table(
    Object.fromEntries(
      rows.map(([id, { files, ok, partial, definitions, bytes, ms, lost, tags, found }]) => [
        id,
        {
          files,
          clean: share(ok, files),
          "with a tree": share(ok + partial, files),
          definitions,
          "MB/s": (bytes / 1000 / ms).toFixed(1),
          "files with lost text": lost,
          ...(values.ctags ? { "of ctags": share(found, tags), tags } : {}),
        },
      ]),
    ),
  );
  const { rss } = process.memoryUsage();
  console.log(`${rows.length} languages, ${Math.round(rss / 1e6)} MB with their grammars loaded`);
}
