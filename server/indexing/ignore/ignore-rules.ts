/** Applies the exclusion rules of ignore files to paths; used by discovery, the watcher and open buffers. */

import { basename, join } from "node:path";
import { compilePathGlobs } from "../../common/glob.ts";
import { folderOf } from "../../common/relative-path.ts";
import type { Settings } from "../../contracts/settings.ts";
import { isSecretFile } from "../secrets/secret-files.ts";
import { FILE_LINES, FOLDER_LINES, NEVER_ENTERED } from "./built-in-excludes.ts";
import { ATTRIBUTES_FILE } from "./git-attributes.ts";
import type { IgnorePattern } from "./ignore-patterns.ts";
import {
  attributesIn,
  IGNORE_FILES,
  outerSources,
  type Source,
  sourceOf,
  sourcesIn,
} from "./ignore-sources.ts";
import { GIT_DIRECTORY, isGitDirectory, worktreeRule } from "./nested-worktrees.ts";

export type PathKind = "file" | "folder";

interface Decision {
  /** The exclusion rule, for example `.gitignore:3 "*.log"`. */
  readonly rule: string;
}

export interface IgnoreRules {
  /** Undefined for a path to index. Paths are relative to the root, with forward slashes. */
  decide(path: string, kind: PathKind): Decision | undefined;
  /** Drops cached ignore files: all, or those in and below the given folders. */
  refresh(folders?: ReadonlySet<string>): void;
  /** Whether a change of this file may change decisions. */
  isIgnoreFile(path: string): boolean;
}

/** A source, and the offset of the path relative to the folder of the source. */
interface Layer {
  readonly source: Source;
  readonly from: number;
}

type RuleSettings = Pick<
  Settings,
  "indexing.includePatterns" | "indexing.excludePatterns" | "indexing.nestedWorktrees"
>;

const RULE_FILES: readonly string[] = [...IGNORE_FILES, ATTRIBUTES_FILE];
const BUILT_IN = "built-in excludes";
const BUILT_IN_FOLDERS = fromRoot(sourceOf(BUILT_IN, FOLDER_LINES));
const BUILT_IN_FILES = fromRoot(sourceOf(BUILT_IN, FILE_LINES));
const CONFIGURED = "indexing.excludePatterns";

/**
 * Precedence, lowest first: built-in excludes; linguist attributes in .gitattributes; the user's global ignore file;
 * .git/info/exclude; .gitignore, .ignore and .cocosearchignore of each folder, from the top of the repository down; the
 * configured patterns. As in git, files below an excluded folder cannot be re-included. Secret files are always excluded, and
 * other worktrees of git unless a setting includes them.
 */
export function createIgnoreRules(root: string, settings: RuleSettings): IgnoreRules {
  return new LayeredRules(root, settings);
}

class LayeredRules implements IgnoreRules {
  readonly #root: string;
  readonly #configured: Layer;
  readonly #isIncluded: ((path: string) => boolean) | undefined;
  readonly #withWorktrees: boolean;
  /** By folder, highest precedence first. Cached until `refresh`. */
  readonly #layers = new Map<string, readonly Layer[]>();
  readonly #attributes = new Map<string, readonly Layer[]>();
  readonly #folders = new Map<string, Decision | undefined>();

  constructor(root: string, settings: RuleSettings) {
    this.#root = root;
    const include = settings["indexing.includePatterns"];
    this.#isIncluded = include.length === 0 ? undefined : compilePathGlobs(include);
    this.#withWorktrees = settings["indexing.nestedWorktrees"];
    this.#configured = fromRoot(sourceOf(CONFIGURED, settings["indexing.excludePatterns"]));
  }

  decide(path: string, kind: PathKind): Decision | undefined {
    if (kind === "folder") return this.#decideFolder(path);
    return this.#decideFolder(folderOf(path)) ?? this.#ruleFor(path, false);
  }

