/** One engine for all ignore rules, asked by walk, watcher and open buffers alike. */

import { basename, join } from "node:path";
import { compilePathGlobs } from "../../common/glob.ts";
import type { Settings } from "../../config/settings.ts";
import { isSecretFile } from "../secrets/secret-files.ts";
import { FILE_LINES, FOLDER_LINES, NEVER_ENTERED } from "./built-in-excludes.ts";
import type { IgnorePattern } from "./ignore-patterns.ts";
import {
  attributesIn,
  IGNORE_FILES,
  type Source,
  sourceOf,
  sourcesAround,
  sourcesIn,
} from "./ignore-sources.ts";
import { ATTRIBUTES_FILE } from "./linguist.ts";

interface Decision {
  /** Which rule leaves the path out: `.gitignore:3 "*.log"`. */
  readonly rule: string;
}

export interface IgnoreRules {
  /** Undefined for a path that belongs into the index. Paths are relative to the root, with forward slashes. */
  decide(path: string, isFolder: boolean): Decision | undefined;
  /** Reads all ignore files again when they are asked next. */
  refresh(): void;
  /** Whether a change of this file may change decisions. */
  isIgnoreFile(path: string): boolean;
}

type RuleSettings = Pick<Settings, "indexing.includePatterns" | "indexing.excludePatterns">;

const RULE_FILES: readonly string[] = [...IGNORE_FILES, ATTRIBUTES_FILE];
const BUILT_IN = "built-in excludes";
const BUILT_IN_FOLDERS = sourceOf(BUILT_IN, FOLDER_LINES);
const BUILT_IN_FILES = sourceOf(BUILT_IN, FILE_LINES);
const CONFIGURED = "indexing.excludePatterns";

/**
 * Order, later wins: built-in excludes, linguist's words in .gitattributes, the user's global file, .git/info/exclude, then from the top of the
 * repository down to the file's folder .gitignore, .ignore, .cocosearchignore, then the configured patterns.
 * What is below a folder that is left out cannot be brought back, as in git. Secrets never come back.
 */
export function createIgnoreRules(root: string, settings: RuleSettings): IgnoreRules {
  return new LayeredRules(root, settings);
}

class LayeredRules implements IgnoreRules {
  readonly #root: string;
  readonly #configured: Source;
  readonly #isIncluded: ((path: string) => boolean) | undefined;
  /** Read when first needed, and again after a refresh. */
  #around: readonly Source[] | undefined;
  #nested = new Map<string, readonly Source[]>();
  #attributes = new Map<string, Source | undefined>();
  #folders = new Map<string, Decision | undefined>();

  constructor(root: string, settings: RuleSettings) {
    this.#root = root;
    const include = settings["indexing.includePatterns"];
    this.#isIncluded = include.length === 0 ? undefined : compilePathGlobs(include);
    this.#configured = sourceOf(CONFIGURED, settings["indexing.excludePatterns"]);
  }

  decide(path: string, isFolder: boolean): Decision | undefined {
    if (isFolder) return this.#decideFolder(path);
    return this.#decideFolder(parentOf(path)) ?? this.#ruleFor(path, false);
  }

  refresh(): void {
    this.#around = undefined;
    this.#nested = new Map();
    this.#attributes = new Map();
    this.#folders = new Map();
  }

  isIgnoreFile(path: string): boolean {
    return RULE_FILES.includes(basename(path));
  }

  /** With the folders above: one that is left out decides for everything below it. */
  #decideFolder(folder: string): Decision | undefined {
    if (folder === "") return undefined;
    if (this.#folders.has(folder)) return this.#folders.get(folder);
    const decision = this.#decideFolder(parentOf(folder)) ?? this.#ruleFor(folder, true);
    this.#folders.set(folder, decision);
    return decision;
  }

  /** The last word of all rules about one path, not counting the folders above it. */
  #ruleFor(path: string, isFolder: boolean): Decision | undefined {
    const name = basename(path);
    // In a worktree or submodule it is a file.
    if (NEVER_ENTERED.includes(name)) {
      return { rule: `built-in excludes "${name}${isFolder ? "/" : ""}"` };
    }
    if (!isFolder && isSecretFile(path)) return { rule: "a file of secrets" };
    const rule = this.#lastRule(path, isFolder);
    if (rule !== undefined) return { rule };
    if (isFolder || this.#isIncluded?.(path) !== false) return undefined;
    return { rule: "not in indexing.includePatterns" };
  }

  /** Asked from the strongest source to the weakest: the first that says anything decides. */
  #lastRule(path: string, isFolder: boolean): string | undefined {
    const about = (source: Source, inside: string) => {
      const pattern = source.find(source.prefix + inside, isFolder);
      return pattern && { leavesOut: !pattern.isNegated, rule: ruleOf(source, pattern) };
    };
    const verdict =
      about(this.#configured, path) ??
      firstOf(foldersAbove(path), (folder) => {
        const inside = folder === "" ? path : path.slice(folder.length + 1);
        return firstOf(this.#sourcesIn(folder).toReversed(), (source) => about(source, inside));
      }) ??
      firstOf(this.#sourcesAround().toReversed(), (source) => about(source, path)) ??
      (isFolder ? undefined : this.#attributed(path, about)) ??
      about(isFolder ? BUILT_IN_FOLDERS : BUILT_IN_FILES, path);
    return verdict?.leavesOut ? verdict.rule : undefined;
  }

  /** Attributes are those of files, and the nearest folder's count. */
  #attributed<T>(path: string, about: (source: Source, inside: string) => T): T | undefined {
    return firstOf(foldersAbove(path), (folder) => {
      const source = this.#attributesIn(folder);
      return source && about(source, folder === "" ? path : path.slice(folder.length + 1));
    });
  }

  #attributesIn(folder: string): Source | undefined {
    if (!this.#attributes.has(folder)) {
      this.#attributes.set(folder, attributesIn(this.#root, join(this.#root, folder)));
    }
    return this.#attributes.get(folder);
  }

  #sourcesAround(): readonly Source[] {
    this.#around ??= sourcesAround(this.#root);
    return this.#around;
  }

  #sourcesIn(folder: string): readonly Source[] {
    const known = this.#nested.get(folder);
    if (known !== undefined) return known;
    const found = sourcesIn(this.#root, join(this.#root, folder));
    this.#nested.set(folder, found);
    return found;
  }
}

/** Lists have no lines that a person could look up. */
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

/** From the folder of the path up to the root, which is "". */
function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    folders.push(path.slice(0, at));
  }
  return [...folders, ""];
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
