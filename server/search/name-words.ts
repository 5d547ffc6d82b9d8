/** Scores names of definitions by the words that they share with a bug report; rare words weigh most. */

import { wordsOf } from "../common/words.ts";
import { toName } from "./lanes/symbol-names.ts";
import { stem, termsOf } from "./query/stem.ts";

/** A word of the report with this count has full weight; see WORD_WEIGHTS. */
const MAX_TIMES = 4;

export class NameWords {
  /** The weight of each word of the report, 0 to 1. */
  readonly #reportWeights = new Map<string, number>();
  readonly #frequencies = new Map<string, number>();
  #count = 0;

  /** `names` are the candidate definitions; word rarity is computed over them. */
  constructor(reportWords: readonly string[], names: Iterable<string>) {
    for (const term of termsOf(reportWords)) {
      this.#reportWeights.set(
        term,
        Math.min(1, (this.#reportWeights.get(term) ?? 0) + 1 / MAX_TIMES),
      );
    }
    for (const name of names) {
      this.#count++;
      for (const word of wordsOfName(name).all) {
        this.#frequencies.set(word, (this.#frequencies.get(word) ?? 0) + 1);
      }
    }
  }

  /** Scores a qualified name against the report: `LatexPrinter.print_sum` for "the LaTeX printer and sums". About 0 to 4. */
  sum(name: string): number {
    return this.#sum(wordsOfName(name).all);
  }

  /** The share of a name's last segment that the report has, 0 to 1. */
  share(name: string): number {
    const { last } = wordsOfName(name);
    const whole = last.reduce((sum, word) => sum + this.#rarity(word), 0);
    return whole === 0 ? 0 : this.#sum(last) / whole;
  }

  #sum(words: readonly string[]): number {
    return words.reduce(
      (sum, word) => sum + (this.#reportWeights.get(word) ?? 0) * this.#rarity(word),
      0,
    );
  }

  /** 1 for a word that no name has. */
  #rarity(word: string): number {
    if (this.#count === 0) return 1;
    const frequency = this.#frequencies.get(word) ?? 0;
    return Math.log(1 + this.#count / (1 + frequency)) / Math.log(1 + this.#count);
  }
}

interface Words {
  /** The words of the last segment. */
  readonly last: readonly string[];
  readonly all: readonly string[];
}

/** The names of an index are compared in each search, and taking one apart costs ten times as much as comparing it. */
const known = new Map<string, Words>();
const MAX_KNOWN = 50_000;

function wordsOfName(text: string): Words {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const name = toName(text);
  const last = [...new Set(name.parts.map(stem))];
  const scope = wordsOf(name.text.slice(0, -name.last.length)).map(stem);
  const words = { last, all: [...new Set([...last, ...scope])] };
  known.set(text, words);
  return words;
}
