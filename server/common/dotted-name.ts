/** Normalizes a qualified name to dots: `Pool::open`, `Pool#open`, `pool->open(1)`. */

/** The separators of qualified names in languages, documentation and stack traces. */
const SEPARATORS = /\s*(?:::|->|[#\\])\s*/g;
/** The mark of a private member: `Vault.#open`. */
const PRIVATE = /(?<=^|\.)#(?=[\p{L}_$])/gu;
/** The arguments of a copied call. */
const ARGUMENTS = /\([^]*$/;

export function dottedName(text: string): string {
  return text
    .trim()
    .replace(ARGUMENTS, "")
    .replaceAll(PRIVATE, "")
    .replaceAll(SEPARATORS, ".")
    .replace(/^\.+/, "");
}

/** The last part of a dotted name. */
export function lastSegment(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** Whether a dotted name equals `end` or ends with it after a dot. */
export function endsWithName(whole: string, end: string): boolean {
  return whole === end || whole.endsWith(`.${end}`);
}
