/** Applies the desired state of the client (settings and folders) to the session, with retries while the engine is unavailable. */

import { setTimeout as delay } from "node:timers/promises";
import { BadRequest, messageOf, stackOf, Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { Session } from "../contracts/session.ts";
import type { PartialSettings } from "../contracts/settings.ts";

/** Exponential backoff between attempts, up to MAX_RETRY_DELAY_MS. */
const FIRST_RETRY_DELAY_MS = 250;
const MAX_RETRY_DELAY_MS = 30_000;

/** Editors wait about 1 s for the answer to `shutdown`. */
const CLOSE_TIMEOUT_MS = 500;

interface WorkspaceSessionDeps {
  readonly log: Log;
  makeSession(): Promise<Session>;
  /** Called once for each new session, before its first request. */
  listen(session: Session): void;
  settings(): Promise<PartialSettings>;
  roots(): readonly string[];
  /** Resolves the folders again; returns whether `roots` changed. */
  follow(): boolean;
  /** Called after each success, with messages for the user. */
  opened(problems: readonly string[]): void;
  /** Called when all opened folders are indexed. */
  whenIdle(): void;
  failed(reason: string): void;
}

export class WorkspaceSession {
  readonly #deps: WorkspaceSessionDeps;
  readonly #closing = new AbortController();
  #made: Promise<Session> | undefined;
  #failure: Unavailable | undefined;
  /** Version of the desired state. A change during an attempt leads to another attempt. */
  #desiredVersion = 0;
  #isRunning = false;
  #wake: () => void = () => undefined;
  /** The last version that was attempted, with or without success. */
  #attemptedVersion = 0;
  /** Resolved at the end of each attempt. */
  #waiting: (() => void)[] = [];

  constructor(deps: WorkspaceSessionDeps) {
    this.#deps = deps;
  }

  /** Applies the desired state, unless that has started. */
  start(): void {
    if (this.#desiredVersion === 0) this.apply();
  }

  /** Call after a change of settings or folders. */
  apply(): void {
    this.#desiredVersion++;
    this.#wake();
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run().finally(() => {
      this.#isRunning = false;
    });
  }

  /** Whether opening the client's folders was attempted. */
  get isOpen(): boolean {
    return this.#attemptedVersion > 0;
  }

  /** The session with the desired state applied. Throws Unavailable immediately after a failed attempt. */
  async session(): Promise<Session> {
    // A client may send requests before `initialized`, or never send it.
    this.start();
    let required = 1;
    if (this.#deps.follow()) {
      this.apply();
      required = this.#desiredVersion;
    }
    while (this.#attemptedVersion < required) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (this.#failure !== undefined) throw this.#failure;
    return await this.make();
  }

  /** The session, even before its folders and settings are applied. */
  make(): Promise<Session> {
    this.#made ??= this.#deps.makeSession().then(
      (session) => {
        this.#deps.listen(session);
        return session;
      },
      (error: unknown) => {
        this.#made = undefined;
        throw error;
      },
    );
    return this.#made;
  }

  /** Disposes of the session, without waiting for one that is still connecting. */
  async close(): Promise<void> {
    this.#closing.abort();
    const closed = this.#made?.then(
      (session) => session.dispose(),
      // The session was never created.
      () => undefined,
    );
    await Promise.race([closed, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let retryMs = FIRST_RETRY_DELAY_MS;
    for (let applied = 0; applied < this.#desiredVersion && !signal.aborted; ) {
      const version = this.#desiredVersion;
      this.#failure = await this.#attempt();
      this.#attemptedVersion = version;
      for (const resolve of this.#waiting.splice(0)) resolve();
      if (this.#failure === undefined) applied = version;
      else if (!signal.aborted) {
        this.#deps.failed(this.#failure.message);
        await this.#pause(retryMs);
        retryMs = Math.min(2 * retryMs, MAX_RETRY_DELAY_MS);
      }
    }
  }

  /** Waits until the next attempt; a change of the desired state ends the pause. */
  #pause(ms: number): Promise<unknown> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    return Promise.race([woken, delay(ms, undefined, { ref: false })]);
  }

  async #settle(session: Session): Promise<void> {
    try {
      await session.whenIdle();
      this.#deps.whenIdle();
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#deps.log.warn("indexing did not finish", { error: messageOf(error) });
    }
  }

  /** Resolves to undefined after a success. */
  async #attempt(): Promise<Unavailable | undefined> {
    try {
      const session = await this.make();
      await session.configure(await this.#deps.settings());
      this.#deps.opened(await session.openFolders(this.#deps.roots()));
      void this.#settle(session);
      return undefined;
    } catch (error) {
      if (error instanceof Unavailable) return error;
      if (error instanceof BadRequest) {
        return new Unavailable(error.message, "open another folder", { cause: error });
      }
      if (!this.#closing.signal.aborted) {
        this.#deps.log.error("bug in opening the workspace", { error: stackOf(error) });
      }
      return new Unavailable("the workspace could not be opened", "see the log", { cause: error });
    }
  }
}
