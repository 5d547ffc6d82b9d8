/**
 * Measures memory and latency of the lanes in memory from ten thousand chunks to a million, a JSON line per size. Files
 * are prepared once; if there are too few, they are repeated with other words and names.
 *
 * usage: node --expose-gc --max-old-space-size=12000 --import tsx scripts/bench/scale.ts [--chunks 1000000] FOLDER...
 */

import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { deserialize, serialize } from "node:v8";
import { fnv1a } from "../../server/common/hash.ts";
import type { PackedArrays } from "../../server/common/packed/packed-arrays.ts";
import { inSlices } from "../../server/common/slices.ts";
import { wordsOf } from "../../server/common/words.ts";
import { DEFAULTS } from "../../server/config/settings.ts";
import type { LiveLanes } from "../../server/contracts/lanes.ts";
import type { StoredChunk } from "../../server/contracts/stored-chunk.ts";
import { embedFile } from "../../server/embedding/builtin.ts";
import { loadEmbeddingModel } from "../../server/embedding/embedding-model.ts";
import { StaticEmbedder } from "../../server/embedding/static-embedder.ts";
import { discover } from "../../server/indexing/discovery/discover.ts";
import { createIgnoreRules } from "../../server/indexing/ignore/ignore-rules.ts";
import { prepareFile } from "../../server/indexing/prepare.ts";
import { categorizer } from "../../server/languages/categories.ts";
import { createLanguages } from "../../server/languages/languages.ts";
import { countFileTerms } from "../../server/search/lanes/count-file-terms.ts";
import { createMemoryLanes } from "../../server/search/lanes/memory-lanes.ts";
import { QUESTIONS } from "./questions.ts";
import { percentile, rounded } from "./statistics.ts";

const SIZES = [10_000, 30_000, 60_000, 100_000, 200_000, 300_000, 500_000, 700_000, 1_000_000];
/** Memory that was collected has gone back to the system by then. */
const FREED_AFTER_MS = 1_000;
/** As a search asks its lanes. */
const LIMIT = 100;

const { values, positionals: folders } = parseArgs({
  options: { chunks: { type: "string", default: "1000000" } },
  allowPositionals: true,
});
if (folders.length === 0) throw new Error("usage: scale.ts [--chunks N] FOLDER...");

const embedder = new StaticEmbedder(loadEmbeddingModel());
const scratch = mkdtempSync(join(tmpdir(), "cocosearch-scale-"));
const store = openSync(join(scratch, "files"), "w+");
/** The offset of each prepared file in `store`. */
const places: { readonly at: number; readonly size: number }[] = [];

try {
  await prepareAll();
  await measure(Number(values.chunks));
} finally {
  closeSync(store);
  rmSync(scratch, { recursive: true });
}

async function prepareAll(): Promise<void> {
  const languages = createLanguages();
  const start = process.cpuUsage();
  let [end, chunks, bytes] = [0, 0, 0];
  for (const root of folders) {
    for await (const { path } of discover(root, createIgnoreRules(root, DEFAULTS))) {
      const content = readFileSync(join(root, path));
      if (content.length > DEFAULTS["indexing.maxFileBytes"]) continue;
      const { "indexing.chunkSize": chunkSize, "indexing.chunkOverlap": chunkOverlap } = DEFAULTS;
      const about = { path: join(root, path), sha256: "", size: content.length, mtimeMs: 0 };
      const prepared = await prepareFile(content, { ...about, chunkSize, chunkOverlap }, languages);
      if (prepared.kind !== "prepared") continue;
      const { chunks: own, languageId } = prepared.file;
      const vectors = embedFile(embedder, prepared.file);
      const { dimension } = embedder.table;
      const stored: StoredChunk[] = own.map((chunk, i) => ({
        ...chunk,
        path: about.path,
        languageId,
        vector: vectors.slice(i * dimension, (i + 1) * dimension),
      }));
      const written = serialize(stored);
      writeSync(store, written, 0, written.length, end);
      places.push({ at: end, size: written.length });
      end += written.length;
      chunks += own.length;
      bytes += content.length;
    }
  }
  const { user, system } = process.cpuUsage(start);
  const prepareCpuS = rounded((user + system) / 1e6);
  print({ files: places.length, chunks, sourceMb: rounded(bytes / 1e6), prepareCpuS });
}

