/** Fits the vector that is added to the vectors of long open questions: it says which chunks are likely to answer any of them. */

import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { dotProduct } from "../server/common/dot-product.ts";
import { createLog } from "../server/common/log.ts";
import { createBuiltinEmbedder } from "../server/embedding/builtin.ts";
import { loadEmbeddingModel } from "../server/embedding/embedding-model.ts";
import { PgliteDatabase } from "../server/store/pglite.ts";
import { createStore } from "../server/store/store.ts";
import { covers, type Task } from "./evaluation/metrics.ts";
import { readTasks } from "./evaluation/tasks.ts";
import { scriptOptions } from "./script-options.ts";

const USAGE = `usage: npm run fit-question-offset -- [QUESTIONS] --repos DIR --home DIR [--without REPO,...] [--write]

  QUESTIONS           a folder of tables, or a file of tasks; test/ranking/questions if it is left out
  --repos DIR         the checkouts that were indexed: DIR/<repo>
  --home DIR          has their indexes, as fit-places leaves them; no server may use it now. May be repeated
  --without REPO,...  leave these repositories out, to judge the vector on them
  --write             write the vector into server/embedding/question-offset.ts`;

const QUESTIONS = join(import.meta.dirname, "../test/ranking/questions");
const TARGET = join(import.meta.dirname, "../server/embedding/question-offset.ts");

/** Chunks that a question chooses among: those with the highest cosines, right and wrong. */
const RIGHT = 8;
const WRONG = 64;

/** A difference of cosines of .05 makes one chunk e times as likely as another. */
const SHARPNESS = 20;
/** Times the squared length of the vector. Of 100, 300 and 1,000, held out questions gain the most with this. */
const RIDGE = 1_000;
const MAX_ROUNDS = 100;
/** Fitting ends when no number changes by more in a round; three digits are written. */
const TOLERANCE = 1e-5;

/** Rows of vectors, the `right` ones first, with their cosines to the question times the sharpness. */
interface Choice {
  readonly rows: readonly Float32Array[];
  readonly right: number;
  readonly base: readonly number[];
}

const embedder = createBuiltinEmbedder(loadEmbeddingModel());

async function main(): Promise<number> {
  const { values, positionals } = scriptOptions(USAGE, {
    allowPositionals: true,
    options: {
      repos: { type: "string" },
      home: { type: "string", multiple: true, default: [] },
      without: { type: "string", default: "" },
      write: { type: "boolean", default: false },
    },
  });
  if (values.repos === undefined || values.home.length === 0) {
    console.error(USAGE);
    return 2;
  }
  const without = new Set(values.without.split(","));
  const tasks = readTasks(positionals[0] ?? QUESTIONS).filter(({ repo }) => !without.has(repo));
  const repos = resolve(values.repos);
  const found: Choice[] = [];
  for (const home of values.home) found.push(...(await choicesIn(resolve(home), repos, tasks)));
  console.error(`${found.length} of ${tasks.length} questions have a right chunk with a vector`);
  const source = sourceOf(fit(found));
  console.log(source);
  if (values.write) writeFileSync(TARGET, source);
  return 0;
}

async function choicesIn(home: string, repos: string, tasks: readonly Task[]): Promise<Choice[]> {
  const database = new PgliteDatabase({
    directory: join(home, "postgres"),
    log: createLog(console.error, "warn"),
  });
  const store = createStore(database);
  const choices: Choice[] = [];
  for (const { name, root, modelId } of await store.list()) {
    const own = tasks.filter(({ repo }) => join(repos, repo) === resolve(root));
    const index = own.length === 0 ? undefined : await store.find(name);
    if (index === undefined) continue;
    if (modelId !== embedder.modelId) throw new Error(`${name} has vectors of ${modelId}`);
    const chunks: Place[] = [];
    for await (const page of index.chunks())
      for (const { path, lines, vector } of page)
        if (vector)
          chunks.push({ path, startLine: lines.start + 1, endLine: lines.end + 1, vector });
    for (const task of own) choices.push(...(await choiceOf(task, chunks)));
    console.error(`${root}: ${own.length} questions, ${chunks.length} chunks`);
  }
  await store.close();
  return choices;
}

/** A chunk with its vector; lines from 1. */
interface Place {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly vector: Float32Array;
}

/** Empty for a question without a right chunk. */
async function choiceOf(task: Task, chunks: readonly Place[]): Promise<Choice[]> {
  const question = await embedder.embedQuery(task.query);
  const targets = [...task.relevant, ...task.secondary];
  const byCosine = chunks
    .map((chunk) => ({ chunk, cosine: dotProduct(question, chunk.vector) }))
    .toSorted((a, b) => b.cosine - a.cosine);
  const isRight = ({ chunk }: { chunk: Place }) =>
    targets.some((each) => covers(chunk, each, task));
  const right = byCosine.filter(isRight).slice(0, RIGHT);
  const wrong: typeof right = [];
  for (const each of byCosine) {
    if (wrong.length === WRONG) break;
    if (!isRight(each)) wrong.push(each);
  }
  const all = [...right, ...wrong];
  const rows = all.map(({ chunk }) => chunk.vector);
  const base = all.map(({ cosine }) => SHARPNESS * cosine);
  return right.length === 0 ? [] : [{ rows, right: right.length, base }];
}

/** Maximizes the likelihood that any of the right chunks is taken, less the ridge, in steps of Barzilai and Borwein. */
function fit(choices: readonly Choice[]): Float32Array {
  let offset = new Float32Array(embedder.dimension ?? 0);
  let slope = slopeAt(offset, choices);
  let size = 1 / (2 * RIDGE * SHARPNESS);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const change = slope.map((value) => -size * value);
    offset = offset.map((value, i) => value + (change[i] as number));
    if (Math.max(...change.map(Math.abs)) < TOLERANCE) break;
    const next = slopeAt(offset, choices);
    const turn = next.map((value, i) => value - (slope[i] as number));
    size = dotProduct(change, change) / dotProduct(change, turn);
    slope = next;
  }
  return offset;
}

/** The slope of the negative log likelihood and the ridge. */
function slopeAt(offset: Float32Array, choices: readonly Choice[]): Float32Array {
  const slope = offset.map((value) => 2 * RIDGE * value);
  for (const { rows, right, base } of choices) {
    const powers = rows.map((row, i) =>
      Math.exp((base[i] as number) + SHARPNESS * dotProduct(row, offset)),
    );
    const sum = (of: readonly number[]) => of.reduce((total, power) => total + power, 0);
    const [all, ofRight] = [sum(powers), sum(powers.slice(0, right))];
    for (const [i, row] of rows.entries()) {
      const power = powers[i] as number;
      const surplus = SHARPNESS * (power / all - (i < right ? power / ofRight : 0));
      for (let k = 0; k < row.length; k++)
        slope[k] = (slope[k] as number) + surplus * (row[k] as number);
    }
  }
  return slope;
}

function sourceOf(offset: Float32Array): string {
  const numbers = Array.from(offset, (value) => Number(value.toFixed(3)) || 0);
  return [
    "/** The vector that is added to the vectors of long open questions, written by `npm run fit-question-offset`. */",
    "",
    "export const QUESTION_OFFSET = {",
    "  /** It was fitted to vectors of this model and says nothing of others. */",
    `  modelId: ${JSON.stringify(embedder.modelId)},`,
    `  vector: [${numbers.join(", ")}],`,
    "} as const;",
    "",
  ].join("\n");
}

process.exitCode = await main();
