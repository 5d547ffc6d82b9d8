/** Normalizes a qualified name to dots: `Pool::open`, `Pool#open`, `pool->open(1)`, `Pool:open`, `pool:open/1`. */

/** The separators of qualified names in languages, documentation and stack traces. */
const SEPARATORS = /\s*(?:::|->|[#\\])\s*/g;
/** The mark of a private member: `Vault.#open`. */
const PRIVATE = /(?<=^|\.)#(?=[\p{L}_$])/gu;
/** The arguments of a copied call. */
const ARGUMENTS = /\([^]*$/;

/** `Menu:open` of Lua, `cowboy_req:reply` of Erlang. A selector of Objective-C ends with a colon. */
const COLONS = /^[\p{L}_][\p{L}\p{N}_]*(?:[.:][\p{L}_][\p{L}\p{N}_]*)+[!?]?$/u;
/** A name with the number of its parameters, as Erlang and Elixir write it: `reply/4`. */
const WITH_ARITY = /^([\p{L}_][\p{L}\p{N}_.:]*[!?]?)\/\d{1,2}$/u;

/** A name with double colons in place of single ones, and without the number of its parameters; undefined for other names. */
export function spelledInFull(name: string): string | undefined {
  const called = WITH_ARITY.exec(name)?.[1] ?? name;
  if (called.includes(":") && COLONS.test(called)) return called.replaceAll(/:+/g, "::");
  return called === name ? undefined : called;
}

export function dottedName(text: string): string {
  const called = text.trim().replace(ARGUMENTS, "");
  return (spelledInFull(called) ?? called)
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
