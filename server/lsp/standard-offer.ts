/** Offers the standard requests that the graph can answer, for just the languages that the user names. Off by default. */

import type { Connection, DocumentSelector } from "vscode-languageserver";
import { deferred } from "../common/deferred.ts";
import { messageOf } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import { SerialQueue } from "../common/serial-queue.ts";
import { type Client, LATE_OFFERS, type LateOffer } from "./client-quirks.ts";

const METHODS: Readonly<Record<LateOffer, string>> = {
  definition: "textDocument/definition",
  references: "textDocument/references",
  callHierarchy: "textDocument/prepareCallHierarchy",
  documentLink: "textDocument/documentLink",
};

interface Needed {
  readonly connection: Connection;
  readonly log: Log;
  client(): Client;
}

/** What was offered, and is withdrawn when the user's settings change. */
export class StandardOffer {
  readonly #context: Needed;
  readonly #queue = new SerialQueue();
  /** Resolves when the client has said `initialized`: only then it may be asked to register anything. */
  readonly #begun = deferred();
  #languages: readonly string[] = [];
  #registered: readonly LateOffer[] = [];

  constructor(context: Needed) {
    this.#context = context;
  }

  begin(): void {
    this.#begun.resolve();
  }

  /** Whether anything is to be answered. */
  get isWanted(): boolean {
    return this.#languages.length > 0;
  }

  /** Makes what is offered what the setting says. */
  apply(languages: readonly string[]): void {
    if (String(languages) === String(this.#languages)) return;
    this.#languages = languages;
    void this.#queue.run(async () => {
      await this.#begun.promise;
      await this.#replace(languages);
    });
  }

  async #replace(languages: readonly string[]): Promise<void> {
    const { client, log } = this.#context;
    const before = this.#registered;
    this.#registered = [];
    if (before.length > 0) await this.#ask("client/unregisterCapability", withdrawal(before));
    if (languages.length === 0) return;
    const offers = LATE_OFFERS.filter((offer) => client().lateOffers.has(offer));
    const missing = LATE_OFFERS.filter((offer) => !offers.includes(offer));
    if (missing.length > 0)
      log.info("the editor lets no server offer these after initialize", {
        missing: missing.join(" "),
      });
    if (offers.length === 0) return;
    if (await this.#ask("client/registerCapability", registration(offers, languages)))
      this.#registered = offers;
  }

  /** Whether the client agreed. */
  async #ask(method: string, params: object): Promise<boolean> {
    try {
      await this.#context.connection.sendRequest(method, params);
      return true;
    } catch (error) {
      this.#context.log.warn(`${method} failed`, { error: messageOf(error) });
      return false;
    }
  }
}

const idOf = (offer: LateOffer) => `cocosearch-${offer}`;

function registration(offers: readonly LateOffer[], languages: readonly string[]): object {
  const documentSelector: DocumentSelector = languages.map((language) => ({
    scheme: "file",
    language,
  }));
  return {
    registrations: offers.map((offer) => ({
      id: idOf(offer),
      method: METHODS[offer],
      registerOptions: { documentSelector },
    })),
  };
}

/** The protocol spells it so. */
function withdrawal(offers: readonly LateOffer[]): object {
  return { unregisterations: offers.map((offer) => ({ id: idOf(offer), method: METHODS[offer] })) };
}
