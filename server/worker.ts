/** The entry point of a worker thread: reads a file, chunks it and embeds it, reads commits, and looks through whole files. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { isForbidden, isSystemError, messageOf, trySystemCallSync } from "./common/errors.ts";
import { noteBegin } from "./common/processor-time.ts";
import { readFileInsideSync } from "./common/read-file-sync.ts";
import { SerialQueue } from "./common/serial-queue.ts";
import type { ReadCommit, ReadCommitsJob } from "./contracts/history.ts";
import type { CutFile } from "./contracts/model.ts";
import type { Metered, PrepareJob, PrepareResult } from "./contracts/preparer.ts";
import type { ComparedFile, TakeJob, TakeResult } from "./contracts/published-file.ts";
import type { ListedPlaces, ListJob, ScanJob, Scanned } from "./contracts/scanner.ts";
import { embedFile } from "./embedding/builtin.ts";
import type { EmbeddingModel } from "./embedding/embedding-model.ts";
import { StaticEmbedder } from "./embedding/static-embedder.ts";
import { readCommits as readFrom } from "./history/read-commits.ts";
import { declaredEncoding } from "./indexing/discovery/declared-encoding.ts";
import { createIgnoreRules } from "./indexing/ignore/ignore-rules.ts";
import { KeptTexts } from "./indexing/kept-texts.ts";
import { isNotebook, MAX_NOTEBOOK_BYTES } from "./indexing/notebooks/notebook.ts";
import { prepareFile, tooLargeRule } from "./indexing/prepare.ts";
import { takePublished } from "./indexing/published-file.ts";
import { maskSecrets } from "./indexing/secrets/redact.ts";
import { statFingerprint } from "./indexing/watching/stat-fingerprint.ts";
import { detect } from "./languages/detect.ts";
import { createLanguages } from "./languages/languages.ts";
import { nameDefinedOn } from "./languages/outline.ts";
import { countFileTerms } from "./search/lanes/count-file-terms.ts";
import { termNumber } from "./search/lanes/term-number.ts";
import { listPlaces, scanFiles } from "./search/occurrences/scan.ts";
import { termsOfText } from "./search/query/stem.ts";

const { table } = workerData as { readonly table: EmbeddingModel };
const languages = createLanguages();
const embedder = new StaticEmbedder(table);

/** Files are prepared one by one, so that a broken grammar affects no other file. */
const files = new SerialQueue();

/**
 * Called by the pool by name. A thread with a broken grammar exits, and the pool retries in another one. A system error says
 * nothing about the content of a file, so its stored chunks are kept.
 */
export async function prepare(job: Metered<PrepareJob>): Promise<PrepareResult> {
  try {
    return await files.run(() => prepareNext(job));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { kind: "unreadable", reason: messageOf(error) };
  }
}

async function prepareNext({ meter, ...job }: Metered<PrepareJob>): Promise<PrepareResult> {
  if (meter !== undefined) noteBegin(meter);
  // A broken grammar may have damaged the memory of this thread.
  if (languages.broken) process.exit(1);
  languages.setUserGrammars(job.grammars ?? []);
  const file = readWhole(job);
  if ("kind" in file) return file;
  const { bytes, mtimeMs, ...recognized } = file;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 === job.knownSha256) return { kind: "unchanged", ...recognized };
  const local = { ...job, sha256, size: bytes.length, mtimeMs, ...recognized };
  const declared = () =>
    declaredEncoding(job.path, bytes, (path) => readDeclarations(job.root, path));
  const prepared = await prepareFile(bytes, { ...local, declaredEncoding: declared }, languages);
  if (prepared.kind === "excluded") return { ...prepared, ...recognized };
  return toResult(prepared.file, job);
}

/** Called by the pool by name. A file that cannot be read is left to `prepare`, which says why. */
export async function take({ meter, ...job }: Metered<TakeJob>): Promise<readonly TakeResult[]> {
  if (meter !== undefined) noteBegin(meter);
  languages.setUserGrammars(job.grammars ?? []);
  const results: TakeResult[] = [];
  for (const file of job.files) results.push(await takeOne(file, job));
  return results;
}

