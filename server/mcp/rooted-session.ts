/** A session over the client's roots: connected with the first request, and kept to what is inside the roots. */

import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isSystemError, messageOf } from "../common/errors.ts";
import { fromEnvironment } from "../config/settings.ts";
import type { Session } from "../contracts/session.ts";

export interface RootedSessionOptions {
  connect(): Promise<Session>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The root where the client names none. */
  readonly folder: string;
  note(sentence: string): void;
}

export class RootedSession {
  readonly #options: RootedSessionOptions;
  #roots: readonly string[];
  #opened: Promise<Session> | undefined;
  #connected: Promise<Session> | undefined;
  /** Where the roots were when they were opened. */
  #places: readonly string[] = [];
  /** Sentences about roots that could not be opened. */
  warnings: readonly string[] = [];

  constructor(options: RootedSessionOptions) {
    this.#options = options;
    this.#roots = [options.folder];
  }

  get roots(): readonly string[] {
    return this.#roots;
  }

  /** The client's own roots replace the folder of the command line. Others than files cannot be searched. */
  setRoots(uris: readonly string[]): void {
    const folders = uris.flatMap((uri) => this.#folderOf(uri) ?? []);
    this.#roots = folders.length === 0 ? [this.#options.folder] : folders;
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
    this.warnings = await session.openFolders(this.#roots);
    return session;
  }

  async #connect(): Promise<Session> {
    const { settings, problems } = fromEnvironment(this.#options.env);
    for (const problem of problems) this.#options.note(`warning: ${problem}`);
    const session = await this.#options.connect();
    // What a workspace links to is outside of the roots.
    await session.configure({ ...settings, linkedIndexes: [] });
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

/** Without links; of what is gone, its name. */
function placeOf(root: string): string {
  try {
    return realpathSync(root);
  } catch (error) {
    if (isSystemError(error)) return root;
    throw error;
  }
}
