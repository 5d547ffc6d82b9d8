/** A qualified name with dots between its parts, however it was written: `Pool::open`, `Pool#open`, `pool->open(1)`. */

/** What languages, documentation and stack traces write between the parts of a name. */
const SEPARATORS = /\s*(?:::|->|[#\\])\s*/g;
/** Before the name of a private member: `Vault.#open`. */
const PRIVATE = /(?<=^|\.)#(?=[\p{L}_$])/gu;
/** A call that was copied with its arguments. */
const ARGUMENTS = /\([^]*$/;

export function dottedName(text: string): string {
  return text
    .trim()
    .replace(ARGUMENTS, "")
    .replaceAll(PRIVATE, "")
    .replaceAll(SEPARATORS, ".")
    .replace(/^\.+/, "");
}

/** Whether a dotted name is another one, or ends with it at one of its dots. */
export function endsWithName(whole: string, end: string): boolean {
  return whole === end || whole.endsWith(`.${end}`);
}
