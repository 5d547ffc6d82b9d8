/** Reads the user's settings: initialization options, workspace/configuration and the environment; later sources override. */

import { setTimeout as delay } from "node:timers/promises";
import { DidChangeConfigurationNotification } from "vscode-languageserver";
import { messageOf } from "../common/errors.ts";
import type { PartialSettings } from "../contracts/settings.ts";
import type { ServerContext } from "./server-context.ts";

const SECTION = "cocosearch";

/** A later answer of the client is applied when it arrives. */
const CONFIGURATION_TIMEOUT_MS = 1_000;

type ConfigurationDeps = Pick<ServerContext, "connection" | "log" | "notices" | "env" | "client">;

/** The settings of the editor, as of its last answer or notification. */
export class Configuration {
  readonly #context: ConfigurationDeps;
  readonly #changed: () => void;
  #latest: unknown;
  /** Set by a late answer, so that the next `read` does not request the settings again. */
  #cameLate = false;

  constructor(context: ConfigurationDeps, changed: () => void) {
    this.#context = context;
    this.#changed = changed;
    context.connection.onNotification(
      DidChangeConfigurationNotification.method,
      (params?: { settings?: unknown }) => {
        // A pushed value may hold sections of other servers, so it is used only if the client answers no requests.
        if (!context.client().answersConfiguration) this.#latest = params?.settings;
        changed();
      },
    );
  }

  /** Merges all sources; each problem is shown to the user once. */
  async read(): Promise<PartialSettings> {
    const { client, env, notices } = this.#context;
    await this.#request();
    // Loaded lazily, so that the answer to `initialize` does not wait for it.
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

  async #request(): Promise<void> {
    const { client, connection, log } = this.#context;
    if (!client().answersConfiguration) return;
    if (this.#cameLate) {
      this.#cameLate = false;
      return;
    }
    let isLate = false;
    const requested = connection.workspace.getConfiguration(SECTION).then(
      (settings: unknown) => {
        this.#latest = settings;
        if (!isLate) return;
        this.#cameLate = true;
        this.#changed();
      },
      (error: unknown) => log.warn("workspace/configuration failed", { error: messageOf(error) }),
    );
    const waited = delay(CONFIGURATION_TIMEOUT_MS, "late" as const, { ref: false });
    isLate = (await Promise.race([requested, waited])) === "late";
    if (isLate) log.warn("the client does not answer workspace/configuration");
  }
}
