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
  const configured = sourceOf("indexing.excludePatterns", settings["indexing.excludePatterns"]);
  const include = settings["indexing.includePatterns"];
  const isIncluded =
    include.length === 0 ? undefined : picomatch([...include], { dot: true, basename: true });
  const builtIn = [EXCLUDED_FOLDERS, EXCLUDED_FILES].map((lines) =>
    sourceOf("built-in excludes", lines),
  );
  let shared: Source[] | undefined;
  let nested = new Map<string, (Source | undefined)[]>();
  let folders = new Map<string, Decision | undefined>();

  /** The sources that hold for the whole tree, before any file in it. */
  const global = () => {
    shared ??= [
      ...builtIn,
      ...present(sourceFrom(globalExcludes(), "global excludes")),
      ...present(sourceFrom(join(root, ".git/info/exclude"), ".git/info/exclude")),
    ];
    return shared;
  };

  const sourcesIn = (folder: string): (Source | undefined)[] => {
    const known = nested.get(folder);
    if (known !== undefined) return known;
    const found = FILES.map((name) => {
      const path = folder === "" ? name : `${folder}/${name}`;
      return sourceFrom(join(root, path), path);
    });
    nested.set(folder, found);
    return found;
  };

  /** The last word of all rules about one path, not counting the folders above it. */
  const ruleFor = (path: string, isFolder: boolean): Decision | undefined => {
    const name = basename(path);
    if (isFolder && NEVER_ENTERED.includes(name)) return { rule: `built-in excludes "${name}/"` };
    if (!isFolder && isSecretFile(path)) return { rule: "a file of secrets" };
    let decision: Decision | undefined;
    const apply = (source: Source, inside: string) => {
      // What a source says of a folder was heard when the folder was decided; a later source overruled it.
      const parent = parentOf(inside);
      if (parent !== "" && source.matcher.ignores(`${parent}/`)) return;
      const result = source.matcher.test(isFolder ? `${inside}/` : inside);
      if (result.unignored) decision = undefined;
      else if (result.ignored && result.rule !== undefined)
        decision = { rule: ruleName(source, result.rule) };
    };
    for (const source of global()) apply(source, path);
    for (let at = 0; at >= 0; at = path.indexOf("/", at) + 1 || -1) {
      const folder = path.slice(0, Math.max(0, at - 1));
      for (const source of sourcesIn(folder)) if (source) apply(source, path.slice(at));
    }
    apply(configured, path);
    if (decision === undefined && !isFolder && isIncluded !== undefined && !isIncluded(path)) {
      return { rule: "not in indexing.includePatterns" };
    }
    return decision;
  };

  /** With the folders above: one that is left out decides for everything below it. */
  const decideFolder = (folder: string): Decision | undefined => {
    if (folder === "") return undefined;
    if (folders.has(folder)) return folders.get(folder);
    const decision = decideFolder(parentOf(folder)) ?? ruleFor(folder, true);
    folders.set(folder, decision);
    return decision;
  };

  return {
    decide: (path, isFolder) =>
      isFolder ? decideFolder(path) : (decideFolder(parentOf(path)) ?? ruleFor(path, false)),
    refresh: () => {
      shared = undefined;
      nested = new Map();
      folders = new Map();
    },
    isIgnoreFile: (path) => (FILES as readonly string[]).includes(basename(path)),
  };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function present<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
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

/** Undefined when there is no such file. */
function sourceFrom(file: string | undefined, name: string): Source | undefined {
  if (file === undefined) return undefined;
  try {
    return sourceOf(
      name,
      readFileSync(file, "utf8")
        .replace(/^\ufeff/, "")
        .split("\n"),
    );
  } catch (error) {
    const absent = ["ENOENT", "ENOTDIR", "EISDIR", "EACCES"];
    if (absent.some((code) => isErrorCode(error, code))) return undefined;
    throw error;
  }
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

function readOr(file: string, fallback: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].some((code) => isErrorCode(error, code))) return fallback;
    throw error;
  }
}
