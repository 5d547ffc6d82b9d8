/** One engine for all ignore rules, asked by walk, watcher and open buffers alike. */

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import ignore, { type Ignore } from "ignore";
import picomatch from "picomatch";
import type { Settings } from "../config.ts";
import { isErrorCode } from "../errors.ts";
import { EXCLUDED_FILES, EXCLUDED_FOLDERS, NEVER_ENTERED } from "./built-in-excludes.ts";
import { isSecretFile } from "./secrets.ts";

export interface Decision {
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

/** In each folder, later ones win. */
const FILES = [".gitignore", ".ignore", ".cocosearchignore"] as const;

/** Some lines in the form of .gitignore, and how they are called in a rule. */
interface Source {
  readonly matcher: Ignore;
  readonly name: string;
}

type RuleSettings = Pick<Settings, "indexing.includePatterns" | "indexing.excludePatterns">;

/**
 * Order, later wins: built-in excludes, the user's global file, .git/info/exclude, then from the root down to
 * the file's folder .gitignore, .ignore, .cocosearchignore, then the configured patterns. What is below a
 * folder that is left out cannot be brought back, as in git. Secrets never come back.
 */
export function createIgnoreRules(root: string, settings: RuleSettings): IgnoreRules {
  return new LayeredRules(root, settings);
}

class LayeredRules implements IgnoreRules {
  readonly #root: string;
  readonly #builtIn: readonly Source[];
  readonly #configured: Source;
  readonly #isIncluded: ((path: string) => boolean) | undefined;
  /** Read when first needed, and again after a refresh. */
  #global: readonly Source[] | undefined;
  #nested = new Map<string, readonly Source[]>();
  #folders = new Map<string, Decision | undefined>();

  constructor(root: string, settings: RuleSettings) {
    this.#root = root;
    this.#builtIn = [EXCLUDED_FOLDERS, EXCLUDED_FILES].map((lines) =>
      sourceOf("built-in excludes", lines),
    );
    const include = settings["indexing.includePatterns"];
    this.#isIncluded =
      include.length === 0 ? undefined : picomatch([...include], { dot: true, basename: true });
    this.#configured = sourceOf("indexing.excludePatterns", settings["indexing.excludePatterns"]);
  }

  decide(path: string, isFolder: boolean): Decision | undefined {
    if (isFolder) return this.#decideFolder(path);
    return this.#decideFolder(parentOf(path)) ?? this.#ruleFor(path, false);
  }

  refresh(): void {
    this.#global = undefined;
    this.#nested = new Map();
    this.#folders = new Map();
  }

  isIgnoreFile(path: string): boolean {
    return (FILES as readonly string[]).includes(basename(path));
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
    if (isFolder && NEVER_ENTERED.includes(name)) return { rule: `built-in excludes "${name}/"` };
    if (!isFolder && isSecretFile(path)) return { rule: "a file of secrets" };
    let decision: Decision | undefined;
    for (const { source, inside } of this.#sourcesFor(path)) {
      const verdict = verdictOf(source, inside, isFolder);
      if (verdict !== undefined) decision = verdict.decision;
    }
    if (decision === undefined && !isFolder && this.#isIncluded?.(path) === false) {
      return { rule: "not in indexing.includePatterns" };
    }
    return decision;
  }

  /** All sources that may say something of a path, weakest first, with the path as each sees it. */
  *#sourcesFor(path: string): Generator<{ readonly source: Source; readonly inside: string }> {
    this.#global ??= [
      ...this.#builtIn,
      ...sourceFrom(globalExcludes(), "global excludes"),
      ...sourceFrom(join(this.#root, ".git/info/exclude"), ".git/info/exclude"),
    ];
    for (const source of this.#global) yield { source, inside: path };
    for (const folder of foldersAbove(path)) {
      const inside = folder === "" ? path : path.slice(folder.length + 1);
      for (const source of this.#sourcesIn(folder)) yield { source, inside };
    }
    yield { source: this.#configured, inside: path };
  }

  #sourcesIn(folder: string): readonly Source[] {
    const known = this.#nested.get(folder);
    if (known !== undefined) return known;
    const found = FILES.flatMap((name) => {
      const path = folder === "" ? name : `${folder}/${name}`;
      return sourceFrom(join(this.#root, path), path);
    });
    this.#nested.set(folder, found);
    return found;
  }
}

/** What a source says of a path; undefined when it says nothing, a verdict without a decision when it brings it back. */
function verdictOf(
  source: Source,
  inside: string,
  isFolder: boolean,
): { readonly decision: Decision | undefined } | undefined {
  // What a source says of a folder was heard when the folder was decided; a later source overruled it.
  const parent = parentOf(inside);
  if (parent !== "" && source.matcher.ignores(`${parent}/`)) return undefined;
  const { ignored, unignored, rule } = source.matcher.test(isFolder ? `${inside}/` : inside);
  if (unignored) return { decision: undefined };
  return ignored && rule !== undefined ? { decision: { rule: ruleName(source, rule) } } : undefined;
}

/** From the root, which is "", down to the folder in which the path lies. */
function foldersAbove(path: string): string[] {
  const folders = [""];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
    folders.push(path.slice(0, at));
  }
  return folders;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function sourceOf(name: string, lines: readonly string[]): Source {
  const matcher = ignore({ allowRelativePaths: true, ignorecase: false });
  // The mark comes back with the rule that decided, and is the line's number.
  for (const [index, pattern] of lines.entries()) {
    matcher.add({ pattern: pattern.replace(/\r$/, ""), mark: String(index + 1) });
  }
  return { matcher, name };
}

function ruleName(
  { name }: Source,
  rule: { readonly pattern: string; readonly mark?: string | undefined },
): string {
  const isFile = name.includes(".gitignore") || name.endsWith("ignore") || name.endsWith("exclude");
  return `${name}${isFile && rule.mark !== undefined ? `:${rule.mark}` : ""} "${rule.pattern}"`;
}

/** Empty when there is no such file. */
function sourceFrom(file: string, name: string): Source[] {
  const text = readOr(file, undefined);
  return text === undefined ? [] : [sourceOf(name, text.replace(/^\ufeff/, "").split("\n"))];
}

/** core.excludesFile of the user's own git configuration, else git's default place for it. */
function globalExcludes(): string {
  const config = process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config");
  for (const file of [join(homedir(), ".gitconfig"), join(config, "git/config")]) {
    const set = /^\s*excludesFile\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(readOr(file, ""))?.[1];
    if (set !== undefined) return set.replace(/^~(?=\/)/, homedir());
  }
  return join(config, "git/ignore");
}

function readOr<T>(file: string, fallback: T): string | T {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const absent = ["ENOENT", "ENOTDIR", "EISDIR", "EACCES"];
    if (absent.some((code) => isErrorCode(error, code))) return fallback;
    throw error;
  }
}
