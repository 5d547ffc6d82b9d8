/** Which names files see without importing them: those of their package, of a namespace, or of the whole program. */

import { folderOf } from "../../common/relative-path.ts";
import { type DefinitionFact, type FileFacts, FLAG } from "../../contracts/facts.ts";

/** Languages whose files say which package they belong to. */
const PACKAGES: Readonly<Record<string, string>> = {
  java: "jvm",
  kotlin: "jvm",
  scala: "jvm",
  csharp: "csharp",
  php: "php",
  swift: "swift",
};

const GO = "go:";

/** Languages in which any file can add to a namespace. */
const OPEN_NAMESPACES: ReadonlySet<string> = new Set(["ruby", "cpp"]);
/** Languages in which the program as a whole has one definition of a name. */
const PROGRAMS: Readonly<Record<string, string>> = {
  c: "c",
  cpp: "c",
  elixir: "elixir",
  lua: "lua",
};

/** Undefined where a language has no such packages. */
export function packageKeyOf(path: string, facts: FileFacts | undefined): string | undefined {
  if (facts === undefined) return undefined;
  const { language, packageName } = facts;
  if (language === "go") return `${GO}${folderOf(path)}:${packageName}`;
  const family = PACKAGES[language];
  return family === undefined ? undefined : packageKey(family, packageName);
}

/** Whether a key is of a language that has packages alone: what they define is never a namespace. */
export function hasNoNamespaces(key: string): boolean {
  return key.startsWith(GO);
}

export function packageKey(family: string, packageName: string): string {
  return `${family}:${packageName}`;
}

/** Functions of Kotlin that extend a type: they are imported by their name, but mean nothing without an object. */
export function extensionFunctionsKey(ofPackage: string): string {
  return `${ofPackage}+`;
}

export function openNamespaceKey(language: string, names: readonly string[]): string {
  return `${language}:${names.join(".")}`;
}

/** The names of `a::b` and `a.b`. */
export function splitQualifiedName(qualified: string): string[] {
  return qualified === "" ? [] : qualified.split(/[.:]+/);
}

export function programKey(family: string): string {
  return `${family}:`;
}

/** The macros of Rust's files, which are known by name where no `use` binds them. */
export const RUST_MACROS = "rust!";

/** Whether others find definitions of a file by its language's namespaces, and not by its package. */
export function hasNamespaces(language: string): boolean {
  return language === "rust" || OPEN_NAMESPACES.has(language) || PROGRAMS[language] !== undefined;
}

/** The keys under which others find a definition by its name, in languages with namespaces. */
export function namespaceKeysOf(
  facts: FileFacts,
  { kind, name, parent, owner, flags }: DefinitionFact,
): string[] {
  if (name === "") return [];
  const { language, definitions } = facts;
  if (language === "rust")
    return kind === "function" && (flags & FLAG.static) !== 0 ? [RUST_MACROS] : [];
  const around: string[] = [];
  let isMember = false;
  for (let at = parent; at >= 0; at = definitions[at]?.parent ?? -1) {
    const one = definitions[at];
    if (one?.kind === "class" && language === "ruby") around.unshift(one.name);
    else if (one?.kind === "namespace") around.unshift(...splitQualifiedName(one.owner), one.name);
    else if (one?.kind === "class" || one?.kind === "interface") isMember = true;
    else return [];
  }
  const parts = [...around, ...splitQualifiedName(owner)];
  const keys: string[] = [];
  const program = PROGRAMS[language];
  if (program !== undefined && !isMember && owner === "") keys.push(programKey(program));
  if (OPEN_NAMESPACES.has(language) && !isMember) keys.push(openNamespaceKey(language, parts));
  return keys;
}

/** What functions extend whose receiver is of a type parameter: `fun <T> T.also()`. */
export const ANY_TYPE = "*";

/** Whether a type is called as type parameters are: `T`, `TKey`. */
export function isTypeParameter(name: string): boolean {
  return /^(?:[A-Z]|T[A-Z][A-Za-z0-9]*)$/.test(name);
}
