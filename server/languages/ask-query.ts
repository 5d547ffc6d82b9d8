/** Asks a query of a tree, and reads the matches where the parser's runtime leaves them. */

import { type Language, type Node, Parser, type Query, type Tree } from "web-tree-sitter";
import type { IsSpent } from "./parse.ts";

/**
 * What the package's own `matches` calls. It makes three objects of each captured node, and reads each of their numbers
 * by a call that is told the number's type: a fifth of the time that references took.
 */
interface Runtime {
  /** Another one when the runtime's memory has grown. */
  readonly HEAP32: Int32Array;
  currentQueryProgressCallback: IsSpent | null;
  readonly calls: Calls;
  /** Where the package finds its functions. */
  readonly functions: Record<string, unknown>;
}

/** Functions of the runtime, under names of ours. */
interface Calls {
  /** Gives the address at which nodes and answers are handed over. */
  init(): number;
  matches(...parameters: readonly number[]): void;
  endOf(tree: number): number;
  symbolOf(tree: number): number;
  malloc(bytes: number): number;
  free(address: number): void;
}

const CALLS: Readonly<Record<keyof Calls, string>> = {
  init: "_ts_init",
  matches: "_ts_query_matches_wasm",
  endOf: "_ts_node_end_index_wasm",
  symbolOf: "_ts_node_symbol_wasm",
  malloc: "_malloc",
  free: "_free",
};

/** Where the package keeps the address of a query, of a tree, and the last number of a node. */
interface Handle {
  readonly 0: number;
}

type Predicate = (captures: readonly Capture[]) => boolean;

/** What a compiled query is asked with. */
export interface AskedQuery {
  readonly address: number;
  readonly captureNames: readonly string[];
  /** What is asked of each match before it is kept, by pattern. */
  readonly predicates: readonly (readonly Predicate[])[];
}

export interface Match {
  readonly pattern: number;
  readonly captures: readonly Capture[];
}

/** The numbers of a node: its id, where it begins (index, row and column), and one of the runtime's own. */
const NODE_NUMBERS = 5;
/** The number of its name comes first. */
const CAPTURE_NUMBERS = 1 + NODE_NUMBERS;
const NO_LIMIT = 4294967295;

const module: Record<string, unknown> = {};
let starting: Promise<void> | undefined;
let started: Runtime | undefined;
let address = 0;

/** Once a thread, before anything else is done with the package. */
export async function startRuntime(): Promise<void> {
  starting ??= Parser.init(module as Parameters<typeof Parser.init>[0]).then(() => {
    const missing = Object.values(CALLS).find((name) => typeof module[name] !== "function");
    if (missing !== undefined || !(module["HEAP32"] instanceof Int32Array))
      throw new Error(`the runtime of web-tree-sitter has no ${missing ?? "HEAP32"}`);
    const calls = Object.fromEntries(
      Object.entries(CALLS).map(([own, name]) => [own, module[name]]),
    ) as unknown as Calls;
    const functions = module;
    started = Object.assign(module as unknown as Runtime, { calls, functions });
    address = calls.init() >> 2;
  });
  await starting;
}

export function running(): Runtime {
  if (started === undefined) throw new Error("the runtime of web-tree-sitter is not started");
  return started;
}

export function toAskedQuery(query: Query): AskedQuery {
  const { captureNames } = query;
  const { textPredicates, 0: at } = query as unknown as Handle & {
    textPredicates?: (readonly Predicate[])[];
  };
  if (textPredicates?.length !== query.patternCount())
    throw new Error("this version of web-tree-sitter has no predicates by pattern");
  return { address: at, captureNames, predicates: textPredicates };
}

/** The text and the tree that captures are of. */
interface Source {
  readonly runtime: Runtime;
  readonly tree: number;
  readonly text: string;
  readonly language: Language;
}

/** A captured node, for as long as its tree is lent. */
export class Capture {
  readonly name: string;
  readonly id: number;
  readonly startIndex: number;
  readonly #source: Source;
  readonly #other: number;

  constructor(source: Source, name: string, id: number, startIndex: number, other: number) {
    this.#source = source;
    this.name = name;
    this.id = id;
    this.startIndex = startIndex;
    this.#other = other;
  }

