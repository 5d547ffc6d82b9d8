/** Chains of facts, taken apart: see languages/facts/chains.ts for how they are written. */

export type Step =
  | { readonly kind: "member"; readonly name: string }
  | { readonly kind: "call" }
  | { readonly kind: "element" }
  | { readonly kind: "unwrap" }
  | { readonly kind: "part"; readonly place: number };

export interface ParsedChain {
  /** A name, a literal, or `:` before a type. */
  readonly head: string;
  readonly steps: readonly Step[];
}

/** `#` begins the name of a private member where it follows a dot, and the place of a part elsewhere. */
const PARTS = /\.(#?[^.()[\]#!]+[!?]?(?=$|[.()[\]#!]))|(\(\))|(\[\])|(!)|#(\d+)/gy;

/** Chains repeat: `self.x` is written a thousand times. */
const parsed = new Map<string, ParsedChain>();
const MAX_REMEMBERED = 20_000;

/** They are parsed again where they are met again. */
export function forgetChains(): void {
  parsed.clear();
}

export function parseChain(chain: string): ParsedChain {
  let known = parsed.get(chain);
  if (known === undefined) {
    known = parse(chain);
    if (parsed.size >= MAX_REMEMBERED) parsed.clear();
    parsed.set(chain, known);
  }
  return known;
}

const BEFORE_A_NAME = ".()[]#;";

/** What is called or read in the end: `b` of `a.b`. */
export function lastNameOf(chain: string): string {
  let start = chain.length;
  while (start > 0 && !BEFORE_A_NAME.includes(chain.charAt(start - 1))) start--;
  if (start === chain.length) return chain;
  return chain.slice(chain.slice(0, start).endsWith(".#") ? start - 1 : start);
}

function parse(chain: string): ParsedChain {
  let at = headEnd(chain);
  const head = chain.slice(0, at);
  const steps: Step[] = [];
  while (at < chain.length) {
    PARTS.lastIndex = at;
    const match = PARTS.exec(chain);
    if (match === null) break;
    at += match[0].length;
    const [, name, call, element, , place] = match;
    if (name !== undefined) steps.push({ kind: "member", name });
    else if (call !== undefined) steps.push({ kind: "call" });
    else if (element !== undefined) steps.push({ kind: "element" });
    else if (place !== undefined) steps.push({ kind: "part", place: Number(place) });
    else steps.push({ kind: "unwrap" });
  }
  return { head, steps };
}

function headEnd(chain: string): number {
  if (chain.startsWith(":")) {
    const end = chain.indexOf(";");
    return end < 0 ? chain.length : end + 1;
  }
  // A Ruby name may end in `!` or `?`; of other languages `!` is a step of its own.
  const end = chain.slice(1).search(/[.()[\]#!;]/);
  return end < 0 ? chain.length : end + 1;
}

/** `super()` of Python is the base itself. */
export function ofSuper(head: string, steps: readonly Step[]): readonly Step[] {
  return head === "super" && steps[0]?.kind === "call" ? steps.slice(1) : steps;
}
