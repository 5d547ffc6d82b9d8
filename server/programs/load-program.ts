/**
 * Loads a bundled program, with the code that V8 made of it in an earlier process: a search is a process of its own, and
 * a sixth of its time was compiling.
 *
 * Node has such a cache from 22.1 on; this one is for every Node that we support, and keeps what a command called, too.
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
// By its default: an older Node, which is told so, has no `constants` in it.
import vm from "node:vm";
import { isErrorCode, isSystemError } from "../common/errors.ts";
import { homeOf } from "../daemon/home.ts";

export interface Program {
  /** Resolves to the exit code; to nothing where the event loop ends the process. */
  run(program: string, args: readonly string[]): Promise<number> | undefined;
}

/** A server is left with most of what it will need by then, and may be killed without a word later. */
const KEEP_AFTER_MS = 5_000;

const DIGEST_BYTES = 32;

/** Each command calls other parts of its program, and what it called is what is kept. */
const COMMAND = /^[a-z][a-z-]{0,30}$/;

/** `file` is a bundle in CommonJS; `command` tells uses of it apart. Throws what the bundle throws. */
export function loadProgram(file: string, command: string): Program {
  // What esbuild writes is ASCII.
  const source = readFileSync(file, "latin1");
  const kept = keptFile(file, source, command);
  const cachedData = readKept(kept);
  const script = new vm.Script(wrapped(source), {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (cachedData === undefined || script.cachedDataRejected === true) keepLater(script, kept);
  const module = { exports: {} };
  const body = script.runInThisContext() as (...args: unknown[]) => void;
  body(module.exports, createRequire(file), module, file, dirname(file));
  return module.exports as Program;
}

function wrapped(source: string): string {
  return `(function (exports, require, module, __filename, __dirname) { ${source}\n})`;
}

interface Kept {
  readonly folder: string;
  /** What all kept files of this use of the program begin with. */
  readonly prefix: string;
  readonly file: string;
}

/** Of this text and this Node; V8 itself refuses what it made with other flags. */
function keptFile(file: string, source: string, command: string): Kept {
  const folder = join(homeOf(process.env).root, "compiled");
  const use = COMMAND.test(command) ? `-${command}` : "";
  const prefix = `${basename(file, ".cjs")}${use}.`;
  const { version, arch } = process;
  const key = createHash("sha256").update(`${version} ${arch}\n`).update(source, "latin1");
  return { folder, prefix, file: join(folder, `${prefix}${key.digest("hex").slice(0, 16)}`) };
}

/** Undefined also for what was damaged, and for what others could have written: it is run as our own code. */
function readKept({ file }: Kept): Buffer | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    if (!isOurs(handle)) return undefined;
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

function isOurs(handle: number): boolean {
  const found = fstatSync(handle);
  if (!found.isFile()) return false;
  const own = process.getuid?.();
  return own === undefined || (found.uid === own && (found.mode & 0o022) === 0);
}

function digest(data: Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}

/** When the process ends well, or runs for a while. */
function keepLater(script: vm.Script, kept: Kept): void {
  const keep = (): void => {
    process.removeListener("exit", keepAtExit);
    write(kept, script.createCachedData());
  };
  const keepAtExit = (code: number): void => {
    if (code === 0) keep();
  };
  process.once("exit", keepAtExit);
  setTimeout(keep, KEEP_AFTER_MS).unref();
}

/** Only where an engine has made the data folder. That it cannot be written costs the next process a moment, and nothing else. */
function write({ folder, prefix, file }: Kept, data: Buffer): void {
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
