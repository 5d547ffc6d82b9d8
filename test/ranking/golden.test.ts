/**
 * Questions about this project, asked of its real server: golden.txt says where each answer stands, so that a change of
 * the ranking is a diff that can be read. `npm test -- test/ranking -u` writes it anew.
 */

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { testEngine } from "../support/engine.ts";
import { startServer } from "../support/lsp-client.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** What a newcomer would ask, and the file that answers it. */
const QUESTIONS: readonly (readonly [question: string, path: string])[] = [
  ["how is an overlong definition cut into chunks", "server/indexing/chunking/chunk-cut.ts"],
  ["where do neighbouring chunks share lines", "server/indexing/chunking/chunk-overlap.ts"],
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
  ["typo tolerance for symbol names", "server/search/lanes/edit-distance.ts"],
  ["put tests and examples below the implementation", "server/search/boosts/file-category.ts"],
  ["read inline filters and quoted phrases of a query", "server/search/query/query.ts"],
  ["unsaved text of open buffers in front of the index", "server/search/lanes/overlay-lanes.ts"],
  ["call an OpenAI compatible embedding endpoint with retries", "server/embedding/openai.ts"],
  ["sum of word vectors of a chunk", "server/embedding/static-embedder.ts"],
  ["only one engine process for all editors: the lock", "server/daemon/lock.ts"],
  ["reconnect to the engine after it died", "server/daemon/remote-session.ts"],
  ["convert offsets to the position encoding of the client", "server/lsp/convert.ts"],
  ["report progress of indexing to the editor", "server/lsp/progress.ts"],
  ["workspace/symbol request", "server/lsp/workspace-symbol.ts"],
  ["exit codes of the command line", "server/cli/exit.ts"],
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
  ["OpenIndex", "server/engine/open-index.ts"],
  ["keysOf", "server/languages/sections/keys.ts"],
];

/** What is in the repository, without what would answer by quoting the question. */
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

  const lines: string[] = [];
  for (const [question, path] of QUESTIONS) {
    const { hits } = await server.search(question);
    const paths = hits.map(({ location }) => fileURLToPath(location.uri).slice(root.length + 1));
    lines.push(`${placeOf(paths.indexOf(path))}  ${question} -> ${path}\n`);
  }
  await expect(lines.join("")).toMatchFileSnapshot(join(import.meta.dirname, "golden.txt"));
});

/** In steps: the files that are asked about change with every commit, and a place up or down with them says nothing. */
function placeOf(index: number): string {
  if (index < 0) return "not found  ";
  return index < 3 ? "first three" : "first ten  ";
}
