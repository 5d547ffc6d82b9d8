/**
 * Questions about this project, asked of its real server: golden.txt says at which place each answer is, so that a change
 * of the ranking is a diff that can be read. UPDATE_GOLDEN=1 npm run test:all -- test/ranking writes it again.
 * @module-tag slow
 */

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { testEngine } from "../support/engine.ts";
import { startServer } from "../support/lsp-client.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** The questions of a newcomer, and the files that answer them. */
const QUESTIONS: readonly (readonly [question: string, path: string])[] = [
  // The question of `demo`.
  ["where is the score turned into a probability", "server/search/results/score.ts"],
  ["how is an overlong definition cut into chunks", "server/indexing/chunking/chunk-cut.ts"],
  ["where do neighboring chunks share lines", "server/indexing/chunking/chunk-strategies.ts"],
  ["which files are left out because of gitignore rules", "server/indexing/ignore/ignore-rules.ts"],
  ["find secrets such as private keys in a text", "server/indexing/secrets/secrets.ts"],
  ["what happens when a file changes on disk", "server/indexing/watching/watch.ts"],
  ["detect the language of a file by its shebang line", "server/languages/detect.ts"],
  ["load a tree-sitter grammar and compile its query", "server/languages/grammars.ts"],
  ["qualified names of nested definitions", "server/languages/scopes.ts"],
  ["blocks of a GitHub Actions workflow", "server/languages/formats/github-actions.ts"],
  ["kubernetes resources", "server/languages/formats/kubernetes.ts"],
  ["split identifiers into words", "server/common/words.ts"],
  ["merge the lists of several lanes by rank and score", "server/search/lanes/fuse.ts"],
  ["BM25 inverse document frequency", "server/search/lanes/bm25.ts"],
  ["typo tolerance for symbol names", "server/common/edit-distance.ts"],
  ["put tests and examples below the implementation", "server/search/boosts/file-category.ts"],
  ["read inline filters and quoted phrases of a query", "server/search/query/query.ts"],
  ["unsaved text of open buffers in front of the index", "server/search/lanes/overlay-lanes.ts"],
  ["call an OpenAI compatible embedding endpoint with retries", "server/embedding/remote.ts"],
  ["sum of word vectors of a chunk", "server/embedding/static-embedder.ts"],
  ["only one engine process for all editors: the lock", "server/daemon/lock.ts"],
  ["reconnect to the engine after it died", "server/daemon/remote-session.ts"],
  ["convert offsets to the position encoding of the client", "server/lsp/convert.ts"],
  ["report progress of indexing to the editor", "server/lsp/progress.ts"],
  ["workspace/symbol request", "server/lsp/workspace-symbol.ts"],
  ["exit codes of the command line", "server/cli/exit-codes.ts"],
  ["a hostile workspace must not choose where code is sent", "server/config/workspace-file.ts"],
  ["the database hangs: restart its thread", "server/store/pglite.ts"],
  ["remove an index and drop its tables", "server/store/store.ts"],
  [
    "exclude training pairs that share words with judged repositories",
    "scripts/train/exclusion.py",
  ],
  ["combine several trained tables into one", "scripts/train/combine.py"],
  ["SETTINGS", "server/config/settings.ts"],
  ["createMemoryLanes", "server/search/lanes/memory-lanes.ts"],
  ["EngineSession.openFolders", "server/engine/session.ts"],
  ["OpenIndex", "server/engine/indexes/open-index.ts"],
  ["keysOf", "server/languages/sections/keys.ts"],
];

/** The files of the repository, without files that quote the questions. */
function copyOfProject(): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), "golden-")));
  const tracked = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).trim();
  for (const file of tracked.split("\n")) {
    if (file.startsWith("test/ranking/")) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file), { force: true });
  }
  return copy;
}

it("answers questions about this project as golden.txt says", async () => {
  const root = copyOfProject();
  const engine = testEngine();
  const server = startServer(engine.env);
  onTestFinished(async () => {
    server.child.kill();
    await engine.dispose();
  });
  await server.initialize(root);
  await server.progressEnded();

  const found: Golden[] = [];
  for (const [question, path] of QUESTIONS) {
    const { hits } = await server.search(question);
    const paths = hits.map(({ location }) => fileURLToPath(location.uri).slice(root.length + 1));
    found.push({ place: paths.indexOf(path) + 1, question: `${question} -> ${path}` });
  }
  if (process.env["UPDATE_GOLDEN"]) writeFileSync(GOLDEN, found.map(toLine).join(""));
  const recorded = readFileSync(GOLDEN, "utf8").trimEnd().split("\n").map(toGolden);
  expect(found.map(({ question }) => question)).toEqual(recorded.map(({ question }) => question));
  const dropped = found.filter((each, i) => isDrop(each, recorded[i]));
  expect(dropped.map(toLine)).toEqual([]);
  expect(meanReciprocal(found)).toBeGreaterThan(meanReciprocal(recorded) - MAX_MEAN_DROP);
});

const GOLDEN = join(import.meta.dirname, "golden.txt");

/** The files that are asked about change with every commit: one place up or down by itself says nothing. */
const MAX_DROP = 1;
/** All together they do: of 35 answers, one may go from the first place to the third. */
const MAX_MEAN_DROP = 0.02;

interface Golden {
  /** From 1; 0 for an answer that is not found. */
  readonly place: number;
  readonly question: string;
}

function toLine({ place, question }: Golden): string {
  return `${place === 0 ? "--" : `${place}`.padStart(2)}  ${question}\n`;
}

function toGolden(line: string): Golden {
  return { place: Number(line.slice(0, 2)) || 0, question: line.slice(4) };
}

function isDrop({ place }: Golden, recorded: Golden | undefined): boolean {
  if (recorded === undefined || recorded.place === 0) return false;
  return place === 0 || place > recorded.place + MAX_DROP;
}

function meanReciprocal(places: readonly Golden[]): number {
  const sum = places.reduce((total, { place }) => total + (place === 0 ? 0 : 1 / place), 0);
  return sum / places.length;
}
