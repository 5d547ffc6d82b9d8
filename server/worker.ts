/** A worker thread's composition root: reads one file and does the middle of the write path with it. */

import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { workerData } from "node:worker_threads";
import { type BuiltinTable, embedDocument } from "./embedding/builtin.ts";
import { isErrorCode, messageOf } from "./errors.ts";
import { prepareFile } from "./indexing/prepare.ts";
import { createLanguages } from "./languages/languages.ts";
import type { PreparedFile } from "./model.ts";
import type { PrepareJob, PrepareResult } from "./ports.ts";

const { table } = workerData as { table: BuiltinTable };
const languages = createLanguages();

/** Called by the pool by this name. A grammar that broke takes its thread along after the answer. */
export async function prepare(job: PrepareJob): Promise<PrepareResult> {
  return { kind: "gone" };
}
