/** The lock on a user's data: one holder, and taken over only when that holder is dead, never by age. */

import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isErrorCode } from "../common/errors.ts";

/** Who holds it. A process id alone may have been given to another program since. */
interface Holder {
  readonly pid: number;
  readonly startedAt: string | undefined;
}

export interface Lock {
  release(): void;
}

/**
 * Takes the lock if nobody living holds it.
 *
 * The folder holds numbered files, each naming a holder. A claimant links the next number, which only one
 * can, and then looks again: whoever finds another living holder came from an old view and steps back.
 */
export function takeLock(folder: string): Lock | undefined {
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
    return { release: () => removeNumber(folder, own) };
  }
}

/** Whether a living process holds the lock. */
export function isLocked(folder: string): boolean {
  return lockHolder(folder) !== undefined;
}

/** The living process that holds the lock; nobody where it was never taken. */
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

/** A link appears with its content at once, so that no reader sees a lock without a holder. */
function linkNumber(folder: string, number: number): boolean {
  const draft = join(folder, `draft-${process.pid}`);
  const holder: Holder = { pid: process.pid, startedAt: startOf(process.pid) };
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
  try {
    linkSync(draft, join(folder, String(number)));
    return true;
  } catch (error) {
    if (isErrorCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

function removeNumber(folder: string, number: number): void {
  try {
    unlinkSync(join(folder, String(number)));
  } catch (error) {
    if (!isErrorCode(error, "ENOENT")) throw error;
  }
}

/** Undefined when the file is gone or damaged: then nobody living wrote it, since links appear whole. */
function readHolder(folder: string, number: number): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, String(number)), "utf8"));
    return typeof value === "object" && value !== null && "pid" in value
      ? (value as Holder)
      : undefined;
  } catch (error) {
    if (isErrorCode(error, "ENOENT") || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isAlive({ pid, startedAt }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return isErrorCode(error, "EPERM");
  }
  return startedAt === undefined || startOf(pid) === startedAt;
}

/** When the process started, as the kernel counts; undefined where that cannot be read, or for a zombie. */
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
