/**
 * Rewrites C and C++ so that the grammars can parse it, and finds definitions by macros and variables outside functions.
 */

import { lineAt } from "../../common/text.ts";
import { type FoundDefinition, signatureOf } from "../scopes.ts";
import {
  declaratorOf,
  type Head,
  type HeadSpan,
  type HiddenMacro,
  macrosBeforeLabel,
} from "./heads.ts";
import { eachItem, type TopLevelItem } from "./items.ts";
import { asFunction, definedBy, isOfDefinition } from "./macro-definitions.ts";
import type { MacroCall, MadeFunction } from "./macro-facts.ts";
import type { Unit } from "./units.ts";

const LANGUAGES: ReadonlySet<string> = new Set(["c", "cpp"]);

export interface Declarations {
  /** The rewritten text. All names keep their offsets; some line ends are removed. */
  readonly parsable: string;
  /** Variables, and definitions by macros without a body. */
  readonly objects: readonly FoundDefinition[];
  readonly calls: readonly MacroCall[];
  readonly made: readonly MadeFunction[];
  /** The name of the function that a macro defines, by the offset of the macro. */
  readonly names: ReadonlyMap<number, string>;
}

/** Undefined for other languages. */
export function readDeclarations(
  text: string,
  starts: readonly number[],
  languageId: string,
): Declarations | undefined {
  if (!LANGUAGES.has(languageId)) return undefined;
  const reading = new Reading(text, languageId === "cpp");
  eachItem(text, languageId === "cpp", (item) => reading.add(item));
  return reading.result(starts);
}

/** A name with its offset, and its declaration. */
interface Named {
  readonly name: string;
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

/** Attributes in brackets, with macros around them. */
const MAX_POINTER_LENGTH = 300;

interface Change extends HeadSpan {
  readonly by: string;
}

class Reading {
  readonly #text: string;
  readonly #isCpp: boolean;
  readonly #changes: Change[] = [];
  readonly #objects: Named[] = [];
  /** Macros that define and export a name. */
  readonly #perhaps: Named[] = [];
  readonly #exported = new Set<string>();
  readonly #calls: MacroCall[] = [];
  readonly #made: MadeFunction[] = [];
  readonly #names = new Map<number, string>();

  constructor(text: string, isCpp: boolean) {
    this.#text = text;
    this.#isCpp = isCpp;
  }

