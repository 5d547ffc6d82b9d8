/** Parses the chains of facts, such as `a.b()[]`; languages/facts/chains.ts describes the syntax. */

export type Step =
  | { readonly kind: "member"; readonly name: string }
  | { readonly kind: "call" }
  | { readonly kind: "element" }
  | { readonly kind: "unwrap" }
  | { readonly kind: "part"; readonly place: number };

export interface ParsedChain {
  /** A name, a literal, or `:` and a type. */
  readonly head: string;
  readonly steps: readonly Step[];
}

/** After a dot, `#` begins the name of a private member; elsewhere it begins the position in a destructured value. */
const PARTS = /\.(#?[^.()[\]#!]+[!?]?(?=$|[.()[\]#!]))|(\(\))|(\[\])|(!)|#(\d+)/gy;

/** A cache: chains such as `self.x` repeat thousands of times. */
const parsed = new Map<string, ParsedChain>();
const MAX_CACHED = 20_000;

export function clearChainCache(): void {
  parsed.clear();
}

export function parseChain(chain: string): ParsedChain {
  let known = parsed.get(chain);
  if (known === undefined) {
    known = parse(chain);
    if (parsed.size >= MAX_CACHED) parsed.clear();
    parsed.set(chain, known);
  }
  return known;
}

const BEFORE_A_NAME = ".()[]#;";

/** The last name of a chain: `b` in `a.b`. */
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
  // A Ruby name may end in `!` or `?`; in other languages `!` is a step.
  const end = chain.slice(1).search(/[.()[\]#!;]/);
  return end < 0 ? chain.length : end + 1;
}

/** Drops the call of `super()` in Python, which is the base itself. */
export function withoutSuperCall(head: string, steps: readonly Step[]): readonly Step[] {
  return head === "super" && steps[0]?.kind === "call" ? steps.slice(1) : steps;
}
