/** The folders that the client has open, under the names by which it knows them. */

import { existsSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  type Connection,
  DidChangeWorkspaceFoldersNotification,
  type InitializeParams,
  type ServerCapabilities,
  type WorkspaceFolder,
} from "vscode-languageserver";
import { isSystemError } from "../common/errors.ts";
import { pathInside } from "../common/path-inside.ts";
import { toPath } from "./convert.ts";
import type { Notices } from "./notices.ts";

export const capabilities: ServerCapabilities = {
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
};

/** Where no folder is open: the reason, and what to do. */
export const NO_FOLDER =
  "no folder is open, so nothing is indexed; open a folder, or start the editor inside a project";

interface Folder {
  /** As the client wrote it; answers use it, so that they name the buffers that are already open. */
  readonly path: string;
  /** Without symbolic links, as the index knows it. */
  readonly real: string;
  /** The same as the system says it, in a tenth of the time; undefined where it does not. */
  readonly native: string | undefined;
}

export class Folders {
  #folders: readonly Folder[] = [];
  /** Why nothing of what was asked for is open; undefined while something is. */
  refusal: string | undefined;

  /** Real paths, each once. */
  get roots(): readonly string[] {
    return [...new Set(this.#folders.map(({ real }) => real))];
  }

  /** Returns a sentence for each folder that cannot be opened. */
  change(added: readonly string[], removed: readonly string[]): string[] {
    const kept = this.#folders.filter(({ path }) => !removed.includes(path));
    const isNew = (path: string) => kept.every((folder) => folder.path !== path);
    const wanted = [...new Set(added)].filter(isNew);
    const found = wanted.filter(isFolder);
    this.#folders = [...kept, ...found.map(locate)];
    return wanted
      .filter((path) => !found.includes(path))
      .map((path) => `${path} is not a folder and is not indexed`);
  }

  /**
   * Looks where the folders are now: a link may lead elsewhere than before, and a folder may have become one. Whether any
   * is not where it was; one that is gone is taken to come back.
   */
  follow(): boolean {
    const before = this.#folders;
    this.#folders = before.map((folder) => whereNow(folder) ?? folder);
    return this.#folders.some(({ real }, i) => real !== before[i]?.real);
  }

  /** A file of an index under the client's name for it. */
  toClient(root: string, path: string): string {
    const folder = this.#folders.find(({ real }) => real === root);
    return join(folder?.path ?? root, path);
  }

  /** A file of the client under its index's name. */
  toIndex(path: string): string {
    for (const folder of this.#folders) {
      if (folder.real === folder.path) continue;
      if (resolve(path) === resolve(folder.path)) return folder.real;
      const inside = pathInside(folder.path, path);
      if (inside !== undefined) return join(folder.real, inside);
    }
    return path;
  }
}

/** The folders in `initialize`, in the newest of the three forms that the client uses. */
export function foldersIn(params: InitializeParams): string[] {
  const open = pathsOf(params.workspaceFolders ?? []);
  if (open.length > 0) return open;
  const path = toPath(params.rootUri) ?? params.rootPath ?? undefined;
  return path === undefined ? [] : [resolve(path)];
}

/** The part of the context that this feature uses; the context itself names `Folders`. */
interface FolderContext {
  readonly connection: Connection;
  readonly folders: Folders;
  readonly notices: Notices;
  readonly workspace: { apply(): void };
}

export function register({ connection, folders, notices, workspace }: FolderContext): void {
  connection.onNotification(DidChangeWorkspaceFoldersNotification.method, ({ event }) => {
    const problems = folders.change(pathsOf(event.added), pathsOf(event.removed));
    for (const problem of problems) notices.once("warning", problem);
    workspace.apply();
  });
}

function pathsOf(folders: readonly WorkspaceFolder[]): string[] {
  return folders.flatMap(({ uri }) => {
    const path = toPath(uri);
    return path === undefined ? [] : [resolve(path)];
  });
}

function locate(path: string): Folder {
  return { path, real: realpathSync(path), native: nativePath(path) };
}

function nativePath(path: string): string | undefined {
  return orUndefined(() => realpathSync.native(path));
}

/** Undefined where it is as before, or no folder now; asked before each search. */
function whereNow({ path, native }: Folder): Folder | undefined {
  if (native !== undefined && nativePath(path) === native) return undefined;
  return orUndefined(() => (isFolder(path) ? locate(path) : undefined));
}

/** What the system refuses is not there. */
function orUndefined<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
