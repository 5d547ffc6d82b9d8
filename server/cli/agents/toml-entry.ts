/** Edits the table of our entry in a TOML file as text. The result is parsed again: only our entry may differ. */

import { isDeepStrictEqual } from "node:util";
import type { TomlTable } from "smol-toml";
import { BadRequest } from "../../common/errors.ts";
import { isObject } from "../../common/is-object.ts";
import { SERVER_NAME, type ServerEntry, tomlValue } from "../../config/agent-clients.ts";
import { parseToml } from "../helix-config.ts";
import type { EntryFormat, EntryPlace } from "./server-entry.ts";
import { appendBlock, cutBlock, lineEnding } from "./text-block.ts";

export const tomlFormat: EntryFormat = {
  read: (text, place) => serversIn(parseToml(text, place.shown), place)?.[SERVER_NAME],
  create: (entry, place) => `${tableOf(entry, place)}\n`,
  add(text, entry, place) {
    const block = findBlock(text, place);
    const table = tableOf(entry, place);
    const after =
      block === undefined
        ? appendBlock(text, table)
        : text.slice(0, block.start) +
          table.replaceAll("\n", lineEnding(text)) +
          text.slice(block.end);
    return checked(text, after, entry, place);
  },
  remove(text, place) {
    const block = findBlock(text, place);
    if (block === undefined) throw notEditable(place);
    return checked(text, cutBlock(text, block.start, block.end), undefined, place);
  },
};

function keyOf({ keys: [keys = []] }: EntryPlace): string {
  return keys.join(".");
}

function serversIn(config: TomlTable, place: EntryPlace): Record<string, unknown> | undefined {
  const servers = config[keyOf(place)];
  if (servers === undefined || isObject(servers)) return servers;
  throw new BadRequest(`${place.shown}: ${keyOf(place)} is not a table`);
}

function tableOf(entry: ServerEntry, place: EntryPlace): string {
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${tomlValue(value)}`);
  return [`[${keyOf(place)}.${SERVER_NAME}]`, ...lines].join("\n");
}

/** From the header to the last line with a value. Comments after it belong to the user. */
function findBlock(text: string, place: EntryPlace): { start: number; end: number } | undefined {
  const word = (name: string) => `(?:${name}|"${name}"|'${name}')`;
  const header = `^[ \\t]*\\[\\s*${word(keyOf(place))}\\s*\\.\\s*${word(SERVER_NAME)}\\s*\\]`;
  const start = new RegExp(header, "m").exec(text)?.index;
  if (start === undefined) return undefined;
  let end = start;
  for (const { 0: line, index } of text.slice(start).matchAll(/[^\r\n]+/g)) {
    if (index > 0 && /^\s*\[/.test(line)) break;
    if (!/^\s*(?:#|$)/.test(line)) end = start + index + line.length;
  }
  return { start, end };
}

/** `after`, if it differs from `before` by our entry alone. */
function checked(
  before: string,
  after: string,
  entry: ServerEntry | undefined,
  place: EntryPlace,
): string {
  const isEdited = isDeepStrictEqual(
    withEntry(parseToml(before, place.shown), entry, place),
    withEntry(parsed(after, place), entry, place),
  );
  const value = serversIn(parsed(after, place), place)?.[SERVER_NAME];
  if (!isEdited || !isDeepStrictEqual({ ...(value as object) }, { ...entry }))
    throw notEditable(place);
  return after;
}

/** The configuration with our entry set to a value, so that two of them can be compared. */
function withEntry(config: TomlTable, entry: ServerEntry | undefined, place: EntryPlace): unknown {
  const { [SERVER_NAME]: _, ...others } = serversIn(config, place) ?? {};
  const { [keyOf(place)]: __, ...rest } = config;
  const servers = entry === undefined ? others : { ...others, [SERVER_NAME]: entry };
  return Object.keys(servers).length === 0 ? rest : { ...rest, [keyOf(place)]: servers };
}

function parsed(text: string, place: EntryPlace): TomlTable {
  try {
    return parseToml(text, place.shown);
  } catch (cause) {
    if (cause instanceof BadRequest) throw notEditable(place, cause);
    throw cause;
  }
}

function notEditable(place: EntryPlace, cause?: unknown): BadRequest {
  const table = `[${keyOf(place)}.${SERVER_NAME}]`;
  const problem = `${place.shown} cannot be edited without touching anything else; change ${table} yourself`;
  return new BadRequest(problem, { cause });
}
