/** Merges the captures of references.scm into items: one per construct, in source order. */

import type { QueryCapture } from "web-tree-sitter";
import { FLAG } from "../../contracts/facts.ts";

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
  /** Bits of `FLAG`. */
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

/** Captures that set a flag of their item, with the flag. */
const MARKS: ReadonlyMap<string, number> = new Map([
  ["property", FLAG.property],
  ["static", FLAG.static],
  ["declared", FLAG.declared],
  ["partial", FLAG.partial],
]);

/** The meaning of a capture name. At most one of the fields is set. */
export interface Role {
  readonly head: Head | undefined;
  readonly part: PartName | undefined;
  /** 0 for none. */
  readonly mark: number;
}

export function rolesOf(captureNames: readonly string[]): Map<string, Role> {
  const toRole = (name: string): Role => ({
    head: HEADS.find((head) => head === name),
    part: PARTS.find((part) => part === name),
    mark: MARKS.get(name) ?? 0,
  });
  return new Map(captureNames.map((name) => [name, toRole(name)]));
}

interface Candidate extends Item {
  readonly captureCount: number;
  /** The index of the previous item of the same node, or -1. */
  readonly previous: number;
}

/** Kinds that define a name, by priority: a node is only the first of these that matches. */
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

/** Merges the matches of references.scm into items. Keeps offsets and no nodes, so that a file's nodes can be freed. */
export class ItemCollector {
  readonly #roles: ReadonlyMap<string, Role>;
  readonly #items: Candidate[] = [];
  /** The index of the last item of a node, by node id. */
  readonly #lastItems = new Map<number, number>();

  constructor(roles: ReadonlyMap<string, Role>) {
    this.#roles = roles;
  }

  /** Takes the captures of one match. A match without a head capture is ignored. */
  add(captures: readonly QueryCapture[]): void {
    const head = captures.find(({ name }) => this.#roles.get(name)?.head !== undefined);
    if (head === undefined) return;
    const { id } = head.node;
    const previous = this.#lastItems.get(id) ?? -1;
    const candidate = this.#toCandidate(captures, head, previous);
    for (let index = previous; index >= 0; ) {
      const known = this.#items[index];
      if (known === undefined) break;
      if (isSame(known, candidate)) {
        this.#items[index] = better(known, candidate);
        return;
      }
      index = known.previous;
    }
    this.#lastItems.set(id, this.#items.length);
    this.#items.push(candidate);
  }

  #toCandidate(captures: readonly QueryCapture[], head: QueryCapture, previous: number): Candidate {
    const parts = noParts();
    let flags = 0;
    for (const capture of captures) {
      const role = this.#roles.get(capture.name);
      if (role?.part !== undefined) parts[role.part] = spanOf(capture);
      flags |= role?.mark ?? 0;
    }
    const kind = this.#roles.get(head.name)?.head ?? "call";
    return { kind, ...spanOf(head), flags, parts, captureCount: captures.length, previous };
  }

  /** In source order; an outer item comes before the items inside it. */
  get items(): Item[] {
    return this.#items.toSorted((a, b) => a.start - b.start || b.end - a.end || rank(a) - rank(b));
  }
}

function spanOf({ node }: QueryCapture): Span {
  return { start: node.startIndex, end: node.endIndex };
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

/** Whether two matches of one node are one construct: of the same kind, or definitions with the same name. */
function isSame(known: Candidate, other: Candidate): boolean {
  if (!DEFINING_NAMES.has(known.kind)) return known.kind === other.kind;
  return DEFINING_NAMES.has(other.kind) && known.parts.name?.start === other.parts.name?.start;
}

/** Merges two matches of one construct: takes the kind with the higher priority, then the match with more captures; unites flags. */
function better(known: Candidate, other: Candidate): Candidate {
  const order = DEFINING.indexOf(known.kind) - DEFINING.indexOf(other.kind);
  const best =
    order < 0 || (order === 0 && known.captureCount >= other.captureCount) ? known : other;
  const flags = known.flags | other.flags;
  const parts = noParts();
  for (const name of PARTS)
    parts[name] = best.parts[name] ?? other.parts[name] ?? known.parts[name];
  return { ...best, parts, flags, previous: known.previous };
}

/** Tie-break for items with the same span: the outer kind comes first. */
function rank({ kind }: Item): number {
  return HEADS.indexOf(kind);
}
