/** `model install`: stages a model, loads it once, and moves it into the folder of models. A failure changes nothing that is installed. */

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { BadRequest, isSystemError, messageOf, Unavailable } from "../common/errors.ts";
import { isProcessAlive } from "../common/process-alive.ts";
import { download } from "./download.ts";
import { checkIdentity, noteIdentity } from "./identities.ts";
import { checkPlatform, installRuntime, isRuntimeCurrent, RUNTIME } from "./install-runtime.ts";
import { type InstallableModel, installableModel } from "./known.ts";
import {
  digestOf,
  inMegabytes,
  isModelName,
  MANIFEST_FILE,
  type ModelManifest,
  runtimeFolder,
} from "./manifest.ts";
import { readSourceFolder, type SourceFolder } from "./source-folder.ts";
import { tryModel } from "./try-model.ts";

/** The library does not load a tokenizer without it, and model2vec does not always write it. */
const TOKENIZER_CONFIG = "tokenizer_config.json";

/** Where the parts are that this program contains. */
export interface Installer {
  /** The folder of installed models. */
  readonly models: string;
  /** The folder of dist/models: the programs of processes, and the lock file of the runtime. */
  readonly programs: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface InstallPlan {
  readonly name: string;
  /** The folder to copy from; undefined for a download from the hub. */
  readonly from: string | undefined;
  readonly known: InstallableModel | undefined;
  readonly found: SourceFolder | undefined;
  readonly needsRuntime: boolean;
  /** The size of the model in bytes. */
  readonly bytes: number;
}

export interface Installed {
  readonly manifest: ModelManifest;
  /** Measured once, for a text of 512 characters on half of the cores; for a reranker, of one pair. */
  readonly msPerText: number;
}

/** Checks everything that can be known before something is downloaded or copied. */
export function planInstall(
  { models, programs }: Installer,
  name: string,
  from: string | undefined,
): InstallPlan {
  const known = installableModel(name);
  if (!isModelName(name)) {
    throw new BadRequest(
      `"${name}" cannot be a name: use letters, digits, dots, dashes and underscores`,
    );
  }
  if (known === undefined && from === undefined) {
    throw new BadRequest(
      `"${name}" is not a known model: name one that model list shows, or a folder with --from`,
    );
  }
  checkPlatform(process.platform, process.arch);
  const found = from === undefined ? undefined : readSourceFolder(from);
  const needsRuntime = !isRuntimeCurrent(models, join(programs, "runtime"));
  const bytes = found?.bytes ?? (known?.megabytes ?? 0) * 1_000_000;
  checkSpace(models, bytes + (needsRuntime ? RUNTIME.peakMegabytes * 1_000_000 : 0));
  return { name, from, known, found, needsRuntime, bytes };
}

/** Rejects with Unavailable, which says what to do; installed models are then as before. */
export async function install(
  installer: Installer,
  plan: InstallPlan,
  signal: AbortSignal,
): Promise<Installed> {
  const { models, programs } = installer;
  const staging = join(models, `.staging-${process.pid}`);
  try {
    removeAbandoned(models);
    mkdirSync(staging, { recursive: true, mode: 0o700 });
    if (plan.needsRuntime) {
      const lockFolder = join(programs, "runtime");
      await installRuntime({ models, lockFolder, staging, env: installer.env, signal });
    }
    return await stage(installer, plan, await sourceOf(installer, plan, staging, signal), staging);
  } catch (error) {
    if (!isSystemError(error) || error.syscall === undefined) throw error;
    throw new Unavailable(
      `${models} cannot be written to (${messageOf(error)})`,
      "free space there or make it writable, or set COCOSEARCH_HOME to another folder",
      { cause: error },
    );
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** The folder with the files of the model. */
async function sourceOf(
  installer: Installer,
  { name, from, known }: InstallPlan,
  staging: string,
  signal: AbortSignal,
): Promise<string> {
  if (from !== undefined) return from;
  if (known === undefined) throw new BadRequest(`"${name}" is not a known model`);
  return await download(known, { ...installer, staging, signal });
}

/** Copies, loads once, writes the manifest, and replaces an installed model of the same name. */
async function stage(
  { models, programs }: Installer,
  plan: InstallPlan,
  source: string,
  staging: string,
): Promise<Installed> {
  const found = readSourceFolder(source);
  const { name, known } = plan;
  const folder = join(staging, name);
  const files = await copyFiles(source, found.files, folder);
  const manifest: ModelManifest = {
    name,
    kind: found.kind,
    license: known?.license ?? "see its card",
    source: plan.from ?? known?.repository ?? "",
    dimension: 0,
    pooling: known?.pooling ?? found.pooling,
    maxTokens: Math.min(found.maxTokens, known?.maxTokens ?? found.maxTokens),
    dtype: found.dtype,
    files,
  };
  checkIdentity(models, manifest, found.weights);
  writeManifest(folder, manifest);
  const { dimension, msPerText } = await tryModel(manifest, folder, { models, programs });
  if (known !== undefined && dimension !== known.dimension) throw otherModel(known, dimension);
  const complete = { ...manifest, dimension };
  writeManifest(folder, complete);
  rmSync(join(models, name), { recursive: true, force: true });
  renameSync(folder, join(models, name));
  noteIdentity(models, manifest, found.weights);
  return { manifest: complete, msPerText };
}

async function copyFiles(
  source: string,
  paths: readonly string[],
  folder: string,
): Promise<ModelManifest["files"]> {
  const files: ModelManifest["files"] = [];
  const needed = new Set([...paths, TOKENIZER_CONFIG]);
  for (const path of needed) {
    const copy = join(folder, path);
    mkdirSync(dirname(copy), { recursive: true });
    if (paths.includes(path)) copyFileSync(join(source, path), copy);
    else writeFileSync(copy, "{}\n");
    files.push({ path, bytes: statSync(copy).size, sha256: await digestOf(copy) });
  }
  return files;
}

function otherModel(
  { name, dimension: expected }: InstallableModel,
  dimension: number,
): Unavailable {
  return new Unavailable(
    `the folder holds a model of ${dimension} dimensions, and ${name} has ${expected}`,
    "install it by another name",
  );
}

function writeManifest(folder: string, manifest: ModelManifest): void {
  writeFileSync(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Throws Unavailable if the disk has less space. */
function checkSpace(models: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(existingParent(models));
  if (bavail * bsize >= bytes) return;
  throw new Unavailable(
    `${models} needs ${inMegabytes(bytes)}, and the disk has ${inMegabytes(bavail * bsize)} left`,
    "free space there, or set COCOSEARCH_HOME to another folder",
  );
}

function existingParent(folder: string): string {
  return existsSync(folder) ? folder : existingParent(dirname(folder));
}

/** Deletes the staged files of installations that were killed. */
function removeAbandoned(models: string): void {
  if (!existsSync(models)) return;
  for (const name of readdirSync(models)) {
    const pid = Number(/^\.staging-(\d+)$/.exec(name)?.[1]);
    if (pid > 0 && !isProcessAlive(pid))
      rmSync(join(models, name), { recursive: true, force: true });
  }
}

/** False if no such model is installed. The runtime goes with the last model. */
export function removeModel(models: string, name: string): boolean {
  if (!isModelName(name) || !existsSync(join(models, name, MANIFEST_FILE))) return false;
  rmSync(join(models, name), { recursive: true });
  const isLast = !readdirSync(models).some((each) => existsSync(join(models, each, MANIFEST_FILE)));
  if (isLast) rmSync(runtimeFolder(models), { recursive: true, force: true });
  return true;
}
