/** Registers the call hierarchy, for the languages in `graph.standardRequests` only. Off by default. */

import type { Connection, DocumentSelector } from "vscode-languageserver";
import { deferred } from "../common/deferred.ts";
import { messageOf } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { SerialQueue } from "../common/serial-queue.ts";
import type { Client } from "./client-quirks.ts";

const REGISTRATION = {
  id: "cocosearch-callHierarchy",
  method: "textDocument/prepareCallHierarchy",
} as const;

interface OfferDeps {
  readonly connection: Connection;
  readonly log: Log;
  client(): Client;
}

/** The registration as the client has it. It is replaced when the setting changes. */
export class CallHierarchyOffer {
  readonly #deps: OfferDeps;
  readonly #queue = new SerialQueue();
  /** Resolves at `initialized`. A server may not register anything before. */
  readonly #initialized = deferred();
  #languages: readonly string[] = [];
  #isRegistered = false;

  constructor(deps: OfferDeps) {
    this.#deps = deps;
  }

  begin(): void {
    this.#initialized.resolve();
  }

  /** Whether the setting names a language. Without one the requests are refused. */
  get isEnabled(): boolean {
    return this.#languages.length > 0;
  }

  /** Registers the call hierarchy for these languages, in place of an earlier registration. */
  apply(languages: readonly string[]): void {
    if (String(languages) === String(this.#languages)) return;
    this.#languages = languages;
    void this.#queue.run(async () => {
      await this.#initialized.promise;
      await this.#replace(languages);
    });
  }

  async #replace(languages: readonly string[]): Promise<void> {
    const { client, log } = this.#deps;
    const wasRegistered = this.#isRegistered;
    this.#isRegistered = false;
    // `unregisterations` is the protocol's spelling.
    if (wasRegistered)
      await this.#request("client/unregisterCapability", { unregisterations: [REGISTRATION] });
    if (languages.length === 0) return;
    if (!client().registersCallHierarchy) {
      log.info("graph.standardRequests has no effect: the editor cannot register callHierarchy");
      return;
    }
    const registerOptions = { documentSelector: selectorOf(languages) };
    const registrations = [{ ...REGISTRATION, registerOptions }];
    this.#isRegistered = await this.#request("client/registerCapability", { registrations });
  }

  /** Whether the client accepted. */
  async #request(method: string, params: object): Promise<boolean> {
    try {
      await this.#deps.connection.sendRequest(method, params);
      return true;
    } catch (error) {
      this.#deps.log.warn(`${method} failed`, { error: messageOf(error) });
      return false;
    }
  }
}

function selectorOf(languages: readonly string[]): DocumentSelector {
  return languages.map((language) => ({ scheme: "file", language }));
}
