/** The writer lock of an index in a shared database: an advisory lock that is held by a dedicated connection. */

import type { WriterLock } from "../contracts/store.ts";
import type { Database, Exclusive } from "./database.ts";

/** For a database that only this engine can open. */
const OWN: WriterLock = {
  isHeld: true,
  tryHold: async () => true,
  release: async () => undefined,
};

/** Distinguishes the lock from that of `lockIndex`, which lasts for a transaction. */
const SEED = 1;

/** The server releases the lock when the connection ends, also if the engine was killed. */
export function createWriterLock(database: Database, name: string): WriterLock {
  const { exclusive } = database;
  return exclusive === undefined ? OWN : new ConnectionLock(() => exclusive.call(database), name);
}

class ConnectionLock implements WriterLock {
  readonly #connect: () => Promise<Exclusive>;
  readonly #name: string;
  #connection: Promise<Exclusive> | undefined;
  #held = false;

  constructor(connect: () => Promise<Exclusive>, name: string) {
    this.#connect = connect;
    this.#name = name;
  }

  get isHeld(): boolean {
    return this.#held;
  }

  async tryHold(): Promise<boolean> {
    if (this.#held) return true;
    const connection = await this.#connected();
    this.#held = await connection.tryLock(this.#name, SEED);
    return this.#held;
  }

  async release(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#held = false;
    const open = await connection?.catch(() => undefined);
    await open?.close();
  }

  /** The connection, opened on first use. */
  #connected(): Promise<Exclusive> {
    if (this.#connection !== undefined) return this.#connection;
    const connection = this.#connect();
    this.#connection = connection;
    // The end of this connection may be reported after another was opened.
    const forget = () => {
      if (this.#connection !== connection) return;
      this.#connection = undefined;
      this.#held = false;
    };
    connection.then((open) => open.onLost(forget), forget);
    return connection;
  }
}
