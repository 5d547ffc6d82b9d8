/** Keys of the scopes that several files share: a package, an open namespace, or the whole program. */

/** Begins the keys of packages that are folders, which contain no namespaces. */
const FOLDER = "go:";

export function folderPackageKey(folder: string, packageName: string): string {
  return `${FOLDER}${folder}:${packageName}`;
}

/** Whether the package of a key contains no namespaces. */
export function lacksNamespaces(key: string): boolean {
  return key.startsWith(FOLDER);
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

/** The key of the extension functions of a package: they are imported by name, but need a receiver. */
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

/** The receiver type of extension functions of any type: `fun <T> T.also()`. */
export const ANY_TYPE = "*";

/** Whether a name follows the convention of type parameters: `T`, `TKey`. */
export function isTypeParameter(name: string): boolean {
  return /^(?:[A-Z]|T[A-Z][A-Za-z0-9]*)$/.test(name);
}