async function measure(most: number): Promise<void> {
  const lanes = createMemoryLanes({ categorizer });
  globalThis.gc?.();
  const before = process.memoryUsage();
  let [addMs, next] = [0, 0];
  for (let round = 0; lanes.size < most; round++) {
    for (const { at, size } of places) {
      const bytes = Buffer.alloc(size);
      readSync(store, bytes, 0, size, at);
      const plain = (deserialize(bytes) as StoredChunk[]).map((chunk) => altered(chunk, round));
      const file = countFileTerms(plain[0]?.path ?? "", plain);
      const chunks = plain.map((one, chunk) => ({ ...one, terms: { file, chunk } }));
      const start = performance.now();
      await lanes.replace([chunks[0]?.path ?? ""], chunks);
      addMs += performance.now() - start;
      if (lanes.size < (SIZES[next] ?? Infinity)) continue;
      await report(lanes, { round, addMs, before });
      next++;
      if (lanes.size >= most) return;
    }
  }
}

/** A program of another repository: other names, and a part of its words is its own. */
function altered(chunk: StoredChunk, round: number): StoredChunk {
  if (round === 0) return chunk;
  const own = (word: string) =>
    word.length > 5 && fnv1a(word) % 4 === 0 ? `${word}${round}` : word;
  return {
    ...chunk,
    path: `${round}/${chunk.path}`,
    text: chunk.text.replaceAll(/\w+/g, own),
    symbols: chunk.symbols.map((symbol) => ({ ...symbol, name: own(symbol.name) })),
  };
}

interface Progress {
  readonly round: number;
  readonly addMs: number;
  readonly before: NodeJS.MemoryUsage;
}

async function report(lanes: LiveLanes, { round, addMs, before }: Progress): Promise<void> {
  // As after a pass.
  await lanes.refreshStatistics();
  globalThis.gc?.();
  await delay(FREED_AFTER_MS);
  globalThis.gc?.();
  const { heapUsed, arrayBuffers, external, rss } = process.memoryUsage();
  const mb = (bytes: number) => rounded(bytes / 1e6);
  const names = QUESTIONS.map((question) => question.split(" ").slice(-2).join("_"));
  const packStart = performance.now();
  let packed = 0;
  const steps = lanes.pack();
  const arrays: PackedArrays = steps === undefined ? new Map() : await inSlices(steps);
  for (const array of arrays.values()) packed += array.byteLength;
  const packMs = performance.now() - packStart;
  print({
    chunks: lanes.size,
    round,
    addMs: rounded(addMs),
    addPerThousandMs: rounded((addMs / lanes.size) * 1000),
    heapMb: mb(heapUsed - before.heapUsed),
    rssMb: mb(rss - before.rss),
    arraysMb: mb(arrayBuffers - before.arrayBuffers),
    kbPerChunk: rounded(
      (heapUsed - before.heapUsed + external - before.external) / 1e3 / lanes.size,
    ),
    packedMb: mb(packed),
    packMs: rounded(packMs),
    ...(await timesOf("vector", QUESTIONS, async (question) => {
      await lanes.vector(embedder.query(question) ?? new Float32Array(), { limit: LIMIT });
    })),
    ...(await timesOf("keyword", QUESTIONS, async (question) => {
      await lanes.keyword(wordsOf(question), { limit: LIMIT });
    })),
    ...(await timesOf("symbol", names, async (name) => {
      await lanes.symbol(name, { limit: LIMIT });
    })),
  });
}

async function timesOf(
  what: string,
  questions: readonly string[],
  ask: (question: string) => Promise<void>,
): Promise<Record<string, number>> {
  // The first round warms up.
  for (const question of questions) await ask(question);
  const times: number[] = [];
  for (const question of questions) {
    const start = performance.now();
    await ask(question);
    times.push(performance.now() - start);
  }
  return {
    [`${what}P50Ms`]: rounded(percentile(times, 0.5)),
    [`${what}P95Ms`]: rounded(percentile(times, 0.95)),
  };
}

function print(line: Record<string, number>): void {
  console.log(JSON.stringify(line));
}
