/** What a client wants of its engine, as the latest calls that said so. It is replayed to an engine that is new. */

import {
  SESSION_METHOD_NAMES,
  SESSION_METHODS,
  type Session,
  type SessionMethod,
} from "../contracts/session.ts";

/** One call that is part of the desired state, or that removed another one from it. */
export interface StateCall {
  readonly key: string;
  /** Counts the calls of a client, so that of two with one key the later one is known. */
  readonly order: number;
  readonly method: SessionMethod;
  readonly args: readonly unknown[];
}

export class DesiredState {
  readonly #calls = new Map<string, StateCall>();
  #recorded = 0;

  /** Records a call; undefined for a method that is not part of the state. */
  record<M extends SessionMethod>(method: M, args: Parameters<Session[M]>): StateCall | undefined {
    const entry = SESSION_METHODS[method].desiredState?.(...args);
    if (entry === undefined) return undefined;
    const call = { key: entry.key, order: ++this.#recorded, method, args };
    if (entry.isKept) this.#calls.set(entry.key, call);
    else this.#calls.delete(entry.key);
    return call;
  }

  has(key: string): boolean {
    return this.#calls.has(key);
  }

  /** In the order of the table of methods: settings before folders, folders before what happens in them. */
  calls(): StateCall[] {
    const rank = ({ method }: StateCall) => SESSION_METHOD_NAMES.indexOf(method);
    return [...this.#calls.values()].toSorted((a, b) => rank(a) - rank(b));
  }
}
