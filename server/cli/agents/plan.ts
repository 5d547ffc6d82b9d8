/** Plans which files change so that clients use our server, or no longer do. Reads everything and writes nothing. */

import { BadRequest } from "../../common/errors.ts";
import { type AgentClient, SETUP_CLIENTS } from "../../config/agent-clients.ts";
import {
  type ConfigOfClient,
  configOf,
  entryStateOf,
  filesWithSection,
  instructionsOf,
  type Places,
  valueIn,
} from "./client-files.ts";
import { newSectionFile, withoutSection, withSection } from "./marked-section.ts";
import { stateOfEntry } from "./server-entry.ts";
import type { UserFile } from "./user-file.ts";

/** Enough for the command and the arguments of an entry. */
const MAX_SHOWN_LENGTH = 300;

export interface PlannedChange {
  readonly file: UserFile;
  /** Undefined if the file is deleted. */
  readonly after: string | undefined;
}

export interface Plan {
  readonly changes: readonly PlannedChange[];
  /** Entries of the user under our name that start something else and would be replaced. */
  readonly replaced: readonly { readonly shown: string; readonly value: unknown }[];
  readonly notes: readonly string[];
}

/** The texts of files with the edits so far: two clients may read the same file. */
class Drafts {
  readonly #drafts = new Map<string, PlannedChange>();

  textOf(file: UserFile): string | undefined {
    const draft = this.#drafts.get(file.path);
    return draft === undefined ? file.text : draft.after;
  }

  set(file: UserFile, after: string | undefined): void {
    this.#drafts.set(file.path, { file: this.#drafts.get(file.path)?.file ?? file, after });
  }

  isPlanned(path: string): boolean {
    return this.#drafts.get(path)?.after !== undefined;
  }

  changes(): PlannedChange[] {
    return [...this.#drafts.values()].filter(({ file, after }) => file.text !== after);
  }
}

export function planSetup(clients: readonly AgentClient[], places: Places): Plan {
  const drafts = new Drafts();
  const replaced: { shown: string; value: unknown }[] = [];
  const notes: string[] = [];
  for (const client of clients) {
    const config = configOf(client, places);
    const { file, entry, place, format } = config;
    const text = drafts.textOf(file);
    const value = valueIn(config, text);
    const state = stateOfEntry(value, entry);
    if (state === "foreign") replaced.push({ shown: file.shown, value });
    if (state === "adapted")
      notes.push(`kept your own entry in ${file.shown}: ${shownValue(value)}`);
    if (state === "absent" || state === "foreign") {
      const created = text === undefined;
      drafts.set(file, created ? format.create(entry, place) : format.add(text, entry, place));
    }
    addSection(client, places, drafts);
  }
  return { changes: drafts.changes(), replaced, notes };
}

function addSection(client: AgentClient, places: Places, drafts: Drafts): void {
  const file = instructionsOf(client, places, (path) => drafts.isPlanned(path));
  if (file === undefined) return;
  const text = drafts.textOf(file);
  const head = client.instructions?.head ?? "";
  drafts.set(file, text === undefined ? newSectionFile(head) : withSection(text, file.shown));
}

export function planRemoval(clients: readonly AgentClient[], places: Places): Plan {
  const drafts = new Drafts();
  const notes: string[] = [];
  for (const client of clients) {
    const config = configOf(client, places);
    const text = drafts.textOf(config.file);
    const value = valueIn(config, text);
    const state = stateOfEntry(value, config.entry);
    if (text !== undefined && state === "ours") drafts.set(config.file, withoutEntry(config, text));
    else if (state !== "absent") {
      notes.push(`left the entry in ${config.file.shown}, which is yours: ${shownValue(value)}`);
    }
    for (const file of filesWithSection(client, places)) {
      const reader = otherReader(file, clients, places);
      if (reader === undefined) removeSection(client, file, drafts);
      else notes.push(`left the section in ${file.shown}: ${reader.title} reads it, too`);
    }
  }
  return { changes: drafts.changes(), replaced: [], notes: [...new Set(notes)] };
}

function withoutEntry({ entry, place, format }: ConfigOfClient, text: string): string | undefined {
  return text === format.create(entry, place) ? undefined : format.remove(text, place);
}

function removeSection(client: AgentClient, file: UserFile, drafts: Drafts): void {
  const text = drafts.textOf(file);
  if (text === undefined) return;
  drafts.set(file, withoutSection(text, client.instructions?.head ?? "", file.shown));
}

/** A client that stays set up and reads this file. */
function otherReader(
  file: UserFile,
  removed: readonly AgentClient[],
  places: Places,
): AgentClient | undefined {
  return SETUP_CLIENTS.find((client) => {
    if (removed.includes(client)) return false;
    try {
      if (instructionsOf(client, places)?.path !== file.path) return false;
      return ["ours", "adapted"].includes(entryStateOf(client, places));
    } catch (error) {
      if (error instanceof BadRequest) return false;
      throw error;
    }
  });
}

/** The value on one line, cut if it is long. */
export function shownValue(value: unknown): string {
  const text = JSON.stringify(value, (_key, each: unknown) =>
    typeof each === "bigint" ? Number(each) : each,
  );
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}...` : text;
}
