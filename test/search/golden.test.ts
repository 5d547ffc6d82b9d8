/**
 * Hits in the samples of all languages, with scores and reasons: read golden.txt. In golden-by-chance.txt, what
 * questions find that are put together by chance.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import type { LiveLanes } from "../../server/contracts/lanes.ts";
import type { Hit } from "../../server/contracts/model.ts";
import type { SearchRequest } from "../../server/contracts/session.ts";
import type { StoredChunk } from "../../server/contracts/stored-chunk.ts";
import { chunk } from "../../server/indexing/chunking/chunk.ts";
import { categorizer } from "../../server/languages/categories.ts";
import { createLanguages } from "../../server/languages/languages.ts";
import type { SearchContext } from "../../server/search/context.ts";
import { createMemoryLanes } from "../../server/search/lanes/memory-lanes.ts";
import { analyze, search } from "../../server/search/search.ts";
import { type Random, random } from "../support/random.ts";
import { contextOf, indexOf, vectorOf } from "./support.ts";

const GRAMMARS = resolve(import.meta.dirname, "../../grammars");
/** Files that are ranked by their purpose. */
const PLACES = ["src/", "test/", "docs/examples/", "vendor/", "src/jobs/queue_"];

const REQUESTS: readonly SearchRequest[] = [
  { query: "how is a job put into the queue" },
  { query: "where are connections closed" },
  { query: "open a user by name", limit: 5 },
  { query: "Queue.Run" },
  { query: "UserService" },
  { query: "get_user" },
  { query: "getUser" },
  { query: "class Queue" },
  { query: "src/sample.go" },
  { query: "queue_sample" },
  { query: '"context" queue' },
  { query: '"return nil"' },
  { query: "test of the queue" },
  { query: "example of a job" },
  { query: "lang:python user service" },
  { query: "type:function run", limit: 4 },
  { query: "path:src/ read the file" },
  { query: "languages that parse", languages: ["typescript", "python"] },
  { query: "run", symbolTypes: ["method"] },
  { query: "queue", symbolName: "*Queue*" },
  { query: "size of the buffer", paths: ["src/**"] },
  { query: "queue of jobs", hybrid: true },
  { query: "queue of jobs", hybrid: false },
  { query: "queue of jobs", minScore: 0.4 },
  { query: "quue jobb" },
  { query: "not without error handling" },
  { query: "panic: boom\n\tsrc/sample.go:45 +0x1\n\tmain.go:3" },
  { query: 'File "src/sample.py", line 12, in get_user\n    raise KeyError(name)\nKeyError: ada' },
  { query: "TypeError: cannot read properties of undefined\n    at run (src/sample.ts:20:5)" },
  { query: "asynchronous functions awaited" },
  { query: "wie wird ein Benutzer gespeichert" },
  { query: "retry, timeout & backoff!" },
];

/** The lines of each file. */
const texts = new Map<string, readonly string[]>();

async function storedChunks(): Promise<StoredChunk[]> {
  const languages = createLanguages();
  const files = readdirSync(GRAMMARS, { recursive: true, encoding: "utf8" })
    .filter((path) => /\bsample\.\w+$/.test(path))
    .toSorted();
  const stored: StoredChunk[] = [];
  for (const [i, file] of files.entries()) {
    const text = readFileSync(join(GRAMMARS, file), "utf8").replaceAll("\r\n", "\n");
    const path = `${i % 3 === 0 ? (PLACES[(i / 3) % PLACES.length] ?? "") : "src/"}${file.replace(/^.*[/\\]/, "")}`;
    texts.set(path, text.split("\n"));
    const languageId = languages.detect(path, text);
    const options = { languageId, chunkSize: 400, chunkOverlap: 80 };
    const chunks = await languages.withSyntax(text, languageId, (syntax) =>
      chunk(text, syntax, options),
    );
    for (const one of chunks) stored.push({ ...one, path, languageId, vector: vectorOf(one.text) });
  }
  return stored;
}

