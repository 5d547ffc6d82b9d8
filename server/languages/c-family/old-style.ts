/** Functions whose parameters have their types behind the parentheses: `int f(a) char *a; {`. */

import { isCallable, macroRank, type Part, PRIMITIVES, TYPE_WORDS } from "./parts.ts";

const NAMES = /^\(\s*[A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*\s*\)$/;
/** More behind the parentheses is no list of parameters. */
const MAX_PARTS = 60;
const MAX_LENGTH = 500;

/** Whether the parts that end here are the head of such a function and some of its parameters. */
export function isOldStyle(parts: readonly Part[], text: string): boolean {
  const place = listOfNames(parts, text);
  if (place === undefined) return false;
  const rest = parts.slice(place + 1);
  const [name, list, first] = [parts[place - 1], parts[place], rest[0]];
  if (name === undefined || macroRank(name.text) > 0 || list === undefined) return false;
  if (first === undefined || rest.length > MAX_PARTS) return false;
  if (first.kind !== "word" || macroRank(first.text) > 0 || rest[1]?.kind === "group") return false;
  if (!text.slice(list.end, first.start).includes("\n")) return false;
  return PRIMITIVES.has(first.text) || TYPE_WORDS.has(first.text) || rest.length > 1;
}

/** The place of the parentheses of such a function, where the types of its parameters follow them. */
export function oldStyleList(parts: readonly Part[], text: string): number | undefined {
  return parts.some((part) => part.text === ";") ? listOfNames(parts, text) : undefined;
}

/** The place of the parentheses with nothing but names in them. */
function listOfNames(parts: readonly Part[], text: string): number | undefined {
  const place = parts.findIndex(
    ({ kind, start, end }, i) =>
      kind === "group" &&
      end - start < MAX_LENGTH &&
      isCallable(parts[i - 1]) &&
      NAMES.test(text.slice(start, end)),
  );
  return place < 0 ? undefined : place;
}
