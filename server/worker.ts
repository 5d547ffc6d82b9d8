/** A worker thread's composition root: reads one file and does the middle of the write path with it. */

import { createHash } from "node:crypto";
import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { workerData } from "node:worker_threads";
import { BagEmbedder } from "./embedding/bag.ts";
import { embedDocuments } from "./embedding/builtin.ts";
import type { Table } from "./embedding/table.ts";
import { isErrorCode } from "./errors.ts";
import { prepareFile } from "./indexing/prepare.ts";
import { stampOf } from "./indexing/stamp.ts";
import { createLanguages } from "./languages/languages.ts";
import type { PreparedFile } from "./model.ts";
import type { PrepareJob, PrepareResult } from "./ports.ts";

const { table } = workerData as { readonly table: Table };
const languages = createLanguages();
const bag = new BagEmbedder(table);

/** The pool calls it by this name. A thread whose grammar broke ends itself after the answer. */
export async function prepare(job: PrepareJob): Promise<PrepareResult> {
  languages.bring(job.grammars ?? []);
  const file = await readWhole(job);
  if ("kind" in file) return file;
  const { bytes, mtimeMs, ...stamp } = file;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 === job.knownSha256) return { kind: "unchanged", ...stamp };
  const prepared = await prepareFile(
    bytes,
    { ...job, sha256, size: bytes.length, mtimeMs, ...stamp },
    languages,
  );
  // The answer has been posted by then; memory that a grammar has damaged is not used again.
  if (languages.broken) setTimeout(() => process.exit(1), 50);
  if (prepared.kind === "left-out" || !job.embed) return prepared;
  return { kind: "prepared", file: withVectors(prepared.file) };
}

function withVectors(file: PreparedFile): PreparedFile {
  const chunks = file.chunks.map(({ text, symbols }) => ({
    path: file.path,
    text,
    names: symbols.map(({ name }) => name),
  }));
  return { ...file, vectors: embedDocuments(bag, chunks) };
}

interface Read {
  readonly bytes: Buffer;
  readonly mtimeMs: number;
  readonly stamp?: string;
}

function unsaved(text: string, maxFileBytes: number): Read | PrepareResult {
  const bytes = Buffer.from(text);
  if (bytes.length > maxFileBytes) return tooLarge(maxFileBytes);
  return { bytes, mtimeMs: Date.now() };
}

function tooLarge(maxFileBytes: number): PrepareResult {
  return { kind: "left-out", rule: `larger than maxFileBytes (${maxFileBytes})` };
}

/** The file's bytes, or why they are not indexed. */
async function readWhole(job: PrepareJob): Promise<Read | PrepareResult> {
  if (job.text !== undefined) return unsaved(job.text, job.maxFileBytes);
  const path = join(job.root, job.path);
  let handle: FileHandle;
  try {
    // What was a file when the folder was read may be a pipe by now, for which opening would wait.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].some((code) => isErrorCode(error, code))) {
      return { kind: "gone" };
    }
    return { kind: "left-out", rule: "unreadable" };
  }
  try {
    // Before it is read: what is written meanwhile makes it another one.
    const found = await handle.stat({ bigint: true });
    if (!found.isFile()) return { kind: "gone" };
    if (found.size > job.maxFileBytes) return tooLarge(job.maxFileBytes);
    // Or a link that leads out of the workspace.
    if (!(await isInside(job.root, path, found))) return { kind: "gone" };
    const stamp = stampOf(found, Date.now());
    const bytes = await handle.readFile();
    if (bytes.length > job.maxFileBytes) return tooLarge(job.maxFileBytes);
    const read = { bytes, mtimeMs: Number(found.mtimeMs) };
    return stamp === undefined ? read : { ...read, stamp };
  } catch (error) {
    if (isErrorCode(error, "ENOENT") || isErrorCode(error, "ENOTDIR")) return { kind: "gone" };
    if (!(error instanceof Error) || !("code" in error)) throw error;
    return { kind: "left-out", rule: "unreadable" };
  } finally {
    await handle.close();
  }
}

/** Whether what was opened lies below the root now that links are followed. */
async function isInside(root: string, path: string, opened: BigIntStats): Promise<boolean> {
  const real = await realpath(path);
  if (!real.startsWith(root + sep)) return false;
  // Also where the path is no link any more: it may have been one when it was opened.
  const { ino, dev } = await stat(real, { bigint: true });
  return ino === opened.ino && dev === opened.dev;
}
