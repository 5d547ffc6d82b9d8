/** A session restricted to the client's roots. It connects to the engine at the first request. */

import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BadRequest, messageOf, trySystemCallSync } from "../common/errors.ts";
import { isInside } from "../common/path-inside.ts";
import { refusalReason } from "../common/refused-folders.ts";
import { findRoot, isMarked } from "../config/project-root.ts";
import { DEFAULTS, fromEnvironment } from "../config/settings.ts";
import type { Session } from "../contracts/session.ts";
import type { PartialSettings } from "../contracts/settings.ts";
import { ShownLines } from "./shown-lines.ts";

interface RootedSessionOptions {
  connect(): Promise<Session>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The root if the client names none. */
  readonly folder: string;
  /** Whether the user passed the folder. The current folder is indexed only if it is a project. */
  readonly isNamed: boolean;
  note(message: string): void;
}

export class RootedSession {
  readonly #options: RootedSessionOptions;
  #roots: readonly string[];
  #isNamed: boolean;
  #opened: Promise<Session> | undefined;
  #connected: Promise<Session> | undefined;
  /** The real paths of the roots when they were opened. */
  #realPaths: readonly string[] = [];
  /** Messages about roots that could not be opened. */
  warnings: readonly string[] = [];
  /** The lines that this connection was given. */
  readonly shown = new ShownLines();
  /** How long a tool waits for the index. */
  readonly waitMs: number;
  readonly #settings: PartialSettings;

  constructor(options: RootedSessionOptions) {
    this.#options = options;
    this.#roots = [options.folder];
    this.#isNamed = options.isNamed;
    const { settings, problems } = fromEnvironment(options.env);
    for (const problem of problems) options.note(`warning: ${problem}`);
    const { "mcp.waitSeconds": waitSeconds = DEFAULTS["mcp.waitSeconds"], ...others } = settings;
    this.#settings = others;
    this.waitMs = waitSeconds * 1_000;
  }

  get roots(): readonly string[] {
    return this.#roots;
  }

  /** The client's roots replace the folder of the command line. URIs of other schemes than file are ignored. */
  setRoots(uris: readonly string[]): void {
    const folders = uris.flatMap((uri) => this.#folderOf(uri) ?? []);
    const { folder, isNamed } = this.#options;
    this.#roots = folders.length === 0 ? [folder] : folders;
    this.#isNamed = isNamed || folders.length > 0;
    this.#opened = undefined;
  }

  /** The session with its roots open. After a failure, the next request tries again. */
  session(): Promise<Session> {
    // A symbolic link may have a new target.
    const realPaths = this.#roots.map(realPathOf);
    if (realPaths.some((path, i) => path !== this.#realPaths[i])) this.#opened = undefined;
    this.#realPaths = realPaths;
    this.#opened ??= this.#open().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async dispose(): Promise<void> {
    const [result] = await Promise.allSettled([this.#connected]);
    if (result.status === "fulfilled") await result.value?.dispose();
  }

  async #open(): Promise<Session> {
    this.#connected ??= this.#connect().catch((error: unknown) => {
      this.#connected = undefined;
      throw error;
    });
    const session = await this.#connected;
    if (!this.#isNamed) await refuseUnknownFolder(session, this.#options.folder);
    this.warnings = await session.openFolders(this.#roots);
    return session;
  }

  async #connect(): Promise<Session> {
    const session = await this.#options.connect();
    // Linked indexes are outside the roots.
    await session.configure({ ...this.#settings, linkedIndexes: [] });
    return session;
  }

  #folderOf(uri: string): string | undefined {
    try {
      return fileURLToPath(uri);
    } catch (error) {
      this.#options.note(`warning: root ${uri} is ignored: ${messageOf(error)}`);
      return undefined;
    }
  }
}

/** Throws BadRequest for a folder that is not a project: a client may start in any folder, such as downloads. */
async function refuseUnknownFolder(session: Session, folder: string): Promise<void> {
  const path = realPathOf(folder);
  if (refusalReason(path) !== undefined || isMarked(findRoot(path, undefined))) return;
  const stored = await session.list();
  if (stored.some(({ root }) => root === path || isInside(root, path))) return;
  throw new BadRequest(
    `${folder} is not a git work tree and has no cocosearch.yaml, so it is not indexed automatically; ` +
      "start the server in a project or with --root DIR",
  );
}

/** The real path; the path itself if it does not exist. */
function realPathOf(root: string): string {
  return trySystemCallSync(() => realpathSync(root)) ?? root;
}