  get endIndex(): number {
    const { tree, runtime } = this.#source;
    handOver(runtime.HEAP32, this.id, this.startIndex, this.#other);
    return runtime.calls.endOf(tree);
  }

  get type(): string {
    const { tree, runtime, language } = this.#source;
    handOver(runtime.HEAP32, this.id, this.startIndex, this.#other);
    return language.types[runtime.calls.symbolOf(tree)] ?? "ERROR";
  }

  get text(): string {
    return this.#source.text.slice(this.startIndex, this.endIndex);
  }

  /** What the package's predicates ask for its text. */
  get node(): Capture {
    return this;
  }
}

/** Puts a node where the next call looks for it. Where it ends, and what it is, needs neither its row nor its column. */
function handOver(memory: Int32Array, id: number, startIndex: number, other: number): void {
  memory[address] = id;
  memory[address + 1] = startIndex;
  memory[address + 4] = other;
}

/** A match as numbers in the runtime's memory, for as long as it is taken: to make objects of thousands takes a while. */
export interface RawMatch {
  readonly pattern: number;
  /** How many captures it has. */
  readonly count: number;
  /** By the place of a capture in the match: the number of its name. */
  nameAt(place: number): number;
  idAt(place: number): number;
  startAt(place: number): number;
  endAt(place: number): number;
  toCaptures(): Capture[];
}

/** Calls back with each match that fits; the first ones only when the budget is spent. `text` is what was parsed. */
export function eachMatch(
  { address: query, captureNames, predicates }: AskedQuery,
  root: Node,
  text: string,
  isSpent: IsSpent,
  take: (match: RawMatch) => void,
): void {
  const runtime = running();
  const { language } = root.tree;
  const source = { runtime, tree: addressOf(root.tree), text, language };
  const start = ask(query, root, isSpent);
  try {
    const reader = new MatchReader(source, captureNames, start >> 2);
    for (let left = runtime.HEAP32[address] as number; left > 0; left--) {
      reader.next();
      const asked = predicates[reader.pattern] ?? [];
      const captures = asked.length === 0 ? [] : reader.toCaptures();
      if (asked.every((fits) => fits(captures))) take(reader);
    }
  } finally {
    runtime.calls.free(start);
  }
}

class MatchReader implements RawMatch {
  pattern = 0;
  count = 0;
  readonly #source: Source;
  readonly #names: readonly string[];
  #at: number;

  constructor(source: Source, names: readonly string[], at: number) {
    this.#source = source;
    this.#names = names;
    this.#at = at;
  }

  /** Looked up for each access: the runtime's memory may grow while a match is taken, and an older view is then empty. */
  get #memory(): Int32Array {
    return this.#source.runtime.HEAP32;
  }

  next(): void {
    const memory = this.#memory;
    const at = this.#at + this.count * CAPTURE_NUMBERS;
    this.pattern = memory[at] as number;
    this.count = memory[at + 1] as number;
    this.#at = at + 2;
  }

  nameAt(place: number): number {
    return this.#memory[this.#at + place * CAPTURE_NUMBERS] as number;
  }

  idAt(place: number): number {
    return this.#memory[this.#at + place * CAPTURE_NUMBERS + 1] as number;
  }

  startAt(place: number): number {
    return this.#memory[this.#at + place * CAPTURE_NUMBERS + 2] as number;
  }

  endAt(place: number): number {
    const { tree, runtime } = this.#source;
    handOver(runtime.HEAP32, this.idAt(place), this.startAt(place), this.#otherAt(place));
    return runtime.calls.endOf(tree);
  }

  toCaptures(): Capture[] {
    const captures: Capture[] = [];
    for (let place = 0; place < this.count; place++) {
      const name = this.#names[this.nameAt(place)] ?? "";
      const [id, start, other] = [this.idAt(place), this.startAt(place), this.#otherAt(place)];
      captures.push(new Capture(this.#source, name, id, start, other));
    }
    return captures;
  }

  #otherAt(place: number): number {
    return this.#memory[this.#at + place * CAPTURE_NUMBERS + NODE_NUMBERS] as number;
  }
}

/** Gives the address of the matches, whose number is handed over. */
function ask(query: number, root: Node, isSpent: IsSpent): number {
  const runtime = running();
  const { row, column } = root.startPosition;
  runtime.HEAP32.set([root.id, root.startIndex, row, column, addressOf(root)], address);
  runtime.currentQueryProgressCallback = isSpent;
  try {
    // No part of the tree is excluded, neither by places nor by indexes.
    const everywhere = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    runtime.calls.matches(query, addressOf(root.tree), ...everywhere, NO_LIMIT, NO_LIMIT);
  } finally {
    runtime.currentQueryProgressCallback = null;
  }
  return runtime.HEAP32[address + 1] as number;
}

function addressOf(handle: Node | Tree): number {
  return (handle as unknown as Handle)[0];
}
