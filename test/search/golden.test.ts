/** What is found in the samples of all languages, with scores and reasons: read golden.txt. */

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import type { LiveLanes } from "../../server/contracts/lanes.ts";
import type { Hit } from "../../server/contracts/model.ts";
import type { SearchRequest } from "../../server/contracts/session.ts";
import type { StoredChunk } from "../../server/contracts/stored-chunk.ts";
import { chunk } from "../../server/indexing/chunking/chunk.ts";
import { describeChunk } from "../../server/indexing/chunking/describe-chunk.ts";
import { categorizer } from "../../server/languages/categories.ts";
import { createLanguages } from "../../server/languages/languages.ts";
import type { SearchContext } from "../../server/search/context.ts";
import { createMemoryLanes } from "../../server/search/lanes/memory-lanes.ts";
import { analyze, search } from "../../server/search/search.ts";
import { contextOf, indexOf, vectorOf } from "./support.ts";

const GRAMMARS = resolve(import.meta.dirname, "../../grammars");
/** Files that are ranked by what they are for. */
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
    for (const one of chunks) {
      const { text: own, ...rest } = describeChunk(one, path);
      stored.push({ ...rest, path, languageId, vector: vectorOf(own) });
    }
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

it("in the order, for the reasons", async () => {
  const lanes = createMemoryLanes({ categorizer });
  await lanes.replace([], await storedChunks());
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
