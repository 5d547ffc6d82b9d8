/** The folder of installed models: DATA/models/NAME with a manifest of its files, DATA/models/runtime with the library. */

import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import * as z from "zod";
import { isErrorCode, Unavailable } from "../common/errors.ts";

const manifestShape = z.object({
  name: z.string(),
  kind: z.enum(["embedding", "reranker"]),
  license: z.string(),
  /** Where it came from: a folder, or an address. */
  source: z.string(),
  /** 0 for a reranker. */
  dimension: z.number().int(),
  /** Selects the vectors of tokens that make the vector of a text. */
  pooling: z.enum(["mean", "cls", "last"]),
  /** A longer text is cut. */
  maxTokens: z.number().int(),
  /** The type of the weights, as the library names it; `static` for a table of token vectors. */
  dtype: z.enum(["q8", "int8", "fp32", "static"]),
  /** Relative to the folder, with forward slashes. */
  files: z.array(z.object({ path: z.string(), bytes: z.number(), sha256: z.string() })),
});

export type ModelManifest = z.infer<typeof manifestShape>;
export type Pooling = ModelManifest["pooling"];

export const MANIFEST_FILE = "cocosearch-model.json";

/** The library accepts these names as names of models, too. */
const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;
/** The names of our own folders and files. */
const RESERVED = ["runtime"];

export function isModelName(name: string): boolean {
  return NAME.test(name) && !name.includes("..") && !RESERVED.includes(name.toLowerCase());
}

export const runtimeFolder = (models: string): string => join(models, "runtime");

/** The installed model of this name. Undefined if there is none; throws Unavailable if its manifest is damaged. */
export function readModelManifest(models: string, name: string): ModelManifest | undefined {
  if (!isModelName(name)) return undefined;
  try {
    const text = readFileSync(join(models, name, MANIFEST_FILE), "utf8");
    return manifestShape.parse(JSON.parse(text));
  } catch (error) {
    if (isErrorCode(error, "ENOENT") || isErrorCode(error, "ENOTDIR")) return undefined;
    if (!(error instanceof SyntaxError) && !(error instanceof z.ZodError)) throw error;
    throw damaged(name, `its ${MANIFEST_FILE} cannot be read`, error);
  }
}

/** By name. One with a damaged manifest is listed by its name alone. */
export function listModels(
  models: string,
): { name: string; manifest: ModelManifest | undefined }[] {
  if (!existsSync(models)) return [];
  const names = readdirSync(models).filter(
    (name) => isModelName(name) && existsSync(join(models, name, MANIFEST_FILE)),
  );
  return names.toSorted().map((name) => ({ name, manifest: findModelManifest(models, name) }));
}

/** The same as `readModelManifest`, and undefined for a damaged one as well. */
export function findModelManifest(models: string, name: string): ModelManifest | undefined {
  try {
    return readModelManifest(models, name);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return undefined;
  }
}

/**
 * Whether the vector of a text is the mean of the vectors of its tokens, computed by a network. Only then the chunks of one file can
 * share a pass: a first or last token describes the whole text, and a table knows no neighbors.
 */
export function poolsAllTokens({ kind, pooling, dtype }: ModelManifest): boolean {
  return kind === "embedding" && pooling === "mean" && dtype !== "static";
}

/** The size of its files, in bytes. */
export function sizeOf({ files }: Pick<ModelManifest, "files">): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** `23 MB`, rounded up. */
export function inMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000)} MB`;
}

/** Throws Unavailable for the first file that is missing or has changed since it was installed. `folder` is the model's folder. */
export async function verifyFiles(folder: string, { name, files }: ModelManifest): Promise<void> {
  for (const { path, sha256 } of files) {
    const file = join(folder, path);
    if (!existsSync(file)) throw damaged(name, `${path} is missing`);
    if ((await digestOf(file)) !== sha256) throw damaged(name, `${path} has changed since`);
  }
}

/** The sha256 of a file in hexadecimal. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

function damaged(name: string, what: string, cause?: unknown): Unavailable {
  return new Unavailable(
    `the model ${name} is not as it was installed (${what})`,
    `run cocosearch-lsp model remove ${name}, and install it again`,
    { cause },
  );
}
