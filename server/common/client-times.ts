/** Remembers when each client of the context server last connected: one empty file per client, with that modification time. */

import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isErrorCode, isSystemError, trySystemCallSync } from "./errors.ts";

/** Clients choose their names. There are about a dozen; the limit keeps a broken client from filling the folder. */
const MAX_CLIENTS = 50;
const MAX_NAME_LENGTH = 60;

interface ClientTime {
  readonly name: string;
  /** Unix time in seconds. */
  readonly time: number;
}

/** Creates the folder, but not its parent. Does nothing if that is missing or cannot be written to. */
export function noteClient(folder: string, client: string, now = new Date()): void {
  const name = client.replaceAll(/[^\w. -]/g, "_").slice(0, MAX_NAME_LENGTH);
  if (/^[. ]*$/.test(name)) return;
  const file = join(folder, name);
  try {
    makeFolder(folder);
    const names = readdirSync(folder);
    if (!names.includes(name) && names.length >= MAX_CLIENTS) return;
    writeFileSync(file, "", { mode: 0o600 });
    utimesSync(file, now, now);
  } catch (error) {
    // The time is only a hint for the user.
    if (!isSystemError(error)) throw error;
  }
}

/** The latest first. */
export function clientTimes(folder: string): ClientTime[] {
  const times = trySystemCallSync(() =>
    readdirSync(folder).map((name) => ({
      name,
      time: statSync(join(folder, name)).mtimeMs / 1000,
    })),
  );
  return (times ?? []).toSorted((a, b) => b.time - a.time);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!isErrorCode(error, "EEXIST")) throw error;
  }
}
