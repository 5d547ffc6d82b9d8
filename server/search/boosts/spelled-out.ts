/** Lifts the types whose name the question spells out: `JsonReader` for "how does the JSON reader skip values". */

import { getOrCreate } from "../../common/get-or-create.ts";
import { identifierPartsOf } from "../../common/words.ts";
import type { CodeSymbol } from "../../contracts/model.ts";
import { lastPartOf } from "../lanes/symbol-names.ts";
import { isIdentifier, type Query } from "../query/query.ts";
import { stem } from "../query/stem.ts";
import { type Boost, highest, type Ranked, rescore } from "../ranking.ts";

/**
 * Gain as a share of the best score: that of a name in another spelling inside a question (definition.ts). 0.3 to 0.5
 * are within .002 of each other on both benchmarks. Functions and methods too would lift as many wrong answers as right
 * ones: anyone says `to string` or `error handler`, while a type is a thing of its own.
 */
const WEIGHT = 0.4;

/** A name of one word cannot be distinguished from prose. */
const MIN_WORDS = 2;

export const spelledOut: Boost = {
  name: "spelled-out",
  apply: (hits, { query }) => {
    const spoken = spokenWords(query);
    const gain = WEIGHT * highest(hits);
    for (const hit of hits) {
      const name = spelledOutIn(hit, spoken);
      if (name !== undefined) rescore(hit, hit.score + gain, "spelled-out", name);
    }
    return hits;
  },
};

interface Spoken {
  readonly stems: ReadonlySet<string>;
  /** All stems, in order. */
  readonly row: string;
}

/** The stems of the query. A name written as code is excluded: the boost `definition` handles it. */
function spokenWords({ text }: Query): Spoken {
  const tokens = [...text.matchAll(/[\p{L}\p{N}\p{M}_$]+/gu)].map(([token]) => token);
  const stems = tokens.flatMap((token) =>
    isIdentifier(token) ? ["|"] : identifierPartsOf(token).map(stem),
  );
  return { stems: new Set(stems), row: inARow(stems) };
}

function spelledOutIn({ facts }: Ranked, { stems, row }: Spoken): string | undefined {
  // A heading mentions definitions of other files.
  if (facts.category === "docs") return undefined;
  for (const { name, parts, firstStem } of typesIn(facts.symbols)) {
    if (stems.has(firstStem) && row.includes(inARow(parts.map(stem)))) return name;
  }
  return undefined;
}

interface SpokenType {
  readonly name: string;
  readonly parts: readonly string[];
  readonly firstStem: string;
}

const NO_TYPES: readonly SpokenType[] = [];

/** Lanes remember the chunks that they found last, and with them their lists of symbols. */
const knownTypes = new WeakMap<readonly CodeSymbol[], readonly SpokenType[]>();

/** The types with a name of several words. */
function typesIn(symbols: readonly CodeSymbol[]): readonly SpokenType[] {
  // Most chunks define no type, and looking a list up takes longer than looking through it.
  return symbols.some(isType) ? getOrCreate(knownTypes, symbols, readTypes) : NO_TYPES;
}

function readTypes(symbols: readonly CodeSymbol[]): readonly SpokenType[] {
  let types: SpokenType[] | undefined;
  for (const symbol of symbols) {
    if (!isType(symbol)) continue;
    const { name } = symbol;
    const parts = identifierPartsOf(lastPartOf(name));
    const [first] = parts;
    if (first === undefined || parts.length < MIN_WORDS) continue;
    (types ??= []).push({ name, parts, firstStem: stem(first) });
  }
  return types ?? NO_TYPES;
}

function isType({ type }: CodeSymbol): boolean {
  return type === "class" || type === "interface";
}

function inARow(stems: readonly string[]): string {
  return ` ${stems.join(" ")} `;
}
