/** Keeps the session at what the client wants, its settings and folders, and asks again while there is no engine. */

import { setTimeout as delay } from "node:timers/promises";
import { BadRequest, messageOf, stackOf, Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { Session } from "../contracts/session.ts";
import type { PartialSettings } from "../contracts/settings.ts";

/** After a failure the next attempt waits this long, doubling up to the second figure. */
const FIRST_RETRY_DELAY_MS = 250;
const MAX_RETRY_DELAY_MS = 30_000;

/** Editors wait a second or so for the answer to `shutdown`. */
const CLOSE_TIMEOUT_MS = 500;

export interface WorkspaceSessionDeps {
  readonly log: Log;
  makeSession(): Promise<Session>;
  /** Called once for each session that is made, before anything is asked of it. */
  listen(session: Session): void;
  settings(): Promise<PartialSettings>;
  roots(): readonly string[];
  /** Looks where the folders are now; whether `roots` are others than before. */
  follow(): boolean;
  /** After each success, with what the user should know. */
  opened(sentences: readonly string[]): void;
  /** Later: everything that was opened is indexed as far as it can be. */
  whenIdle(): void;
  failed(reason: string): void;
}

export class WorkspaceSession {
  readonly #deps: WorkspaceSessionDeps;
  readonly #closing = new AbortController();
  #made: Promise<Session> | undefined;
  #failure: Unavailable | undefined;
  /** Counts what was wanted, so that a change while an attempt is under way leads to another one. */
  #wanted = 0;
  #isRunning = false;
  #wake: () => void = () => undefined;
  /** How much of what was wanted has been attempted, with success or without. */
  #attempted = 0;
  /** At the end of each attempt. */
  #waiting: (() => void)[] = [];

  constructor(deps: WorkspaceSessionDeps) {
    this.#deps = deps;
  }

  /** Tells the session what the client wants, unless that has begun. */
  start(): void {
    if (this.#wanted === 0) this.apply();
  }

  /** Settings or folders have changed. */
  apply(): void {
    this.#wanted++;
    this.#wake();
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run().finally(() => {
      this.#isRunning = false;
    });
  }

  /** Whether the client's folders have been opened, or could not be. */
  get isOpen(): boolean {
    return this.#attempted > 0;
  }

  /** The session, once it has been told what the client wants; Unavailable at once while it cannot be. */
  async session(): Promise<Session> {
    // A client may ask before it says `initialized`, or never say it.
    this.start();
    let wanted = 1;
    if (this.#deps.follow()) {
      this.apply();
      wanted = this.#wanted;
    }
    while (this.#attempted < wanted) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (this.#failure !== undefined) throw this.#failure;
    return await this.make();
  }

  /** The session as it is, even before it has its folders and settings. */
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

  /** Ends the session; one that is still looking for an engine is not waited for. */
  async close(): Promise<void> {
    this.#closing.abort();
    const closed = this.#made?.then(
      (session) => session.dispose(),
      // One that cannot be had needs no end.
      () => undefined,
    );
    await Promise.race([closed, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let retryMs = FIRST_RETRY_DELAY_MS;
    for (let done = 0; done < this.#wanted && !signal.aborted; ) {
      const wanted = this.#wanted;
      this.#failure = await this.#attempt();
      this.#attempted = wanted;
      for (const resolve of this.#waiting.splice(0)) resolve();
      if (this.#failure === undefined) done = wanted;
      else if (!signal.aborted) {
        this.#deps.failed(this.#failure.message);
        await this.#pause(retryMs);
        retryMs = Math.min(2 * retryMs, MAX_RETRY_DELAY_MS);
      }
    }
  }

  /** Until the next attempt; a change may be what makes it succeed. */
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
      this.#deps.log.warn("indexing has not ended", { error: messageOf(error) });
    }
  }

  /** Undefined after a success. */
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