  refresh(folders?: ReadonlySet<string>): void {
    for (const known of [this.#layers, this.#attributes, this.#folders]) {
      if (folders === undefined) known.clear();
      else forgetBelow(known, folders);
    }
  }

  isIgnoreFile(path: string): boolean {
    // A folder becomes a worktree when its .git is written.
    return RULE_FILES.includes(basename(path)) || path.endsWith("/.git");
  }

  /** Includes the folders above: an excluded folder excludes everything below it. */
  #decideFolder(folder: string): Decision | undefined {
    if (folder === "") return undefined;
    if (this.#folders.has(folder)) return this.#folders.get(folder);
    const decision = this.#decideFolder(folderOf(folder)) ?? this.#ruleFor(folder, true);
    this.#folders.set(folder, decision);
    return decision;
  }

  /** Applies all rules to one path, without the folders above it. */
  #ruleFor(path: string, isFolder: boolean): Decision | undefined {
    const name = basename(path);
    // In a worktree or submodule, .git is a file.
    if (NEVER_ENTERED.includes(name)) {
      return { rule: `built-in excludes "${name}${isFolder ? "/" : ""}"` };
    }
    if (!isFolder && isSecretFile(path)) return { rule: "secret file" };
    const rule = (isFolder ? this.#gitRule(path) : undefined) ?? this.#lastRule(path, isFolder);
    if (rule !== undefined) return { rule };
    if (isFolder || this.#isIncluded?.(path) !== false) return undefined;
    return { rule: "not in indexing.includePatterns" };
  }

  #gitRule(path: string): string | undefined {
    const folder = join(this.#root, path);
    if (isGitDirectory(folder)) return GIT_DIRECTORY;
    return this.#withWorktrees ? undefined : worktreeRule(this.#root, folder);
  }

  /** The first matching layer decides, highest precedence first. */
  #lastRule(path: string, isFolder: boolean): string | undefined {
    const about = ({ source, from }: Layer) => {
      const pattern = source.find(source.prefix + path.slice(from), isFolder);
      return pattern && { excludes: !pattern.isNegated, rule: ruleOf(source, pattern) };
    };
    const folder = folderOf(path);
    const verdict =
      about(this.#configured) ??
      firstOf(this.#layersAt(folder), about) ??
      (isFolder ? undefined : firstOf(this.#attributesAt(folder), about)) ??
      about(isFolder ? BUILT_IN_FOLDERS : BUILT_IN_FILES);
    return verdict?.excludes ? verdict.rule : undefined;
  }

  /** The layers of ignore files for a folder: its own, then the folders above it. */
  #layersAt(folder: string): readonly Layer[] {
    return layersAt(this.#layers, folder, {
      own: () => sourcesIn(this.#root, join(this.#root, folder)).toReversed(),
      above: () =>
        folder === ""
          ? outerSources(this.#root).toReversed().map(fromRoot)
          : this.#layersAt(folderOf(folder)),
    });
  }

  /** Attributes apply to files; the nearest folder has the highest precedence. */
  #attributesAt(folder: string): readonly Layer[] {
    return layersAt(this.#attributes, folder, {
      own: () => attributesIn(this.#root, join(this.#root, folder)),
      above: () => (folder === "" ? [] : this.#attributesAt(folderOf(folder))),
    });
  }
}

/** Folders without ignore files share the array of the folder above. */
function layersAt(
  known: Map<string, readonly Layer[]>,
  folder: string,
  { own, above }: { own(): readonly Source[]; above(): readonly Layer[] },
): readonly Layer[] {
  const found = known.get(folder);
  if (found !== undefined) return found;
  const from = folder === "" ? 0 : folder.length + 1;
  const sources = own().map((source) => ({ source, from }));
  const layers = sources.length === 0 ? above() : [...sources, ...above()];
  known.set(folder, layers);
  return layers;
}

/** A folder is cached only if the folders above it are, so most changed paths cost one lookup. */
function forgetBelow(known: Map<string, unknown>, folders: ReadonlySet<string>): void {
  const stale = new Set([...folders].filter((folder) => known.has(folder)));
  if (stale.size === 0) return;
  for (const folder of known.keys()) if (isAtOrBelow(folder, stale)) known.delete(folder);
}

function isAtOrBelow(path: string, folders: ReadonlySet<string>): boolean {
  for (let at = path; at !== ""; at = folderOf(at)) if (folders.has(at)) return true;
  return false;
}

function fromRoot(source: Source): Layer {
  return { source, from: 0 };
}

/** Built-in and configured lists have no line numbers. */
function ruleOf({ name }: Source, { line, text }: IgnorePattern): string {
  const isList = name === BUILT_IN || name === CONFIGURED;
  return `${name}${isList ? "" : `:${line}`} "${text}"`;
}

function firstOf<T, R>(from: readonly T[], ask: (one: T) => R | undefined): R | undefined {
  for (const one of from) {
    const answer = ask(one);
    if (answer !== undefined) return answer;
  }
  return undefined;
}
