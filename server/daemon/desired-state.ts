/** The desired state of a client: the latest call for each setting and folder. A new engine gets these calls replayed. */

import {
  SESSION_METHOD_NAMES,
  SESSION_METHODS,
  type Session,
  type SessionMethod,
} from "../contracts/session.ts";

/** A call that sets a part of the desired state, or removes one. */
export interface StateCall {
  readonly key: string;
  /** A sequence number per client. Of two calls with the same key, the higher number is the later call. */
  readonly order: number;
  readonly method: SessionMethod;
  readonly args: readonly unknown[];
}

export class DesiredState {
  readonly #calls = new Map<string, StateCall>();
  #recorded = 0;

  /** Records a call. Returns undefined for a method that does not change the desired state. */
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

  /** The calls in the order of SESSION_METHODS: settings before folders, folders before their documents. */
  calls(): StateCall[] {
    const rank = ({ method }: StateCall) => SESSION_METHOD_NAMES.indexOf(method);
    return [...this.#calls.values()].toSorted((a, b) => rank(a) - rank(b));
  }
}