  add(item: TopLevelItem): void {
    if (item.ending === "label") {
      for (const macro of macrosBeforeLabel(item)) this.#hide(macro);
      return;
    }
    const head = declaratorOf(item, this.#text, this.#isCpp);
    if (head === undefined) return;
    for (const macro of head.macros) this.#hide(macro);
    for (const statement of head.statements) this.#addStatement(statement, item);
    if (item.isMember) return;
    const start = head.units[0]?.start ?? head.name.start;
    if (head.kind === "macro" && item.ending === "body") this.#addFunction(head.name, item);
    else if (head.kind === "macro") this.#addMacro(head.units, head.name, item.end);
    else if (head.kind === "variable" && this.#isObject(head, item))
      this.#objects.push({ ...this.#nameOf(head.name), start, end: item.end });
  }

  result(starts: readonly number[]): Declarations {
    const exported = this.#perhaps.filter(({ name }) => this.#exported.has(name));
    const named = [...this.#objects, ...exported].filter(({ name }) => name !== "");
    const objects = named.map((one) => this.#toFound(one, starts));
    return {
      parsable: this.#changed(),
      objects,
      calls: this.#calls,
      made: this.#made,
      names: this.#names,
    };
  }

  /** `SYSCALL_DEFINE1(close, int, fd) {`: rewritten to a function in C; in C++ only its name is recorded. */
  #addFunction(macro: Unit, { end }: TopLevelItem): void {
    const defined = definedBy(macro, this.#text);
    if (defined === undefined) return;
    if (this.#isCpp) {
      this.#names.set(macro.start, defined.qualified.join("::"));
      return;
    }
    this.#changes.push(asFunction(macro, defined, this.#text, end));
    this.#calls.push({ name: macro.text, at: macro.start });
    this.#made.push({ macro: macro.text, name: defined.name, at: defined.at });
  }

  /** Inserts a semicolon after a macro that has none; the grammar would join it with the declaration. */
  #addStatement(units: readonly Unit[], item: TopLevelItem): void {
    const [first, macro] = [units[0], units.at(-1)];
    if (first === undefined || macro?.group === undefined) return;
    const { end } = macro.group;
    this.#blank({ start: first.start, end: macro.start });
    if (/\s/.test(this.#text.charAt(end)))
      this.#changes.push({ start: end, end: end + 1, by: ";" });
    else this.#hide({ start: macro.start, end, called: macro.text });
    if (!item.isMember) this.#addMacro(units, macro, end);
  }

  #addMacro(units: readonly Unit[], macro: Unit, end: number): void {
    const defined = definedBy(macro, this.#text);
    if (defined === undefined) return;
    const start = units[0]?.start ?? macro.start;
    const named = { name: defined.name, at: defined.at, start, end };
    if (/EXPORT/.test(macro.text)) this.#exported.add(defined.name);
    else if (isOfDefinition(macro, units)) this.#objects.push(named);
    else if (!this.#isCpp) this.#perhaps.push(named);
  }

  /** Variables with an initializer; in C also exported ones, which are defined nowhere else. */
  #isObject({ name, units, hasInitializer }: Head, { parts, ending }: TopLevelItem): boolean {
    if (ending === "body") return false;
    const isNone = units.some(({ text }) => /^(?:extern|typedef|friend)$/.test(text));
    const first = parts[0];
    if (isNone || first === undefined || /^(?:using|return|goto|namespace)$/.test(first.text))
      return false;
    if (hasInitializer) return true;
    const isAtMargin = first.start === 0 || this.#text[first.start - 1] === "\n";
    const isPlain = !parts.some(({ kind, text }) => kind === "block" || text === "static");
    return !this.#isCpp && isAtMargin && isPlain && name.kind !== "pointer";
  }

  #toFound({ name, at, start, end }: Named, starts: readonly number[]): FoundDefinition {
    const value = this.#text.slice(start, end).search(/=|\{/);
    const head = this.#text.slice(start, value < 0 ? end : start + value);
    return {
      kind: "class",
      name,
      signature: signatureOf(head.replace(/;$/, "")),
      start,
      nodeStart: start,
      end,
      nameLine: lineAt(starts, at),
      nodeType: "declaration",
      isScope: false,
    };
  }

  #changed(): string {
    let [result, at] = ["", 0];
    for (const { start, end, by } of this.#changes.toSorted((a, b) => a.start - b.start)) {
      if (start < at) continue;
      result += this.#text.slice(at, start) + by;
      at = end;
    }
    return result + this.#text.slice(at);
  }

  #hide({ start, end, called }: HiddenMacro): void {
    this.#blank({ start, end });
    if (called !== undefined) this.#calls.push({ name: called, at: start });
  }

  /** Includes line ends. */
  #blank({ start, end }: HeadSpan): void {
    this.#changes.push({
      start,
      end,
      by: this.#text.slice(start, end).replaceAll(/[^\r\n]/g, " "),
    });
  }

  /** For `(*const open[2])`: the last word before the size. */
  #nameOf({ kind, start, end }: Unit): { readonly name: string; readonly at: number } {
    const text = this.#text.slice(start, end);
    if (kind !== "pointer") return { name: text, at: start };
    const match = /(\w+)\s*(?:\[[^\][]*\]\s*)*\)$/.exec(text.slice(0, MAX_POINTER_LENGTH));
    return { name: match?.[1] ?? "", at: start + (match?.index ?? 0) };
  }
}
