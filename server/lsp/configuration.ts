/** The user's settings: initialization options, then workspace/configuration, then the environment. */

import { setTimeout as delay } from "node:timers/promises";
import { DidChangeConfigurationNotification } from "vscode-languageserver";
import { messageOf } from "../common/errors.ts";
import type { PartialSettings } from "../contracts/settings.ts";
import type { ServerContext } from "./server-context.ts";

const SECTION = "cocosearch";

/** A client that takes longer is not waited for; what it answers then counts when it comes. */
const CONFIGURATION_TIMEOUT_MS = 1_000;

type Needed = Pick<ServerContext, "connection" | "log" | "notices" | "env" | "client">;

/** What the editor said last. */
export class Configuration {
  readonly #context: Needed;
  readonly #changed: () => void;
  #latest: unknown;
  /** A late answer is not asked for again. */
  #cameLate = false;

  constructor(context: Needed, changed: () => void) {
    this.#context = context;
    this.#changed = changed;
    context.connection.onNotification(
      DidChangeConfigurationNotification.method,
      (params?: { settings?: unknown }) => {
        // A client that can be asked is asked: what it pushes may hold other servers' sections.
        if (!context.client().answersConfiguration) this.#latest = params?.settings;
        changed();
      },
    );
  }

  /** All sources as one; each problem is told to the user once. */
  async read(): Promise<PartialSettings> {
    const { client, env, notices } = this.#context;
    await this.#ask();
    // Loaded here, and not with the file, because the answer to `initialize` does not wait for it.
    const { fromEnvironment, fromObject } = await import("../config/settings.ts");
    const sources = [
      fromObject(client().initializationOptions, "initialization options"),
      fromObject(this.#latest, "settings"),
      fromEnvironment(env),
    ];
    for (const { problems } of sources) {
      for (const problem of problems) notices.once("warning", problem);
    }
    return Object.assign({}, ...sources.map(({ settings }) => settings)) as PartialSettings;
  }

  async #ask(): Promise<void> {
    const { client, connection, log } = this.#context;
    if (!client().answersConfiguration) return;
    if (this.#cameLate) {
      this.#cameLate = false;
      return;
    }
    let isLate = false;
    const asked = connection.workspace.getConfiguration(SECTION).then(
      (settings: unknown) => {
        this.#latest = settings;
        if (!isLate) return;
        this.#cameLate = true;
        this.#changed();
      },
      (error: unknown) => log.warn("no configuration", { error: messageOf(error) }),
    );
    const waited = delay(CONFIGURATION_TIMEOUT_MS, "late" as const, { ref: false });
    isLate = (await Promise.race([asked, waited])) === "late";
    if (isLate) log.warn("the client does not answer workspace/configuration");
  }
}