async function takeOne(
  published: ComparedFile,
  { root, maxFileBytes, embed }: TakeJob,
): Promise<TakeResult> {
  const { path } = published;
  const file = trySystemCallSync(() => readWhole({ root, path, maxFileBytes }));
  if (file === undefined || "kind" in file) return { kind: "not comparable" };
  const { bytes, ...attributes } = file;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== published.sha256) return { kind: "not comparable" };
  const taken = await takePublished(bytes, published, languages, maxFileBytes);
  if (taken.kind !== "taken") return taken;
  const { chunks, terms } = taken;
  const vectors = published.hasVectors ? undefined : vectorsOf({ ...published, chunks }, { embed });
  const found = {
    ...attributes,
    size: bytes.length,
    texts: chunks.map(({ text }) => text),
    terms: terms ?? countFileTerms(path, chunks),
    areTermsRefused: published.terms !== undefined && terms === undefined,
  };
  return { kind: "taken", found: vectors === undefined ? found : { ...found, vectors } };
}

function toResult(file: CutFile, job: PrepareJob) {
  const counted = { ...file, terms: countFileTerms(file.path, file.chunks) };
  const vectors = vectorsOf(file, job);
  const prepared = vectors === undefined ? counted : { ...counted, vectors };
  return { kind: "prepared", file: prepared } as const;
}

/** Undefined if another model embeds the file later. */
function vectorsOf(
  file: Parameters<typeof embedFile>[1],
  { embed }: Pick<PrepareJob, "embed">,
): Float32Array | undefined {
  return embed ? embedFile(embedder, file) : undefined;
}

/** Called by the pool by name. */
export async function readCommits(job: ReadCommitsJob): Promise<readonly ReadCommit[]> {
  const rules = createIgnoreRules(job.root, job.rules);
  return await readFrom(job.shas, {
    directory: job.directory,
    prefix: job.prefix,
    tools: {
      termsOf: termsOfText,
      termNumber,
      definedOn: (line, path) => nameDefinedOn(line, detect(path, "")),
      maskSecrets,
      isExcluded: (path) => rules.decide(path, "file") !== undefined,
      embed: job.embed ? (chunk) => embedder.document(chunk) : undefined,
    },
  });
}

const texts = new KeptTexts();
const scanTools = { read: texts.read.bind(texts), detect };

/** Called by the pool by name. */
export async function scan(job: ScanJob): Promise<Scanned> {
  return await scanFiles(job, scanTools);
}

/** Called by the pool by name. */
export async function list(job: ListJob): Promise<readonly ListedPlaces[]> {
  return await listPlaces(job, scanTools);
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

function tooLarge(maxFileBytes: number, fingerprint?: string): PrepareResult {
  return { kind: "excluded", rule: tooLargeRule(maxFileBytes), ...recognizedBy(fingerprint) };
}

function recognizedBy(fingerprint: string | undefined): Pick<Read, "statFingerprint"> {
  return fingerprint === undefined ? {} : { statFingerprint: fingerprint };
}

/** The maximum size of an .editorconfig file. */
const MAX_DECLARATIONS_BYTES = 1_000_000;

/** The text of an .editorconfig file. Undefined if it is missing or cannot be read. */
function readDeclarations(root: string, path: string): string | undefined {
  try {
    const read = readFileInsideSync(root, path, ({ descriptor, found }) =>
      found.size > MAX_DECLARATIONS_BYTES ? {} : { text: readFileSync(descriptor, "utf8") },
    );
    return "absent" in read ? undefined : read.text;
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return undefined;
  }
}

type ReadJob = Pick<PrepareJob, "root" | "path" | "maxFileBytes" | "text">;

/** The bytes of the file, or the result that says why they are not indexed. */
function readWhole(job: ReadJob): Read | PrepareResult {
  // The size limit of a notebook is for its cells, which are known after reading.
  const maxBytes = isNotebook(job.path)
    ? Math.max(job.maxFileBytes, MAX_NOTEBOOK_BYTES)
    : job.maxFileBytes;
  if (job.text !== undefined) return unsaved(job.text, maxBytes);
  try {
    const read = readFileInsideSync(job.root, job.path, ({ descriptor, found }) => {
      const fingerprint = statFingerprint(found, Date.now());
      if (found.size > maxBytes) return tooLarge(maxBytes, fingerprint);
      const bytes = readFileSync(descriptor);
      if (bytes.length > maxBytes) return tooLarge(maxBytes);
      return { bytes, mtimeMs: Number(found.mtimeMs), ...recognizedBy(fingerprint) };
    });
    return "absent" in read ? { kind: "gone" } : read;
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return { kind: "excluded", rule: "unreadable" };
  }
}
