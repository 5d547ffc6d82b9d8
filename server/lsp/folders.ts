/** The opened folders of the client, and the mapping between the client's paths and real paths. */

import { existsSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  type Connection,
  DidChangeWorkspaceFoldersNotification,
  type InitializeParams,
  type ServerCapabilities,
  type WorkspaceFolder,
} from "vscode-languageserver";
import { trySystemCallSync } from "../common/errors.ts";
import { pathInside } from "../common/path-inside.ts";
import { toPath } from "./convert.ts";
import type { Notices } from "./notices.ts";

export const capabilities: ServerCapabilities = {
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
};

/** Shown if no folder is open. */
export const NO_FOLDER =
  "no folder is open, so nothing is indexed; open a folder, or start the editor inside a project";

interface Folder {
  /** The client's path. Answers use it, so that they match open buffers. */
  readonly path: string;
  /** The path without symbolic links, which the index uses. */
  readonly real: string;
  /** The result of `realpath.native`, which takes a tenth of the time; undefined if it fails. */
  readonly native: string | undefined;
}

export class Folders {
  #folders: readonly Folder[] = [];
  /** Why no folder could be opened; undefined if one is open. */
  refusal: string | undefined;

  /** Distinct real paths. */
  get roots(): readonly string[] {
    return [...new Set(this.#folders.map(({ real }) => real))];
  }

  /** Returns a message for each folder that cannot be opened. */
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
   * Resolves the folders again, because a symbolic link may have a new target. Returns whether any real path changed. A
   * missing folder keeps its path.
   */
  follow(): boolean {
    const before = this.#folders;
    this.#folders = before.map((folder) => relocated(folder) ?? folder);
    return this.#folders.some(({ real }, i) => real !== before[i]?.real);
  }

  /** The client's path of a file in an index. */
  toClient(root: string, path: string): string {
    const folder = this.#folders.find(({ real }) => real === root);
    return join(folder?.path ?? root, path);
  }

  /** The path in the index of a client's file. */
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

/** The folders in `initialize`: workspaceFolders, else rootUri, else rootPath. */
export function workspaceFoldersIn(params: InitializeParams): string[] {
  const open = pathsOf(params.workspaceFolders ?? []);
  if (open.length > 0) return open;
  const path = toPath(params.rootUri) ?? params.rootPath ?? undefined;
  return path === undefined ? [] : [resolve(path)];
}

/** The part of ServerContext that this feature uses, declared here because ServerContext imports this file. */
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
  return trySystemCallSync(() => realpathSync.native(path));
}

/** The folder with its new real path; undefined if unchanged or missing. Called before each search. */
function relocated({ path, native }: Folder): Folder | undefined {
  if (native !== undefined && nativePath(path) === native) return undefined;
  return trySystemCallSync(() => (isFolder(path) ? locate(path) : undefined));
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
