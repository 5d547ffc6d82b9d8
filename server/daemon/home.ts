/** The home folder of the engine: database, socket, lock and log, private to one user. */

import { createHash, randomUUID } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isErrorCode, messageOf, Unavailable } from "../common/errors.ts";

export interface Home {
  readonly root: string;
  /** The folder of the built-in database. */
  readonly data: string;
  /** A Unix socket, or the name of a pipe on Windows. */
  readonly socket: string;
  /** The folder of the engine's lock. */
  readonly lock: string;
  readonly log: string;
  /** The folder with the times of MCP clients. */
  readonly clients: string;
  /** The folder of installed models. */
  readonly models: string;
}

/** The kernel's limit is 108 bytes on Linux and 104 on macOS, the closing zero included. */
const MAX_SOCKET_PATH_BYTES = 103;

type Environment = Readonly<Record<string, string | undefined>>;

/** The paths in COCOSEARCH_HOME or, by default, in the platform's folder for user data. */
export function homeOf(env: Environment): Home {
  const root = resolve(env["COCOSEARCH_HOME"] || join(dataFolder(env), "cocosearch"));
  return {
    root,
    data: join(root, "postgres"),
    socket: socketOf(root),
    lock: join(root, "lock"),
    log: join(root, "engine.log"),
    clients: join(root, "clients"),
    models: join(root, "models"),
  };
}

/** Creates the folders with mode 0700. Throws Unavailable for a folder that another user owns or has written to. */
export function prepareHome(home: Home): void {
  makePrivate(home.root);
  makePrivate(home.lock);
  if (process.platform === "win32") return;
  const socketFolder = join(home.socket, "..");
  if (socketFolder !== home.root) makePrivate(socketFolder);
}

/** Throws Unavailable on a full disk. An engine that cannot write its lock could only say so in its log. */
export function checkSpace({ root, lock }: Home): void {
  const probe = join(lock, `probe-${process.pid}-${randomUUID()}`);
  try {
    writeFileSync(probe, "probe", { mode: 0o600 });
  } catch (cause) {
    throw new Unavailable(
      `${root} cannot be written to (${messageOf(cause)})`,
      "free disk space there, or set COCOSEARCH_HOME to another folder",
      { cause },
    );
  } finally {
    rmSync(probe, { force: true });
  }
}

function dataFolder(env: Environment): string {
  if (process.platform === "win32") {
    return env["LOCALAPPDATA"] || join(homedir(), "AppData", "Local");
  }
  if (env["XDG_DATA_HOME"]) return env["XDG_DATA_HOME"];
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support");
  return join(homedir(), ".local", "share");
}

function socketOf(root: string): string {
  const key = createHash("sha256").update(root).digest("hex").slice(0, 12);
  if (process.platform === "win32") return `\\\\.\\pipe\\cocosearch-${userInfo().username}-${key}`;
  const inside = join(root, "engine.sock");
  if (Buffer.byteLength(inside) <= MAX_SOCKET_PATH_BYTES) return inside;
  return join(tmpdir(), `cocosearch-${userInfo().uid}-${key}`, "engine.sock");
}

const isOwn = (path: string) => lstatSync(path).uid === userInfo().uid;

function makePrivate(folder: string): void {
  try {
    makeFolder(folder);
    if (process.platform === "win32") return;
    const found = lstatSync(folder);
    if (!found.isDirectory() || !isOwn(folder)) {
      throw new Unavailable(
        `${folder} is not a folder that you own`,
        "remove it or set COCOSEARCH_HOME",
      );
    }
    if ((found.mode & 0o077) !== 0) closeToOthers(folder);
    // On a read-only file system this fails for root, too.
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    if (cause instanceof Unavailable) throw cause;
    throw new Unavailable(
      `${folder} cannot be used for the index`,
      "make it writable or set COCOSEARCH_HOME",
      { cause },
    );
  }
}

/** Creates a folder and its parents. Node's `recursive` option never returns in a folder such as /proc that takes no new entries. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isErrorCode(error, "EEXIST")) throw error;
  }
}

function closeToOthers(folder: string): void {
  // Another user may have put a socket or a symbolic link into it.
  const foreign = readdirSync(folder).find((name) => !isOwn(join(folder, name)));
  if (foreign !== undefined) {
    throw new Unavailable(
      `${join(folder, foreign)} is owned by another user, in a folder that others could write to`,
      `remove ${folder} or set COCOSEARCH_HOME`,
    );
  }
  chmodSync(folder, 0o700);
}
