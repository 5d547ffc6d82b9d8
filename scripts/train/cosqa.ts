/**
 * Judges a model on CoSQA (Huang et al., ACL 2021): the mean reciprocal rank of 500 web queries over 6,267 functions.
 *
 * usage: node --import tsx scripts/train/cosqa.ts GITDIR [--models FOLDER]
 *
 * GITDIR is the git directory of Jun-jie-Huang/CoCLR, whose protocol this is.
 */

import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { loadEmbeddingModel } from "../../server/embedding/embedding-model.ts";
import { StaticEmbedder } from "../../server/embedding/static-embedder.ts";
import { createLanguages } from "../../server/languages/languages.ts";
import { dot } from "./dense.ts";

interface Question {
  readonly doc: string;
  readonly retrieval_idx: number;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { models: { type: "string" } },
  });
  const [gitDir = "."] = positionals;
  const read = (path: string): unknown =>
    JSON.parse(
      execFileSync("git", [`--git-dir=${gitDir}`, "show", `HEAD:data/search/${path}`], {
        maxBuffer: 1 << 28,
        encoding: "utf8",
      }),
    );
  const codes = read("code_idx_map.txt") as Readonly<Record<string, number>>;
  const questions = read("cosqa-retrieval-dev-500.json") as readonly Question[];
  const table = loadEmbeddingModel(
    values.models === undefined ? undefined : pathToFileURL(`${resolve(values.models)}/`),
  );
  const bag = new StaticEmbedder(table);
  const languages = createLanguages();
  const vectors: (readonly [place: number, vector: Float32Array | undefined])[] = [];
  for (const [text, place] of Object.entries(codes)) {
    const names = await languages.withSyntax(text, "python", ({ definitions }) =>
      definitions.map(({ symbol }) => symbol.name),
    );
    vectors.push([place, bag.document({ path: "", text, names })]);
  }
  const ranks = questions.map(({ doc, retrieval_idx: wanted }) => {
    const asked = bag.query(doc);
    const scores = vectors.map(([place, vector]) => ({
      place,
      score: asked === undefined || vector === undefined ? -1 : dot(asked, vector),
    }));
    const own = scores.find(({ place }) => place === wanted)?.score ?? -1;
    return 1 + scores.filter(({ score }) => score > own).length;
  });
  const mrr = ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length;
  console.log(
    `CoSQA dev MRR ${mrr.toFixed(4)} (${questions.length} queries, ${vectors.length} codes) ${table.id}`,
  );
}

await main();
