/**
 * Imports and calls of real code that is installed with the project, in TypeScript, JavaScript and C++, and what every
 * name in it means: read golden/. What other languages do is in their own tests.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { decodeFacts } from "../../server/contracts/encoded-facts.ts";
import { Graph } from "../../server/graph/graph.ts";
import { callsIn, factsOf, importsIn } from "../support/graph.ts";

const MODULES = join(import.meta.dirname, "../../node_modules");
const golden = (name: string) => join(import.meta.dirname, "golden", name);

/** Packages of fixed versions. */
const TREES = [
  ["zod", "zod/src/v3", /\.ts$/],
  ["commander", "commander", /^(?:index|lib\/\w+)\.js$/],
  ["watcher", "@parcel/watcher/src", /\.(?:cc|hh|h|c)$/],
] as const;

async function graphIn(folder: string, isWanted: RegExp): Promise<Graph> {
  const root = join(MODULES, folder);
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => isWanted.test(path) && !/(?:^|\/)(?:tests|benchmarks)\//.test(path))
    .toSorted();
  const files = [];
  for (const path of paths) {
    const text = readFileSync(join(root, path), "utf8");
    files.push({ path, facts: decodeFacts(await factsOf(path, text)) });
  }
  return new Graph(files);
}

it.each(TREES)("keeps the graph of %s", async (name, folder, isWanted) => {
  const graph = await graphIn(folder, isWanted);
  const lines = [...importsIn(graph), "", ...callsIn(graph)];
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden(`${name}.txt`));
});
