/** The agent checks of `doctor`: which installed coding agents use the context server here, and when they last connected. */

import { clientTimes } from "../common/client-times.ts";
import { BadRequest } from "../common/errors.ts";
import { formatAge } from "../common/time-text.ts";
import { type AgentClient, SETUP_CLIENTS } from "../config/agent-clients.ts";
import type { Finding } from "../contracts/session.ts";
import {
  configOf,
  instructionsOf,
  isInstalled,
  type Places,
  valueIn,
} from "./agents/client-files.ts";
import { hasSection } from "./agents/marked-section.ts";
import { shownValue } from "./agents/plan.ts";
import { stateOfEntry } from "./agents/server-entry.ts";

/** `clients` is the folder with the times of clients. An agent that is not set up is a note and never a failure. */
export function agentFindings(places: Places, clients: string | undefined): Finding[] {
  const installed = SETUP_CLIENTS.filter((client) => isInstalled(client, places));
  return [...installed.map((client) => findingOf(client, places)), ...connections(clients)];
}

function findingOf(client: AgentClient, places: Places): Finding {
  const what = `agent ${client.name}`;
  const setup = `run cocosearch-lsp agent setup ${client.name}`;
  try {
    const config = configOf(client, places);
    const { text, shown } = config.file;
    const value = valueIn(config, text);
    const state = stateOfEntry(value, config.entry);
    if (state === "absent") {
      return {
        what,
        ok: true,
        detail: `${client.title} is not set up in this project`,
        remedy: setup,
      };
    }
    if (state === "foreign") {
      const detail = `${shown} has another entry with our name: ${shownValue(value)}`;
      return {
        what,
        ok: true,
        detail,
        remedy: `${setup}, which asks before it replaces the entry`,
      };
    }
    const instructions = instructionsOf(client, places);
    const isComplete =
      instructions === undefined || hasSection(instructions.text ?? "", instructions.shown);
    if (isComplete) return { what, ok: true, detail: `set up in ${shown}` };
    const detail = `set up in ${shown}, but ${instructions.shown} does not say when to use it`;
    return { what, ok: true, detail, remedy: setup };
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    return { what, ok: true, detail: error.message, remedy: `then ${setup}` };
  }
}

function connections(clients: string | undefined): Finding[] {
  const times = clients === undefined ? [] : clientTimes(clients);
  if (times.length === 0) return [];
  const now = Date.now() / 1000;
  const ages = times.map(({ name, time }) => `${name} ${formatAge(time, now)}`);
  return [{ what: "agents", ok: true, detail: `last connected: ${ages.join(", ")}` }];
}
