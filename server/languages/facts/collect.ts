/** What the query captured, one item per construct, in the order in which a reader meets them. */

import type { QueryCapture, QueryMatch } from "web-tree-sitter";

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
  "import",
  "package",
  "loop",
  "condition",
  "try",
] as const;
type Head = (typeof HEADS)[number];
const HEAD_NAMES: ReadonlySet<string> = new Set(HEADS);

interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Item extends Span {
  readonly kind: Head;
  readonly isProperty: boolean;
  readonly isStatic: boolean;
  readonly isDeclared: boolean;
  /** By capture name. */
  readonly parts: Readonly<Partial<Record<PartName, Span>>>;
}

type PartName =
  | "name"
  | "params"
  | "type"
  | "bases"
  | "value"
  | "iterable"
  | "receiver"
  | "callee"
  | "tokens";

interface Candidate extends Item {
  readonly captures: number;
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

export function collect(matches: readonly QueryMatch[]): Item[] {
  const items: Candidate[] = [];
  /** From a node's id to what it is, as places in `items`. */
  const places = new Map<number, number[]>();
  for (const { captures } of matches) {
    const head = captures.find(isHead);
    if (head === undefined) continue;
    const one = toCandidate(head, captures);
    const known = places.get(head.node.id);
    const place = known?.find((at) => isSame(items[at], one));
    if (place !== undefined) items[place] = better(items[place] ?? one, one);
    else {
      if (known === undefined) places.set(head.node.id, [items.length]);
      else known.push(items.length);
      items.push(one);
    }
  }
  return items.toSorted((a, b) => a.start - b.start || b.end - a.end || rank(a) - rank(b));
}

function isHead({ name }: QueryCapture): boolean {
  return HEAD_NAMES.has(name);
}

function toCandidate(head: QueryCapture, captures: readonly QueryCapture[]): Candidate {
  const parts: Partial<Record<PartName, Span>> = {};
  let [isProperty, isStatic, isDeclared] = [false, false, false];
  for (const { name, node } of captures) {
    if (name === "property") isProperty = true;
    else if (name === "static") isStatic = true;
    else if (name === "declared") isDeclared = true;
    else if (!HEAD_NAMES.has(name) && !name.startsWith("_"))
      parts[name as PartName] = { start: node.startIndex, end: node.endIndex };
  }
  const { startIndex: start, endIndex: end } = head.node;
  const kind = head.name as Head;
  return { kind, start, end, isProperty, isStatic, isDeclared, parts, captures: captures.length };
}

/** Two readings of one construct: of one kind, or definitions of one name. */
function isSame(known: Candidate | undefined, other: Candidate): boolean {
  if (known === undefined) return false;
  if (!DEFINING_NAMES.has(known.kind)) return known.kind === other.kind;
  return DEFINING_NAMES.has(other.kind) && known.parts.name?.start === other.parts.name?.start;
}

/** Of two readings of one node: the kind that says more, then the pattern that captured more; marks count from both. */
function better(known: Candidate, other: Candidate): Candidate {
  const order = DEFINING.indexOf(known.kind) - DEFINING.indexOf(other.kind);
  const best = order < 0 || (order === 0 && known.captures >= other.captures) ? known : other;
  const isProperty = known.isProperty || other.isProperty;
  const isStatic = known.isStatic || other.isStatic;
  const isDeclared = known.isDeclared || other.isDeclared;
  return {
    ...best,
    parts: { ...known.parts, ...other.parts, ...best.parts },
    isProperty,
    isStatic,
    isDeclared,
  };
}

/** Of two constructs of one extent, the one that holds the other. */
function rank({ kind }: Item): number {
  return HEADS.indexOf(kind);
}
