/** Walks a workspace: every file that belongs into the index, in order, and why the others do not. */

import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { isErrorCode, isForbidden, Unavailable } from "../../common/errors.ts";
import { createPauses } from "../../common/slices.ts";
import type { ExcludedFile } from "../../contracts/model.ts";
import { NEVER_ENTERED } from "../ignore/built-in-excludes.ts";
import type { IgnoreRules, PathKind } from "../ignore/ignore-rules.ts";
import { isSecretFile, isSecretFolder } from "../secrets/secret-files.ts";
import type { FolderListings } from "./folder-listings.ts";

export interface DiscoveredFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
}

export interface DiscoverOptions {
  /** Walks only this folder, relative to the root. */
  readonly under?: string;
  /** Told of files and folders that a rule leaves out; of a folder once, not of what is in it. */
  readonly excluded?: (file: ExcludedFile) => void;
  /** Told of a folder that could not be read this time; without it, the walk fails. */
  readonly unreadable?: (folder: string, error: unknown) => void;
  /** Told of a link that is followed. */
  readonly followed?: (link: string) => void;
  /** Folders that are listed already. */
  readonly listings?: FolderListings | undefined;
  readonly signal?: AbortSignal;
}

/** What the key of a row in the store holds. */
const MAX_PATH_BYTES = 2_000;

interface Walk {
  readonly root: string;
  readonly rules: IgnoreRules;
  readonly excluded: (file: ExcludedFile) => void;
  readonly unreadable: (folder: string, error: unknown) => void;
  readonly followed: (link: string) => void;
  readonly listings: FolderListings | undefined;
  readonly signal: AbortSignal | undefined;
  /** Real paths of folders that were entered by a link, or that a link leads to: each is walked once. */
  readonly linked: Set<string>;
}

/** Folders before files of the same name, names by code point. Links are followed inside the root only, and once. */
export async function* discover(
  root: string,
  rules: IgnoreRules,
  options: DiscoverOptions = {},
): AsyncGenerator<DiscoveredFile> {
  const { under = "", excluded = () => undefined, followed = () => undefined } = options;
  const { unreadable = fail, listings, signal } = options;
  const linked = new Set<string>();
  const walk = {
    root: await realRoot(root),
    rules,
    excluded,
    unreadable,
    followed,
    listings,
    signal,
    linked,
  };
  if (under !== "" && rules.decide(under, "folder") !== undefined) return;
  yield* walkFolder(walk, under);
}

/** What is stored of a folder that is away, with its drive perhaps, is kept until it is back. */
async function realRoot(root: string): Promise<string> {
  try {
    return await realpath(root);
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    const remedy = "its index is brought up to date when it can";
    throw new Unavailable(`${root} cannot be read (${error.message})`, remedy, { cause: error });
  }
}

/** Without recursion: each path would be handed on by every folder above it, which took a quarter of a walk. */
async function* walkFolder(walk: Walk, top: string): AsyncGenerator<DiscoveredFile> {
  const open = [await openFolder(walk, top)];
  // A folder that is read already is waited for without a turn of the event loop.
  const pause = createPauses();
  for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
    await pause();
    const entry = at.entries.next().value;
    if (entry === undefined) {
      open.pop();
      continue;
    }
    const path = at.folder === "" ? entry.name : `${at.folder}/${entry.name}`;
    const kind = await wantedKind(walk, path, entry);
    if (kind === "folder") open.push(await openFolder(walk, path));
    else if (kind === "file") yield { path };
  }
}

interface OpenFolder {
  readonly folder: string;
  /** Those that are not walked yet. */
  readonly entries: Iterator<Dirent, undefined>;
}

async function openFolder(walk: Walk, folder: string): Promise<OpenFolder> {
  walk.signal?.throwIfAborted();
  return { folder, entries: (await entriesOf(walk, folder)).values() };
}

/** Undefined for what does not belong into the index. */
async function wantedKind(walk: Walk, path: string, entry: Dirent): Promise<PathKind | undefined> {
  const skip = (rule: string) => {
    walk.excluded({ path, rule });
    return undefined;
  };
  if (entry.name.includes("\ufffd")) return skip("a name that is not UTF-8");
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    return skip(`a path of more than ${MAX_PATH_BYTES} bytes`);
  }
  const kind = entry.isSymbolicLink() ? await kindOfLink(walk, path) : kindOf(walk, path, entry);
  const decision = kind && walk.rules.decide(path, kind);
  return decision === undefined ? kind : skip(decision.rule);
}

function fail(_folder: string, error: unknown): never {
  throw error;
}

async function entriesOf(walk: Walk, folder: string): Promise<Dirent[]> {
  try {
    const entries =
      walk.listings?.take(folder) ??
      (await readdir(join(walk.root, folder), { withFileTypes: true }));
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isErrorCode(error, "ENOENT") || isErrorCode(error, "ENOTDIR")) return [];
    // The root, or a disk that fails: that it is empty would delete all that is stored.
    if (folder === "" || !(error instanceof Error && "code" in error)) throw error;
    if (isForbidden(error)) walk.excluded({ path: folder, rule: "unreadable folder" });
    else walk.unreadable(folder, error);
    return [];
  }
}

/** Reading them would block until something is written, or never end. */
const NO_TEXT = "a pipe, a socket or a device";

function kindOf({ excluded }: Walk, path: string, entry: Dirent): PathKind | undefined {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  excluded({ path, rule: NO_TEXT });
  return undefined;
}

/** What a link leads to, when that is inside the root and was not walked by another link. */
async function kindOfLink(walk: Walk, path: string): Promise<PathKind | undefined> {
  const skip = (rule: string) => {
    walk.excluded({ path, rule });
    return undefined;
  };
  let target: string;
  let kind: PathKind;
  try {
    target = await realpath(join(walk.root, path));
    const found = await stat(target);
    if (!found.isFile() && !found.isDirectory()) return skip(NO_TEXT);
    kind = found.isDirectory() ? "folder" : "file";
  } catch (error) {
    if (error instanceof Error && "code" in error) return skip("a link that leads nowhere");
    throw error;
  }
  const inside = relative(walk.root, target).replaceAll(sep, "/");
  // Another drive has no relative path.
  if (inside === ".." || inside.startsWith("../") || isAbsolute(inside)) {
    return skip("a link out of the workspace");
  }
  const rule = ruleAgainstTarget(walk.rules, inside, kind);
  if (rule !== undefined) return skip(rule);
  if (walk.linked.has(target)) return skip(LINK_TO_INDEXED);
  walk.linked.add(target);
  walk.followed(path);
  return kind;
}

const LINK_TO_INDEXED = "a link to what is indexed";

/**
 * Why a link is not followed to its target, which is a real path relative to the root, or empty for the root itself. The
 * target is walked at its own place, unless a rule leaves it out there.
 */
export function ruleAgainstTarget(
  rules: IgnoreRules,
  target: string,
  kind: PathKind,
): string | undefined {
  const hidden = hiddenBy(target, kind);
  if (hidden !== undefined) return hidden;
  const isIndexed = target === "" || rules.decide(target, kind) === undefined;
  return isIndexed ? LINK_TO_INDEXED : undefined;
}

/** What is not read under another name either. */
function hiddenBy(target: string, kind: PathKind): string | undefined {
  if (kind === "folder" ? isSecretFolder(target) : isSecretFile(target)) return "a link to secrets";
  const isInternal = target.split("/").some((name) => NEVER_ENTERED.includes(name));
  return isInternal ? "a link into version control" : undefined;
}
