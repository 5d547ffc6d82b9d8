/** What the query captured, one item per construct, in the order in which a reader meets them. */

import { FLAG } from "../../contracts/facts.ts";
import type { RawMatch } from "../ask-query.ts";

const HEADS = [
  "class",
  "interface",
  "namespace",
  "extension",
  "function",
  "lambda",
  "method",
  "object",
  "variable",
  "alias",
  "return",
  "base",
  "generated",
  "call",
  "made",
  "handed",
  "bare",
  "import",
  "package",
  "loop",
  "condition",
  "try",
  "ignored",
] as const;
type Head = (typeof HEADS)[number];

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Item extends Span {
  readonly kind: Head;
  /** What its marks say, as bits of `FLAG`. */
  readonly flags: number;
  /** By capture name. */
  readonly parts: Readonly<Partial<Parts>>;
}

const PARTS = [
  "name",
  "params",
  "type",
  "bases",
  "value",
  "iterable",
  "receiver",
  "callee",
  "tokens",
] as const;
type PartName = (typeof PARTS)[number];
type Parts = Record<PartName, Span | undefined>;

/** Captures that say something of an item, with their bits. */
const MARKS: ReadonlyMap<string, number> = new Map([
  ["property", FLAG.property],
  ["static", FLAG.static],
  ["declared", FLAG.declared],
  ["partial", FLAG.partial],
]);

/** What a capture says of an item, by its name: one of these at most. */
export interface Role {
  readonly head: Head | undefined;
  readonly part: PartName | undefined;
  /** 0 for none. */
  readonly mark: number;
}

export function rolesOf(captureNames: readonly string[]): Role[] {
  return captureNames.map((name) => ({
    head: HEADS.find((head) => head === name),
    part: PARTS.find((part) => part === name),
    mark: MARKS.get(name) ?? 0,
  }));
}

interface Candidate extends Item {
  readonly captures: number;
  /** The place of another item of the same node; -1 where there is none. */
  readonly before: number;
}

/** Constructs that give a node a name: one node is only one of them, the first in this order. */
const DEFINING: readonly Head[] = [
  "interface",
  "class",
  "function",
  "lambda",
  "object",
  "alias",
  "variable",
];

const DEFINING_NAMES: ReadonlySet<string> = new Set(DEFINING);

/**
 * Takes matches one by one, and holds none of their nodes: a file has thousands, and collecting them as garbage cost
 * more than all that is done with them.
 */
export class ItemCollector {
  readonly #roles: readonly Role[];
  readonly #items: Candidate[] = [];
  /** From a node's id to the last item of it, as a place in the items. */
  readonly #places = new Map<number, number>();

  constructor(roles: readonly Role[]) {
    this.#roles = roles;
  }

  add(match: RawMatch): void {
    const place = this.#headOf(match);
    if (place < 0) return;
    const id = match.idAt(place);
    const before = this.#places.get(id) ?? -1;
    const one = this.#toCandidate(match, place, before);
    for (let at = before; at >= 0; ) {
      const known = this.#items[at];
      if (known === undefined) break;
      if (isSame(known, one)) {
        this.#items[at] = better(known, one);
        return;
      }
      at = known.before;
    }
    this.#places.set(id, this.#items.length);
    this.#items.push(one);
  }

  /** The place of the first capture that says what the match is; -1 where none does. */
  #headOf(match: RawMatch): number {
    for (let place = 0; place < match.count; place++)
      if (this.#roles[match.nameAt(place)]?.head !== undefined) return place;
    return -1;
  }

  #toCandidate(match: RawMatch, headPlace: number, before: number): Candidate {
    const parts = noParts();
    let flags = 0;
    for (let place = 0; place < match.count; place++) {
      const role = this.#roles[match.nameAt(place)];
      if (role?.part !== undefined) parts[role.part] = spanAt(match, place);
      flags |= role?.mark ?? 0;
    }
    const { start, end } = spanAt(match, headPlace);
    const kind = this.#roles[match.nameAt(headPlace)]?.head ?? "call";
    const captures = match.count;
    return { kind, start, end, flags, parts, captures, before };
  }

  /** In the order in which a reader meets them. */
  get items(): Item[] {
    return this.#items.toSorted((a, b) => a.start - b.start || b.end - a.end || rank(a) - rank(b));
  }
}

function spanAt(match: RawMatch, place: number): Span {
  return { start: match.startAt(place), end: match.endAt(place) };
}

function noParts(): Parts {
  return {
    name: undefined,
    params: undefined,
    type: undefined,
    bases: undefined,
    value: undefined,
    iterable: undefined,
    receiver: undefined,
    callee: undefined,
    tokens: undefined,
  };
}

/** Two readings of one construct: of one kind, or definitions of one name. */
function isSame(known: Candidate, other: Candidate): boolean {
  if (!DEFINING_NAMES.has(known.kind)) return known.kind === other.kind;
  return DEFINING_NAMES.has(other.kind) && known.parts.name?.start === other.parts.name?.start;
}

/** Of two readings of one node: the kind that says more, then the pattern that captured more; marks count from both. */
function better(known: Candidate, other: Candidate): Candidate {
  const order = DEFINING.indexOf(known.kind) - DEFINING.indexOf(other.kind);
  const best = order < 0 || (order === 0 && known.captures >= other.captures) ? known : other;
  const flags = known.flags | other.flags;
  const parts = noParts();
  for (const name of PARTS)
    parts[name] = best.parts[name] ?? other.parts[name] ?? known.parts[name];
  return { ...best, parts, flags, before: known.before };
}

/** Of two constructs of one extent, the one that holds the other. */
function rank({ kind }: Item): number {
  return HEADS.indexOf(kind);
}
