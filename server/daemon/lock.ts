/**
 * The lock that keeps a user to one engine process for all editors and terminals. Another process takes it over only if the
 * holder is dead, never by age.
 */

import { randomUUID } from "node:crypto";
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { isErrorCode, trySystemCallSync } from "../common/errors.ts";
import { isObject } from "../common/is-object.ts";
import { isProcessAlive } from "../common/process-alive.ts";

/** The process that holds the lock. The start time is compared too, because the system reuses process ids. */
interface Holder {
  readonly pid: number;
  readonly startedAt: string | undefined;
  readonly place: ProcessScope;
}

/** The scope of a process id: other machines and containers may share the folder. */
interface ProcessScope {
  readonly host: string;
  /** Only on Linux. */
  readonly boot?: string;
  readonly pidNamespace?: string;
}

export interface ForeignHolder {
  readonly pid: number;
  readonly host: string;
  /** The file to delete if that machine or container is gone. */
  readonly file: string;
}

export interface Lock {
  /** Takes the lock again if its file was deleted. False if another process has taken it meanwhile. */
  keep(): boolean;
  release(): void;
}

/**
 * Takes the lock. Returns undefined if a living process holds it.
 *
 * The folder contains numbered files, and each names a holder. A claimant creates a hard link with the next number, which
 * only one process can do, and then reads the folder again. If it finds another living holder, its first view was outdated
 * and it removes its own file.
 */
export function takeLock(folder: string): Lock | undefined {
  let own = takeNumber(folder);
  if (own === undefined) return undefined;
  return {
    keep: () => {
      if (own !== undefined && lockHolder(folder) !== process.pid) own = takeNumber(folder);
      return own !== undefined;
    },
    release: () => {
      if (own !== undefined) removeNumber(folder, own);
    },
  };
}

/** Undefined if a living process holds the lock. */
function takeNumber(folder: string): number | undefined {
  for (;;) {
    const numbers = numbersIn(folder);
    if (numbers.some((number) => isHeld(folder, number))) return undefined;
    const own = Math.max(0, ...numbers) + 1;
    if (!linkNumber(folder, own)) continue;
    const others = numbersIn(folder).filter((number) => number !== own);
    if (others.some((number) => isHeld(folder, number))) {
      removeNumber(folder, own);
      continue;
    }
    for (const number of others) removeNumber(folder, number);
    return own;
  }
}

/**
 * The holder on another machine, or in a container with its own process ids. Its lock is never taken over, because this
 * process cannot find out whether the holder lives.
 */
export function foreignHolder(folder: string): ForeignHolder | undefined {
  if (!existsSync(folder)) return undefined;
  for (const number of numbersIn(folder)) {
    const holder = readHolder(folder, number);
    if (holder === undefined || !isForeign(holder.place)) continue;
    const { pid, place } = holder;
    return { pid, host: place.host, file: join(folder, String(number)) };
  }
  return undefined;
}

/** Whether a living process holds the lock. */
export function isLocked(folder: string): boolean {
  return lockHolder(folder) !== undefined;
}

/** The id of the living process that holds the lock, if any. */
export function lockHolder(folder: string): number | undefined {
  if (!existsSync(folder)) return undefined;
  const holders = numbersIn(folder).map((number) => readHolder(folder, number));
  return holders.find((holder) => holder !== undefined && isAlive(holder))?.pid;
}

function isHeld(folder: string, number: number): boolean {
  const holder = readHolder(folder, number);
  return holder !== undefined && isAlive(holder);
}

function numbersIn(folder: string): number[] {
  return readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Writes a draft and links it: the file appears with its content, so no reader sees a lock without a holder. */
function linkNumber(folder: string, number: number): boolean {
  const draft = join(folder, `draft-${hostname()}-${process.pid}-${randomUUID()}`);
  const holder: Holder = {
    pid: process.pid,
    startedAt: startOf(process.pid),
    place: ownPlace(),
  };
  try {
    writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
    linkSync(draft, join(folder, String(number)));
    return true;
  } catch (error) {
    if (isErrorCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    // On a full disk the draft may be missing or empty.
    rmSync(draft, { force: true });
  }
}

function removeNumber(folder: string, number: number): void {
  try {
    unlinkSync(join(folder, String(number)));
  } catch (error) {
    if (!isErrorCode(error, "ENOENT")) throw error;
  }
}

/** Undefined if the file is missing or damaged. No living process wrote a damaged file, because links appear whole. */
function readHolder(folder: string, number: number): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, String(number)), "utf8"));
    return isObject(value) && "pid" in value && isObject(value["place"])
      ? (value as unknown as Holder)
      : undefined;
  } catch (error) {
    if (isErrorCode(error, "ENOENT") || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isAlive({ pid, startedAt, place }: Holder): boolean {
  if (isForeign(place)) return true;
  // The machine was restarted after the lock was taken.
  if (place.boot !== ownPlace().boot) return false;
  if (!isProcessAlive(pid)) return false;
  return startedAt === undefined || startOf(pid) === startedAt;
}

function isForeign(place: ProcessScope): boolean {
  const own = ownPlace();
  if (place.host !== own.host) return true;
  return place.boot === own.boot && place.pidNamespace !== own.pidNamespace;
}

let own: ProcessScope | undefined;

function ownPlace(): ProcessScope {
  if (own !== undefined) return own;
  const machine = lineOf("/etc/machine-id");
  const boot = lineOf("/proc/sys/kernel/random/boot_id");
  const pidNamespace = namespaceOf();
  own = {
    host: machine === undefined ? hostname() : `${hostname()} (${machine.slice(0, 8)})`,
    ...(boot === undefined ? {} : { boot }),
    ...(pidNamespace === undefined ? {} : { pidNamespace }),
  };
  return own;
}

function lineOf(file: string): string | undefined {
  return trySystemCallSync(() => readFileSync(file, "utf8").trim() || undefined);
}

function namespaceOf(): string | undefined {
  if (process.platform !== "linux") return undefined;
  return trySystemCallSync(() => readlinkSync("/proc/self/ns/pid"));
}

/** The start time of the process in clock ticks since boot. Undefined if it cannot be read, and for a zombie. */
function startOf(pid: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch (error) {
    if (isErrorCode(error, "ENOENT") || isErrorCode(error, "ESRCH")) return undefined;
    throw error;
  }
}
