/** Finds the files of a client for one project and one user, and reads the state of our entry and our section in them. */

import { realpathSync, statSync } from "node:fs";
import { basename, delimiter, isAbsolute, join, resolve } from "node:path";
import { BadRequest, isMissingOrForbidden } from "../../common/errors.ts";
import {
  type AgentClient,
  type ClientConfig,
  LAUNCH,
  type ServerEntry,
} from "../../config/agent-clients.ts";
import type { Environment } from "../command-context.ts";
import { jsonFormat } from "./json-entry.ts";
import { hasSection } from "./marked-section.ts";
import {
  type EntryFormat,
  type EntryPlace,
  type EntryState,
  stateOfEntry,
} from "./server-entry.ts";
import { tomlFormat } from "./toml-entry.ts";
import { readUserFile, type UserFile } from "./user-file.ts";

/** Where the files of clients are. The root is a real path. */
export interface Places {
  readonly root: string;
  readonly env: Environment;
}

/** A client's configuration, and how to edit our entry in it. */
export interface ConfigOfClient {
  readonly file: UserFile;
  readonly entry: ServerEntry;
  readonly place: EntryPlace;
  readonly format: EntryFormat;
}

const FORMATS: Readonly<Record<ClientConfig["format"], EntryFormat>> = {
  json: jsonFormat,
  toml: tomlFormat,
};

/** Throws BadRequest for a file that cannot be read. */
export function configOf({ config }: AgentClient, places: Places): ConfigOfClient {
  const found = locate(config, places);
  // No file is touched if the environment does not say whose it is.
  if (found === undefined) throw new BadRequest("HOME is not set: set it to your home folder");
  const file = readUserFile(realFolder(found.base), found.name, found.shown);
  const place: EntryPlace = { keys: config.keys, shown: file.shown };
  return { file, place, format: FORMATS[config.format], entry: config.entry(LAUNCH) };
}

/** The value of our entry in the configuration. Throws BadRequest for a text that is not valid. */
export function valueIn({ format, place }: ConfigOfClient, text: string | undefined): unknown {
  return text === undefined ? undefined : format.read(text, place);
}

/** Throws BadRequest for a file that cannot be read or is not valid. */
export function entryStateOf(client: AgentClient, places: Places): EntryState {
  const config = configOf(client, places);
  return stateOfEntry(valueIn(config, config.file.text), config.entry);
}

interface Located {
  readonly base: string;
  /** Relative to the base. */
  readonly name: string;
  readonly shown: string;
}

/** Undefined for a file in an unknown home folder. */
function locate(
  { base, paths, folderVariable }: ClientConfig,
  places: Places,
): Located | undefined {
  const { root, env } = places;
  const [path = ""] = paths;
  if (base === "project") {
    const name = paths.find((each) => isFile(join(root, each))) ?? path;
    return { base: root, name, shown: name };
  }
  const folder = folderVariable === undefined ? undefined : env[folderVariable];
  if (folder) {
    const name = basename(path);
    return { base: resolve(folder), name, shown: join(resolve(folder), name) };
  }
  const home = env["HOME"] || env["USERPROFILE"];
  return home ? { base: resolve(home), name: path, shown: `~/${path}` } : undefined;
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (cause) {
    throw new BadRequest(`${folder} does not exist or cannot be opened`, { cause });
  }
}

/**
 * The instructions that the client reads in this project, or the file to create. Undefined if it reads none. `isPlanned` adds
 * files that will be created.
 */
export function instructionsOf(
  { instructions }: AgentClient,
  { root }: Places,
  isPlanned: (path: string) => boolean = () => false,
): UserFile | undefined {
  if (instructions === undefined) return undefined;
  const isThere = (name: string) => isFile(join(root, name)) || isPlanned(join(root, name));
  const name = instructions.paths.find(isThere) ?? instructions.created;
  return readUserFile(root, name, name);
}

/** Every file that the client may read instructions from and that has our section. */
export function filesWithSection({ instructions }: AgentClient, { root }: Places): UserFile[] {
  const files = (instructions?.paths ?? [])
    .filter((name) => isFile(join(root, name)))
    .map((name) => readUserFile(root, name, name));
  return files.filter(({ text = "", shown }) => hasSection(text, shown));
}

function isFile(path: string): boolean {
  try {
    return !statSync(path).isDirectory();
  } catch (error) {
    if (isMissingOrForbidden(error)) return false;
    throw error;
  }
}

/** Whether the client's configuration or one of its programs is there. Nothing is run. */
export function isInstalled({ config, programs }: AgentClient, places: Places): boolean {
  const found = locate(config, places);
  if (found !== undefined && isFile(join(found.base, found.name))) return true;
  return programs.some((program) => isOnPath(program, places.env));
}

function isOnPath(program: string, env: Environment): boolean {
  const names = process.platform === "win32" ? [`${program}.exe`, `${program}.cmd`] : [program];
  // A relative folder may be inside a project that is not trusted.
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter(isAbsolute);
  return folders.some((folder) => names.some((name) => isFile(join(folder, name))));
}
