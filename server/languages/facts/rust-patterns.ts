/** The names that a Rust pattern binds, each with the steps to its part of the value: `Some(Pool { size, .. })`. */

import { splitList } from "./chains.ts";
import { type BoundName, NAME_WORD } from "./split-names.ts";

/** Variants with one value, which `?` unwraps. Other enums may have variants with the same name. */
const WRAPPER = /^(?:(?:\w+::)*(?:Option|Result|Poll)::)?(?:Some|Ok)$|\bPoll::Ready$/;
const MAX_DEPTH = 8;

export function rustNames(pattern: string): readonly BoundName[] {
  // A constant, field or variant.
  if (NAME_WORD.test(pattern)) return [{ name: pattern, steps: "" }];
  return bound(pattern, "", 0);
}

function bound(written: string, steps: string | undefined, depth: number): readonly BoundName[] {
  const [text = ""] = splitList(written.replace(/^(?:&|(?:ref|mut|box)\b|\s)+/, ""), "|");
  if (depth > MAX_DEPTH) return [];
  const inside = (one: string, own: string | undefined) =>
    bound(one, steps === undefined || own === undefined ? undefined : steps + own, depth + 1);
  const whole = /^(\w+)\s*@\s*([\s\S]+)$/.exec(text);
  if (whole !== null) {
    const [, name = "", rest = ""] = whole;
    return [{ name, steps }, ...inside(rest, "")];
  }
  const [, path = "", open = "", list = ""] =
    /^([\w:]*)\s*([([{])([\s\S]*)[)\]}]$/.exec(text) ?? [];
  const parts = splitList(list);
  if (open === "{") return parts.flatMap((part) => field(part, inside));
  if (open === "[") return parts.flatMap((part) => inside(part, "[]"));
  if (open === "(" && path === "") return parts.flatMap((part, i) => inside(part, `#${i}`));
  const own = WRAPPER.test(path) ? "!" : undefined;
  if (open === "(") return parts.flatMap((part) => inside(part, own));
  return /^[a-z_]\w*$/.test(text) && text !== "_" ? [{ name: text, steps }] : [];
}

/** Fields of a struct pattern: `size`, `size: pattern`. */
function field(
  written: string,
  inside: (pattern: string, steps: string) => readonly BoundName[],
): readonly BoundName[] {
  const plain = written.replace(/^(?:(?:ref|mut)\b|\s)+/, "");
  const [, name = "", pattern] = /^(\w+)\s*(?::(?!:)\s*([\s\S]+))?$/.exec(plain) ?? [];
  return name === "" ? [] : inside(pattern ?? name, `.${name}`);
}
