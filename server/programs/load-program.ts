/**
 * Loads a bundled program with V8's code cache from an earlier process. Every CLI search is a new process, and a sixth of
 * its time was compilation.
 *
 * Node has a compile cache since 22.1. This one works in every supported version and includes lazily compiled functions.
 */

import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
// The default import, because an unsupported older Node has no export `constants`, and main.ts reports its version.
import vm from "node:vm";
import { isErrorCode, isSystemError } from "../common/errors.ts";
import { homeOf } from "../daemon/home.ts";

export interface Program {
  /** Resolves to the exit code. Returns undefined if the program ends the process itself. */
  run(program: string, args: readonly string[]): Promise<number> | undefined;
}

/** A server saves its cache after this time, because clients may kill it. It has compiled most functions by then. */
const SAVE_AFTER_MS = 5_000;

const DIGEST_BYTES = 32;

/** Each command has its own cache, because it calls other functions of the program. */
const COMMAND = /^[a-z][a-z-]{0,30}$/;

/** Runs the CommonJS bundle `file` and returns its exports. Each `command` has its own cache. Errors of the bundle propagate. */
export function loadProgram(file: string, command: string): Program {
  // esbuild writes ASCII.
  const source = readFileSync(file, "latin1");
  const cache = cacheFileFor(file, source, command);
  const cachedData = readCache(cache);
  const script = new vm.Script(wrapped(source), {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (cachedData === undefined || script.cachedDataRejected === true) saveLater(script, cache);
  const module = { exports: {} };
  const body = script.runInThisContext() as (...args: unknown[]) => void;
  body(module.exports, createRequire(file), module, file, dirname(file));
  return module.exports as Program;
}

function wrapped(source: string): string {
  return `(function (exports, require, module, __filename, __dirname) { ${source}\n})`;
}

interface CacheFile {
  readonly folder: string;
  /** The common prefix of all cache files for this command. */
  readonly prefix: string;
  readonly file: string;
}

/** The cache file is named by a hash of the source and the Node version. V8 itself rejects a cache of other flags. */
function cacheFileFor(file: string, source: string, command: string): CacheFile {
  const folder = join(homeOf(process.env).root, "compiled");
  const use = COMMAND.test(command) ? `-${command}` : "";
  const prefix = `${basename(file, ".cjs")}${use}.`;
  const { version, arch } = process;
  const key = createHash("sha256").update(`${version} ${arch}\n`).update(source, "latin1");
  return { folder, prefix, file: join(folder, `${prefix}${key.digest("hex").slice(0, 16)}`) };
}

/** Undefined if the file is missing or damaged, or if another user could have written it, because the cache is executed. */
function readCache({ file }: CacheFile): Buffer | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    if (!isOwnFile(handle)) return undefined;
    const content = readFileSync(handle);
    const data = content.subarray(DIGEST_BYTES);
    return content.subarray(0, DIGEST_BYTES).equals(digest(data)) ? data : undefined;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function isOwnFile(handle: number): boolean {
  const found = fstatSync(handle);
  if (!found.isFile()) return false;
  const own = process.getuid?.();
  return own === undefined || (found.uid === own && (found.mode & 0o022) === 0);
}

function digest(data: Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}

/** Saves the cache when the process exits with 0, or after SAVE_AFTER_MS. */
function saveLater(script: vm.Script, cache: CacheFile): void {
  const save = (): void => {
    process.removeListener("exit", saveAtExit);
    write(cache, script.createCachedData());
  };
  const saveAtExit = (code: number): void => {
    if (code === 0) save();
  };
  process.once("exit", saveAtExit);
  setTimeout(save, SAVE_AFTER_MS).unref();
}

/** Writes the cache and deletes outdated ones. Does nothing without a data folder. A write error is ignored. */
function write({ folder, prefix, file }: CacheFile, data: Buffer): void {
  const draft = `${file}.${process.pid}`;
  try {
    makeFolder(folder);
    writeFileSync(draft, Buffer.concat([digest(data), data]), { mode: 0o600, flag: "wx" });
    renameSync(draft, file);
    for (const name of readdirSync(folder))
      if (name.startsWith(prefix) && name !== basename(file)) rmSync(join(folder, name));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (existsSync(draft)) rmSync(draft);
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!isErrorCode(error, "EEXIST")) throw error;
  }
}
