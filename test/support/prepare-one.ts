/** A process of its own that cuts one file within a limit of processor time, and prints how it was parsed. */

import { silent } from "../../server/common/log.ts";
import { loadEmbeddingModel } from "../../server/embedding/embedding-model.ts";
import { createPreparers } from "../../server/engine/threads/worker-pool.ts";

const [root = "", path = "", processorMs = ""] = process.argv.slice(2);
const limit = { processorMs: Number(processorMs) };
const preparers = createPreparers(1, { table: loadEmbeddingModel() }, silent, limit);
process.stdout.write("ready\n");
const prepared = await preparers.background.prepare({
  root,
  path,
  chunkSize: 1_500,
  chunkOverlap: 0,
  maxFileBytes: 1_000_000,
  embed: true,
});
const result = prepared.kind === "prepared" ? prepared.file.parse : prepared;
process.stdout.write(`${JSON.stringify(result)}\n`);
await preparers.close();
