/** Recognizes K&R function definitions: `int f(a) char *a; {`. */

import { isCallable, macroRank, type Part, PRIMITIVES, TYPE_WORDS } from "./parts.ts";

const NAMES = /^\(\s*[A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*\s*\)$/;
/** Longer texts after the parentheses are not parameter declarations. */
const MAX_PARTS = 60;
const MAX_LENGTH = 500;

/** Whether the parts are the head of a K&R function with some of its parameter declarations. */
export function isOldStyle(parts: readonly Part[], text: string): boolean {
  const index = listOfNames(parts, text);
  if (index === undefined) return false;
  const rest = parts.slice(index + 1);
  const [name, list, first] = [parts[index - 1], parts[index], rest[0]];
  if (name === undefined || macroRank(name.text) > 0 || list === undefined) return false;
  if (first === undefined || rest.length > MAX_PARTS) return false;
  if (first.kind !== "word" || macroRank(first.text) > 0 || rest[1]?.kind === "group") return false;
  if (!text.slice(list.end, first.start).includes("\n")) return false;
  return PRIMITIVES.has(first.text) || TYPE_WORDS.has(first.text) || rest.length > 1;
}

/** The index of the parentheses of a K&R function. */
export function oldStyleList(parts: readonly Part[], text: string): number | undefined {
  return parts.some((part) => part.text === ";") ? listOfNames(parts, text) : undefined;
}

/** The index of parentheses that contain only names. */
function listOfNames(parts: readonly Part[], text: string): number | undefined {
  const index = parts.findIndex(
    ({ kind, start, end }, i) =>
      kind === "group" &&
      end - start < MAX_LENGTH &&
      isCallable(parts[i - 1]) &&
      NAMES.test(text.slice(start, end)),
  );
  return index < 0 ? undefined : index;
}
