/** A session over the client's roots: connected with the first request, and kept to what is inside the roots. */

import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BadRequest, isSystemError, messageOf } from "../common/errors.ts";
import { isInside } from "../common/path-inside.ts";
import { refusalReason } from "../common/refused-folders.ts";
import { findRoot, isMarked } from "../config/project-root.ts";
import { DEFAULTS, fromEnvironment } from "../config/settings.ts";
import type { Session } from "../contracts/session.ts";
import type { PartialSettings } from "../contracts/settings.ts";

export interface RootedSessionOptions {
  connect(): Promise<Session>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The root where the client names none. */
  readonly folder: string;
  /** Whether the user named it; it is the current folder otherwise, and indexed only where it is of a project. */
  readonly isNamed: boolean;
  note(sentence: string): void;
}

export class RootedSession {
  readonly #options: RootedSessionOptions;
  #roots: readonly string[];
  #isNamed: boolean;
  #opened: Promise<Session> | undefined;
  #connected: Promise<Session> | undefined;
  /** Where the roots were when they were opened. */
  #places: readonly string[] = [];
  /** Sentences about roots that could not be opened. */
  warnings: readonly string[] = [];
  /** How long a tool waits for what it needs of an index. */
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

  /** The client's own roots replace the folder of the command line. Others than files cannot be searched. */
  setRoots(uris: readonly string[]): void {
    const folders = uris.flatMap((uri) => this.#folderOf(uri) ?? []);
    const { folder, isNamed } = this.#options;
    this.#roots = folders.length === 0 ? [folder] : folders;
    this.#isNamed = isNamed || folders.length > 0;
    this.#opened = undefined;
  }

  /** The session with its roots open; a failure is tried again with the next request. */
  session(): Promise<Session> {
    // A link may lead elsewhere than before, and a folder may have become one.
    const places = this.#roots.map(placeOf);
    if (places.some((place, i) => place !== this.#places[i])) this.#opened = undefined;
    this.#places = places;
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
    if (!this.#isNamed) await refuseStrange(session, this.#options.folder);
    this.warnings = await session.openFolders(this.#roots);
    return session;
  }

  async #connect(): Promise<Session> {
    const session = await this.#options.connect();
    // What a workspace links to is outside of the roots.
    await session.configure({ ...this.#settings, linkedIndexes: [] });
    return session;
  }

  #folderOf(uri: string): string | undefined {
    try {
      return fileURLToPath(uri);
    } catch (error) {
      this.#options.note(`warning: the root ${uri} is left out: ${messageOf(error)}`);
      return undefined;
    }
  }
}

/** As the command line does where it cannot ask: a client may start anywhere, in a folder of downloads too. */
async function refuseStrange(session: Session, folder: string): Promise<void> {
  const place = placeOf(folder);
  if (refusalReason(place) !== undefined || isMarked(findRoot(place, undefined))) return;
  const stored = await session.list();
  if (stored.some(({ root }) => root === place || isInside(root, place))) return;
  throw new BadRequest(
    `${folder} is no work tree of git and has no cocosearch.yaml, so that it is not indexed unasked; ` +
      "start the server in a project, or with --root DIR",
  );
}

/** Without links; of what is gone, its name. */
function placeOf(root: string): string {
  try {
    return realpathSync(root);
  } catch (error) {
    if (isSystemError(error)) return root;
    throw error;
  }
}
