/** A worker thread's composition root: reads one file and does the middle of the write path with it. */

import { createHash } from "node:crypto";
import { workerData } from "node:worker_threads";
import { isErrorCode, messageOf } from "./common/errors.ts";
import { readFileInside } from "./common/read-file.ts";
import type { PreparedFile } from "./contracts/model.ts";
import type { PrepareJob, PrepareResult } from "./contracts/preparer.ts";
import { embedDocuments } from "./embedding/builtin.ts";
import type { EmbeddingModel } from "./embedding/embedding-model.ts";
import { StaticEmbedder } from "./embedding/static-embedder.ts";
import { prepareFile } from "./indexing/prepare.ts";
import { statFingerprint } from "./indexing/watching/stat-fingerprint.ts";
import { createLanguages } from "./languages/languages.ts";

const { table } = workerData as { readonly table: EmbeddingModel };
const languages = createLanguages();
const embedder = new StaticEmbedder(table);

/** The pool calls it by this name. A thread whose grammar broke ends itself after the answer. */
export async function prepare(job: PrepareJob): Promise<PrepareResult> {
  languages.setUserGrammars(job.grammars ?? []);
  const file = await readWhole(job);
  if ("kind" in file) return file;
  const { bytes, mtimeMs, ...recognized } = file;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 === job.knownSha256) return { kind: "unchanged", ...recognized };
  const prepared = await prepareFile(
    bytes,
    { ...job, sha256, size: bytes.length, mtimeMs, ...recognized },
    languages,
  );
  // The answer has been posted by then; memory that a grammar has damaged is not used again.
  if (languages.broken) setTimeout(() => process.exit(1), 50);
  if (prepared.kind === "excluded" || !job.embed) return prepared;
  return { kind: "prepared", file: withVectors(prepared.file) };
}

function withVectors(file: PreparedFile): PreparedFile {
  const chunks = file.chunks.map(({ text, symbols }) => ({
    path: file.path,
    text,
    names: symbols.map(({ name }) => name),
  }));
  return { ...file, vectors: embedDocuments(embedder, chunks) };
}

interface Read {
  readonly bytes: Buffer;
  readonly mtimeMs: number;
  readonly statFingerprint?: string;
}

function unsaved(text: string, maxFileBytes: number): Read | PrepareResult {
  const bytes = Buffer.from(text);
  if (bytes.length > maxFileBytes) return tooLarge(maxFileBytes);
  return { bytes, mtimeMs: Date.now() };
}

function tooLarge(maxFileBytes: number): PrepareResult {
  return { kind: "excluded", rule: `larger than maxFileBytes (${maxFileBytes})` };
}

/** The file's bytes, or why they are not indexed. */
async function readWhole(job: PrepareJob): Promise<Read | PrepareResult> {
  if (job.text !== undefined) return unsaved(job.text, job.maxFileBytes);
  try {
    const read = await readFileInside(job.root, job.path, async ({ handle, found }) => {
      if (found.size > job.maxFileBytes) return tooLarge(job.maxFileBytes);
      const fingerprint = statFingerprint(found, Date.now());
      const bytes = await handle.readFile();
      if (bytes.length > job.maxFileBytes) return tooLarge(job.maxFileBytes);
      const mtimeMs = Number(found.mtimeMs);
      return fingerprint === undefined
        ? { bytes, mtimeMs }
        : { bytes, mtimeMs, statFingerprint: fingerprint };
    });
    return "absent" in read ? { kind: "gone" } : read;
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    const isForbidden = isErrorCode(error, "EACCES") || isErrorCode(error, "EPERM");
    return isForbidden
      ? { kind: "excluded", rule: "unreadable" }
      : { kind: "unreadable", reason: messageOf(error) };
  }
}
