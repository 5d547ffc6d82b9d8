/** Splits the names in definitions: into owner and name, or into the names of a pattern. */

/** In UTF-16 units. Longer names are not written by hand, and splitting takes quadratic time. */
const MAX_LENGTH = 1_000;

/** The common case: one word. */
export const NAME_WORD = /^[A-Za-z_]\w*$/;

/** `Foo.prototype.bar` has the owner Foo; `exports.bar` has none; `"bar"` and `[bar]` are bar. */
export function splitName(written: string): { readonly own: string; readonly owner: string } {
  if (NAME_WORD.test(written) || written.length > MAX_LENGTH) return { own: written, owner: "" };
  const plain = written
    .trim()
    .replace(/^["'`](.*)["'`]$/s, "$1")
    .replace(/^(?:module\.)?exports\./, "")
    .replace(/^r#/, "")
    .replace(".prototype.", ".")
    .replace(/<[\s\S]*>$/, "");
  if (plain === "module.exports") return { own: "default", owner: "" };
  const bare = plain.includes("::") ? withoutArguments(plain) : plain;
  const at = Math.max(bare.lastIndexOf("."), bare.lastIndexOf(":"));
  if (at < 0 || /[\s([{]/.test(bare)) return { own: bare, owner: "" };
  return { own: bare.slice(at + 1), owner: bare.slice(0, at).replace(/[.:]+$/, "") };
}

/** Removes type arguments: `Pool<K, V>::open` becomes `Pool::open`. */
function withoutArguments(name: string): string {
  let plain = name;
  for (let before = ""; before !== plain; ) {
    before = plain;
    plain = plain.replaceAll(/<[^<>]*>/g, "");
  }
  return plain;
}

const NAME_AT_END = /([\p{L}_$][\p{L}\p{N}_$.]*)\s*(?:=[^=].*)?$/u;

/** The names of a pattern: `a, (b, *c)`, `{ a, b: c }`, `[a, b]`. */
function variableNames(written: string): string[] {
  if (NAME_WORD.test(written) || /^@{0,2}[\p{L}_$][\p{L}\p{N}_$.]*$/u.test(written))
    return [written];
  if (/^["'`#]/.test(written)) return [written];
  const list = written.replace(/^[([{]|[)\]}]$/g, "");
  return list
    .split(",")
    .map((part) => NAME_AT_END.exec(part.slice(0, MAX_LENGTH).trim())?.[1] ?? "")
    .filter((name) => name !== "" || written.includes(","));
}

/** A name that a pattern binds, with the chain steps from the value to it; undefined steps are unknown. */
export interface BoundName {
  readonly name: string;
  readonly steps: string | undefined;
}

/** The names of a pattern in most languages; each of several names is a part of the value. */
export function boundNames(written: string): readonly BoundName[] {
  const names = variableNames(written);
  return names.map((name, i) => ({ name, steps: names.length > 1 ? `#${i}` : "" }));
}

/** The field `x` in `self.x`, given the name of the receiver. */
export function selfField(name: string, self: string | undefined): string | undefined {
  return self !== undefined && name.startsWith(`${self}.`)
    ? name.slice(self.length + 1)
    : undefined;
}

export function hasSigil(name: string, sigil: string | undefined): boolean {
  return sigil !== undefined && name.startsWith(sigil);
}

/** The last call of a chain. */
export function calledName(chain: string): string {
  return /([^.()[\]#;!]+)$/.exec(chain)?.[1] ?? "";
}

/** The type name in `(c *Command)`, `*Command`, `Command<T>` and `Command?`. */
export function receiverType(text: string): string {
  if (text.length > MAX_LENGTH) return "";
  const plain = text
    .replaceAll(/\s+/g, " ")
    .replace(/\? ?$/, "")
    .replace(/<.*> ?$/, "");
  return /([\p{L}_]\w*) ?(?:\[[^\]]*\])? ?\)? ?$/u.exec(plain)?.[1] ?? "";
}

/** Longer type texts are dropped. */
const MAX_TYPE_LENGTH = 300;

/** Normalizes a type to one line; empty if it is too long. */
export function clip(type: string): string {
  if (NAME_WORD.test(type)) return type.length > MAX_TYPE_LENGTH ? "" : type;
  const plain = type.replaceAll(/\s+/g, " ").trim();
  return plain.length > MAX_TYPE_LENGTH ? "" : plain;
}
