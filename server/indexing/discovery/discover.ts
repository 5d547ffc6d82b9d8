/** Walks a workspace and yields the files to index, in order; reports excluded files with their rule. */

import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { isErrorCode, isForbidden, isSystemError, Unavailable } from "../../common/errors.ts";
import { createPause } from "../../common/slices.ts";
import type { ExcludedFile } from "../../contracts/model.ts";
import { NEVER_ENTERED } from "../ignore/built-in-excludes.ts";
import type { IgnoreRules, PathKind } from "../ignore/ignore-rules.ts";
import { isSecretFile, isSecretFolder } from "../secrets/secret-files.ts";
import type { FolderListings } from "./folder-listings.ts";

interface DiscoveredFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
}

interface DiscoverOptions {
  /** Walks only this folder, relative to the root. */
  readonly under?: string;
  /** Called for each excluded file and folder, not for files in an excluded folder. */
  readonly excluded?: (file: ExcludedFile) => void;
  /** Called for a folder that cannot be read. Default: the walk fails. */
  readonly unreadable?: (folder: string, error: unknown) => void;
  /** Called for each symbolic link that is followed. */
  readonly followed?: (link: string) => void;
  /** Folder listings to reuse. */
  readonly listings?: FolderListings | undefined;
  readonly signal?: AbortSignal;
}

/** The limit of a key in the store. */
const MAX_PATH_BYTES = 2_000;

interface Walk {
  readonly root: string;
  readonly rules: IgnoreRules;
  readonly excluded: (file: ExcludedFile) => void;
  readonly unreadable: (folder: string, error: unknown) => void;
  readonly followed: (link: string) => void;
  readonly listings: FolderListings | undefined;
  readonly signal: AbortSignal | undefined;
  /** Real paths of followed links; each is walked once. */
  readonly linked: Set<string>;
}

/**
 * Sorted by name in code point order; folders before files of the same name. Follows links to targets inside the root, each
 * target once.
 */
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

/** Fails if the root is gone, for example with its drive, so that its index is kept. */
async function realRoot(root: string): Promise<string> {
  try {
    return await realpath(root);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const remedy = "it is indexed when it can be read again";
    throw new Unavailable(`${root} cannot be read (${error.message})`, remedy, { cause: error });
  }
}

/** Iterative: recursive generators would pass each path through every outer folder, a quarter of the time of a walk. */
async function* walkFolder(walk: Walk, top: string): AsyncGenerator<DiscoveredFile> {
  const open = [await openFolder(walk, top)];
  // Awaiting a cached listing does not yield to the event loop.
  const pause = createPause();
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
  /** The remaining entries. */
  readonly entries: Iterator<Dirent, undefined>;
}

async function openFolder(walk: Walk, folder: string): Promise<OpenFolder> {
  walk.signal?.throwIfAborted();
  return { folder, entries: (await entriesOf(walk, folder)).values() };
}

/** Undefined for an excluded entry. */
async function wantedKind(walk: Walk, path: string, entry: Dirent): Promise<PathKind | undefined> {
  const skip = (rule: string) => {
    walk.excluded({ path, rule });
    return undefined;
  };
  if (entry.name.includes("\ufffd")) return skip("name is not valid UTF-8");
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    return skip(`path is longer than ${MAX_PATH_BYTES} bytes`);
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
    // If a failing root or disk counted as empty, all stored files would be deleted.
    if (folder === "" || !isSystemError(error)) throw error;
    if (isForbidden(error)) walk.excluded({ path: folder, rule: "unreadable folder" });
    else walk.unreadable(folder, error);
    return [];
  }
}

/** Reading them could block forever. */
const NO_TEXT = "pipe, socket or device";

function kindOf({ excluded }: Walk, path: string, entry: Dirent): PathKind | undefined {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  excluded({ path, rule: NO_TEXT });
  return undefined;
}

/** The kind of a link's target. Undefined if it is outside the root or was reached by another link. */
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
    if (isSystemError(error)) return skip("broken link");
    throw error;
  }
  const inside = relative(walk.root, target).replaceAll(sep, "/");
  // Another drive has no relative path.
  if (inside === ".." || inside.startsWith("../") || isAbsolute(inside)) {
    return skip("link out of the workspace");
  }
  const rule = linkExclusionRule(walk.rules, inside, kind);
  if (rule !== undefined) return skip(rule);
  if (walk.linked.has(target)) return skip(LINK_TO_INDEXED);
  walk.linked.add(target);
  walk.followed(path);
  return kind;
}

const LINK_TO_INDEXED = "link to an indexed path";

/**
 * The rule that forbids following a link to `target`, a real path relative to the root (empty for the root). A target that
 * is not excluded is walked at its own path.
 */
export function linkExclusionRule(
  rules: IgnoreRules,
  target: string,
  kind: PathKind,
): string | undefined {
  const hidden = hiddenTargetRule(target, kind);
  if (hidden !== undefined) return hidden;
  const isIndexed = target === "" || rules.decide(target, kind) === undefined;
  return isIndexed ? LINK_TO_INDEXED : undefined;
}

/** Secrets and version control folders stay excluded under any other name. */
function hiddenTargetRule(target: string, kind: PathKind): string | undefined {
  if (kind === "folder" ? isSecretFolder(target) : isSecretFile(target)) return "link to secrets";
  const isInternal = target.split("/").some((name) => NEVER_ENTERED.includes(name));
  return isInternal ? "link into version control" : undefined;
}
