/** Finds the name that a macro outside functions defines in its arguments. */

import { PRIMITIVES } from "./parts.ts";
import type { Unit } from "./units.ts";

interface Defined {
  readonly name: string;
  readonly at: number;
  /** Qualified with the class, if the macro names one first. */
  readonly qualified: readonly string[];
}

/** Longer argument lists are data. */
const MAX_LENGTH = 2_000;
const WORD = /^[A-Za-z_]\w*$/;
/** Types that look like names: `u64`, `pid_t`. */
const TYPE_NAME = /^(?:_*[us]\d+|\w+_t)$/;
/** Macros of tests, methods and benchmarks name their class or suite first, then the definition. */
const CLASS_FIRST = /(?:^|_)(?:TEST(?!_CASE)|METHOD|BENCHMARK)(?:_|$)/;
const DEFINES = /DEFINE/;

/** The first argument that is a plain name. Undefined if there is none: `MODULE_LICENSE("GPL")`. */
export function definedBy({ text: macro, group }: Unit, text: string): Defined | undefined {
  if (group === undefined || group.end - group.start > MAX_LENGTH) return undefined;
  const [first, second, third] = argumentsOf(text, group.start + 1, group.end - 1);
  if (first === undefined) return undefined;
  const isPair = second !== undefined && third === undefined && isName(first) && isName(second);
  if (isPair && CLASS_FIRST.test(macro))
    return { name: second.text, at: second.at, qualified: [first.text, second.text] };
  const isType = !isName(first) || TYPE_NAME.test(first.text);
  const named = isType && second !== undefined && canBeType(first.text) ? second : first;
  if (!isName(named)) return undefined;
  return { name: named.text, at: named.at, qualified: [named.text] };
}

/** Whether a macro call without a body defines the name in its arguments. */
export function isOfDefinition({ text }: Unit, units: readonly Unit[]): boolean {
  return DEFINES.test(text) || units.some((unit) => unit.text === "static");
}

/** Rewrites the macro to a function without parameters, at the same length. */
export function asFunction(
  macro: Unit,
  { name, at }: Defined,
  text: string,
  end: number,
): { readonly start: number; readonly end: number; readonly by: string } {
  const { start } = macro;
  const close = (macro.group?.end ?? end) - 1;
  // `()` needs two characters after the name.
  const from = at + name.length < close ? at : at - 1;
  const type = from - start >= "static int ".length ? "static int" : "int";
  const head = `${type.padEnd(from - start)}${name}(`;
  const by = head.replaceAll(" ", (space, i: number) => (text[start + i] === "\n" ? "\n" : space));
  const inner = text.slice(start + head.length, close).replaceAll(/[^\r\n]/g, " ");
  return { start, end: close + 1, by: `${by}${inner})` };
}

interface Argument {
  readonly text: string;
  readonly at: number;
}

/** Ignores nested brackets: only the first level has names. */
function argumentsOf(text: string, start: number, end: number): Argument[] {
  let at = start;
  return text
    .slice(start, end)
    .split(",", 4)
    .map((written) => {
      const index = at + written.length - written.trimStart().length;
      at += written.length + 1;
      return { text: written.trim(), at: index };
    });
}

function isName({ text }: Argument): boolean {
  return WORD.test(text) && !PRIMITIVES.has(text);
}

function canBeType(text: string): boolean {
  return /^[\w \t*]+$/.test(text);
}
