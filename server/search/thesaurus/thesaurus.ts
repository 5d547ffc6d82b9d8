/** The thesaurus: which words code uses for the everyday words of a question (`throw out`: evict, victim, discard). */

import { readFile } from "node:fs/promises";
import { createPause, inBatches } from "../../common/slices.ts";
import { tokensOf } from "../../common/words.ts";
import { stem } from "../query/stem.ts";

/** Words of a key, at most. */
const MAX_KEY_WORDS = 3;

/** Values of one key that are used, the most likely first; 3 to 6 are alike on questions about big repositories. */
const MAX_VALUES = 4;

/** Keys are written without articles. */
const ARTICLES: ReadonlySet<string> = new Set(["a", "an", "the"]);

/** Lines of the file that are read at a time: about two milliseconds. */
const LINES_AT_ONCE = 500;

/** Values, separated by spaces, by the stems of a key, separated by spaces. */
type Thesaurus = ReadonlyMap<string, string>;

let thesaurus: Promise<Thesaurus> | undefined;

/** The thesaurus; the first call reads its file, in slices. */
export function loadThesaurus(): Promise<Thesaurus> {
  thesaurus ??= readEntries();
  return thesaurus;
}

/**
 * The words that the thesaurus has for a text, in the order of the text. The longest key wins: a word of a phrase that is
 * a key is not looked up alone. Words of the text itself are left out, and words whose stem fails `isKnown`.
 */
export function relatedWords(
  entries: Thesaurus,
  text: string,
  isKnown: (stemmed: string) => boolean,
): string[] {
  const words = tokensOf(text)
    .map((token) => token.toLowerCase())
    .filter((word) => !ARTICLES.has(word))
    .map(stem);
  const own = new Set(words);
  const related = new Set<string>();
  for (const key of keysIn(words, entries)) {
    const values = (entries.get(key) ?? "").split(" ");
    const useful = values.filter((value) => !own.has(stem(value)) && isKnown(stem(value)));
    for (const value of useful.slice(0, MAX_VALUES)) related.add(value);
  }
  return [...related];
}

/** The keys in a list of stems that do not overlap with a longer one. */
function keysIn(words: readonly string[], known: Thesaurus): string[] {
  const taken = new Set<number>();
  const keys: { readonly at: number; readonly key: string }[] = [];
  for (let length = MAX_KEY_WORDS; length > 0; length--) {
    for (let at = 0; at + length <= words.length; at++) {
      const places = Array.from({ length }, (_, i) => at + i);
      const key = words.slice(at, at + length).join(" ");
      if (!known.has(key) || places.some((place) => taken.has(place))) continue;
      keys.push({ at, key });
      for (const place of places) taken.add(place);
    }
  }
  return keys.toSorted((a, b) => a.at - b.at).map(({ key }) => key);
}

/** Reads lines `key<tab>values`. Rejects if the file is missing: the installation is incomplete. */
async function readEntries(): Promise<Thesaurus> {
  const text = await readFile(new URL("./entries.tsv", import.meta.url), "utf8");
  const lines = text.split("\n").filter((line) => line !== "");
  const entries = await inBatches(lines, LINES_AT_ONCE, createPause(), async (line) => {
    const [key = "", values = ""] = line.split("\t", 2);
    return [key.split(" ").map(stem).join(" "), values] as const;
  });
  return new Map(entries);
}
