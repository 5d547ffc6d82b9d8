/** Our entry in a client's configuration: the operations that each format implements, and how an entry relates to ours. */

import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../common/is-object.ts";
import { LAUNCH, type ServerEntry } from "../../config/agent-clients.ts";

/** Where the entry is in the configuration. */
export interface EntryPlace {
  /** The keys above the servers, in alternatives: see ClientConfig. */
  readonly keys: readonly (readonly string[])[];
  /** The file in errors. */
  readonly shown: string;
}

/** Each function throws BadRequest if the text is invalid or cannot be edited without touching anything else. */
export interface EntryFormat {
  /** The value of our entry; undefined if there is none. */
  read(text: string, place: EntryPlace): unknown;
  /** A file that has only the entry. */
  create(entry: ServerEntry, place: EntryPlace): string;
  /** Adds the entry or replaces its value. */
  add(text: string, entry: ServerEntry, place: EntryPlace): string;
  remove(text: string, place: EntryPlace): string;
}

/**
 * - absent: the configuration has no entry with our name
 * - ours: as `agent setup` writes it
 * - adapted: it starts our server, with options that the user added
 * - foreign: it starts something else
 */
export type EntryState = "absent" | "ours" | "adapted" | "foreign";

export function stateOfEntry(value: unknown, entry: ServerEntry): EntryState {
  if (value === undefined) return "absent";
  if (isDeepStrictEqual(plain(value), plain(entry))) return "ours";
  return startsServer(value) ? "adapted" : "foreign";
}

function startsServer(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { command, args } = value;
  const words = [command, args].flat();
  return words[0] === LAUNCH.command && words[1] === LAUNCH.args[0];
}

/** Parsers return objects with other prototypes. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, bigintAsText)) as unknown;
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
