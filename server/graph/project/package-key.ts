/** Keys of the scopes that several files share: a package, an open namespace, or the whole program. */

import { folderOf } from "../../common/relative-path.ts";
import { type DefinitionFact, type FileFacts, FLAG } from "../../contracts/facts.ts";

/** Languages with a package declaration per file, by family. */
const PACKAGES: Readonly<Record<string, string>> = {
  java: "jvm",
  kotlin: "jvm",
  scala: "jvm",
  csharp: "csharp",
  php: "php",
  swift: "swift",
};

const GO = "go:";

/** Languages with namespaces that any file can reopen. */
const OPEN_NAMESPACES: ReadonlySet<string> = new Set(["ruby", "cpp"]);
/** Languages with one global scope per program, by family. */
const PROGRAMS: Readonly<Record<string, string>> = {
  c: "c",
  cpp: "c",
  elixir: "elixir",
  lua: "lua",
};

/** The key of the package of a file; undefined for a language without packages. */
export function packageKeyOf(path: string, facts: FileFacts | undefined): string | undefined {
  if (facts === undefined) return undefined;
  const { language, packageName } = facts;
  if (language === "go") return `${GO}${folderOf(path)}:${packageName}`;
  const family = PACKAGES[language];
  return family === undefined ? undefined : packageKey(family, packageName);
}

/** Whether packages of the language of a key contain no namespaces. */
export function lacksNamespaces(key: string): boolean {
  return key.startsWith(GO);
}

export function packageKey(family: string, packageName: string): string {
  return `${family}:${packageName}`;
}

/** The keys of the packages around a package, innermost first. */
export function outerPackageKeys(key: string): string[] {
  const [family = "", packageName = ""] = key.split(":");
  const parts = packageName.split(".");
  return parts.map((_, i) => packageKey(family, parts.slice(0, -1 - i).join(".")));
}

/** The key of the extension functions of a Kotlin package: they are imported by name, but need a receiver. */
export function extensionFunctionsKey(ofPackage: string): string {
  return `${ofPackage}+`;
}

export function openNamespaceKey(language: string, names: readonly string[]): string {
  return `${language}:${names.join(".")}`;
}

/** Splits `a::b` and `a.b`. */
export function splitQualifiedName(qualified: string): string[] {
  return qualified === "" ? [] : qualified.split(/[.:]+/);
}

export function programKey(family: string): string {
  return `${family}:`;
}

/** The key of Rust macros, which are visible by name without a `use`. */
export const RUST_MACROS = "rust!";

/** Whether definitions of a language are indexed by namespace instead of by package. */
export function hasNamespaces(language: string): boolean {
  return language === "rust" || OPEN_NAMESPACES.has(language) || PROGRAMS[language] !== undefined;
}

/** The keys of the scopes that contain a definition, in languages with namespaces. */
export function namespaceKeysOf(
  facts: FileFacts,
  { kind, name, parent, owner, flags }: DefinitionFact,
): string[] {
  if (name === "") return [];
  const { language, definitions } = facts;
  if (language === "rust")
    return kind === "function" && (flags & FLAG.static) !== 0 ? [RUST_MACROS] : [];
  const enclosing: string[] = [];
  let isMember = false;
  for (let at = parent; at >= 0; at = definitions[at]?.parent ?? -1) {
    const one = definitions[at];
    if (one?.kind === "class" && language === "ruby") enclosing.unshift(one.name);
    else if (one?.kind === "namespace")
      enclosing.unshift(...splitQualifiedName(one.owner), one.name);
    else if (one?.kind === "class" || one?.kind === "interface") isMember = true;
    else return [];
  }
  const parts = [...enclosing, ...splitQualifiedName(owner)];
  const keys: string[] = [];
  const program = PROGRAMS[language];
  if (program !== undefined && !isMember && owner === "") keys.push(programKey(program));
  if (OPEN_NAMESPACES.has(language) && !isMember) keys.push(openNamespaceKey(language, parts));
  return keys;
}

/** The receiver type of extension functions of any type: `fun <T> T.also()`. */
export const ANY_TYPE = "*";

/** Whether a name follows the convention of type parameters: `T`, `TKey`. */
export function isTypeParameter(name: string): boolean {
  return /^(?:[A-Z]|T[A-Z][A-Za-z0-9]*)$/.test(name);
}
