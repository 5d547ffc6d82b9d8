/**
 * What a job that hangs costs the jobs that wait behind it in its thread.
 * @module-tag slow
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { silent } from "../../server/common/log.ts";
import type { PrepareJob } from "../../server/contracts/preparer.ts";
import { loadEmbeddingModel } from "../../server/embedding/embedding-model.ts";
import { createPreparers } from "../../server/engine/worker-pool.ts";
import { writeBrokenGrammar } from "../support/broken-grammar.ts";
import { leaveNothingBehind } from "../support/left-behind.ts";

/** A parser that hangs is given up after half a minute. */
const TIMEOUT_MS = 90_000;

it(
  "a file that hangs its parser takes none of the others' parsers",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "cocosearch-pool-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const wasm = join(folder, "python.wasm");
    writeBrokenGrammar(wasm, "hangs");
    const preparers = createPreparers(1, { table: loadEmbeddingModel() }, silent);
    onTestFinished(() => preparers.close());
    const job = (path: string, text: string): PrepareJob => ({
      root: folder,
      path,
      text,
      chunkSize: 1_500,
      chunkOverlap: 0,
      grammars: [{ language: "python", wasm }],
      maxFileBytes: 1_000_000,
      embed: false,
    });
    const jobs = [
      job("a.py", "def open_pool(): pass\n"),
      ...["b", "c", "d"].map((name) => job(`${name}.js`, `function ${name}() {}\n`)),
    ];
    const prepared = await Promise.all(jobs.map((each) => preparers.background.prepare(each)));
    const health = prepared.map((one) => (one.kind === "prepared" ? one.file.parse.status : ""));
    expect(health).toEqual(["error", "ok", "ok", "ok"]);
  },
  TIMEOUT_MS,
);

leaveNothingBehind();