function showHit({ path, lines, score, matchType, symbol, bestLine, why = [] }: Hit): string[] {
  const name = symbol === undefined ? "" : ` ${symbol.type} ${symbol.name}`;
  const at = bestLine === undefined ? "" : ` best ${bestLine.line + 1}`;
  const place = `${path}:${lines.start + 1}-${lines.end + 1}${name}${at}`;
  return [
    `  ${score.toFixed(3)} ${matchType} ${place}`,
    ...why.map(({ name: reason, contribution }) => `    ${contribution.toFixed(5)} ${reason}`),
  ];
}

const context = (lanes: LiveLanes): SearchContext => ({
  ...contextOf(indexOf("samples", lanes)),
  readLines: async (_, path, { start, end }) => texts.get(path)?.slice(start, end + 1) ?? [],
});

const lanes = createMemoryLanes({ categorizer });
await lanes.replace([], await storedChunks());

it("hits have the recorded order and reasons", async () => {
  const shown: string[] = [];
  for (const request of REQUESTS) {
    const { hits, mode, warnings } = await search(context(lanes), {
      limit: 6,
      ...request,
      explain: true,
    });
    shown.push(`${JSON.stringify(request)}: ${[mode, ...warnings].join(", ")}`);
    shown.push(...hits.flatMap(showHit));
    const { stages } = await analyze(context(lanes), { limit: 6, ...request });
    shown.push(`  ${stages.map(({ name, count }) => `${name} ${count ?? "-"}`).join(", ")}`);
  }
  await expect(`${shown.join("\n")}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, "golden.txt"),
  );
});

const QUESTIONS = 40;

/** Some words of a line of the samples, as people ask for them: in parts, in quotes, misspelt, pasted, with filters. */
function requestBy(chance: Random): SearchRequest {
  const [path, lines] = chance.pick([...texts]);
  const at = chance.int(lines.length);
  const words = (lines[at] ?? "").match(/[\w$]+/g) ?? ["queue"];
  const word = chance.pick(words);
  const some = words.slice(chance.int(words.length)).slice(0, 4).join(" ");
  const letter = chance.int(word.length);
  const typo = word.slice(0, letter) + word.slice(letter + 1);
  const name = path.replace(/^.*\//, "");
  const query = chance.pick([
    some,
    word,
    `where is ${word} used`,
    `"${some}"`,
    `${typo} ${some}`,
    typo,
    `${path}:${at + 1}`,
    `${word} in ${name}`,
    `lang:${name.replace(/^.*\./, "")} ${some}`,
    `type:function ${word}`,
    `path:src/ ${some}`,
    `how to ${word} without ${chance.pick(words)}`,
    `${word} breaks\n\n${lines.slice(at, at + 6).join("\n")}\n\n${"This happens each time. ".repeat(9)}`,
    `Error: ${some}\n    at ${word} (${path}:${at + 1}:3)\n    at main (src/sample.js:2:1)`,
  ]);
  return {
    query: query === "" ? "queue" : query,
    limit: 1 + chance.int(5),
    ...(chance.chance(0.1) ? { minScore: 0.2 } : {}),
    ...(chance.chance(0.1) ? { hybrid: false } : {}),
    ...(chance.chance(0.1) ? { paths: [`**/*${name.replace(/^.*\./, ".")}`] } : {}),
    ...(chance.chance(0.1) ? { symbolName: `*${word.slice(0, 3)}*` } : {}),
    ...(chance.chance(0.1) ? { symbolTypes: ["function", "method"] } : {}),
  };
}

it("hits of random questions are as recorded", async () => {
  const chance = random(1);
  const shown: string[] = [];
  for (let i = 0; i < QUESTIONS; i++) {
    const request = requestBy(chance);
    const asked = { ...request, explain: true };
    const { hits, mode, warnings } = await search(context(lanes), asked).catch((error: Error) => ({
      hits: [],
      mode: "none",
      warnings: [error.message],
    }));
    shown.push(`${JSON.stringify(request)}: ${[mode, ...warnings].join(", ")}`);
    for (const hit of hits) {
      const { column, highlights } = hit.bestLine ?? {};
      const reasons = hit.why?.map((one) => `${one.name} ${one.contribution.toFixed(4)}`).join(" ");
      shown.push(`${showHit({ ...hit, why: [] })[0]}:${column} ${highlights?.join(";")}`);
      shown.push(`    ${reasons}`);
    }
  }
  await expect(`${shown.join("\n")}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, "golden-by-chance.txt"),
  );
});
