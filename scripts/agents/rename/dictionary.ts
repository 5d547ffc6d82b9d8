/** Chooses another word for each word of a repository: a synonym if there is one, else any word that it does not use. */

import { createHash } from "node:crypto";
import { createRandom } from "../../evaluation/random.ts";
import { KEPT_WORDS } from "./kept.ts";

export interface WordLists {
  /** Lines of words with about the same meaning. */
  readonly synonyms: readonly (readonly string[])[];
  readonly words: readonly string[];
}

interface Vocabulary {
  /** The words to replace. */
  readonly own: ReadonlySet<string>;
  /** All words of all identifiers. An image is never one of these, so that two names never become one. */
  readonly all: ReadonlySet<string>;
}

const SHORTEST = 3;
const ENDINGS = ["s", "es", "er", "ers", "ed", "ing", "d", "r"] as const;
const MAX_PARTS = 3;

/** The images by word, the same for the same seed and vocabulary. */
export function chooseImages(
  { own, all }: Vocabulary,
  lists: WordLists,
  seed: number,
): Map<string, string> {
  const images = new Map<string, string>();
  const taken = new Set(all);
  const groups = groupsOf(lists.synonyms);
  const isFree = (word: string) => !taken.has(word);
  const take = (word: string, image: string) => {
    images.set(word, image);
    taken.add(image);
  };
  const wanted = [...own].filter((word) => word.length >= SHORTEST && !KEPT_WORDS.has(word));
  // Short words first, because longer ones are made of them: match, matcher, reverseproxy.
  const ordered = wanted.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const english = new Set([...groups.keys(), ...lists.words]);
  for (const word of ordered) {
    const random = createRandom(seedOf(word, seed));
    const synonym = shuffled(groups.get(word) ?? [], random).find(isFree);
    const compound = english.has(word) ? undefined : compounded(word, images);
    const image =
      synonym ??
      [derived(word, images), compound].find((each) => each !== undefined && isFree(each)) ??
      drawn(lists.words, isFree, random);
    take(word, image);
  }
  return images;
}

function groupsOf(synonyms: WordLists["synonyms"]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  // The first word of a line is the usual one; the others are less used, and are its replacements.
  for (const [word = "", ...others] of synonyms)
    groups.set(word, [...(groups.get(word) ?? []), ...others]);
  return groups;
}

/** `matchers` from the image of `match` or `matcher`. */
function derived(word: string, images: ReadonlyMap<string, string>): string | undefined {
  for (const ending of ENDINGS) {
    if (!word.endsWith(ending)) continue;
    const base = word.slice(0, -ending.length);
    const image = images.get(base) ?? images.get(`${base}e`);
    if (image !== undefined && base.length >= SHORTEST) return inflected(image, ending);
  }
  return undefined;
}

function inflected(word: string, ending: string): string {
  if (/^[er]/.test(ending) || ending === "ing") {
    const full = ending === "r" || ending === "d" ? `e${ending}` : ending;
    return `${word.endsWith("e") ? word.slice(0, -1) : word}${full}`;
  }
  return `${word}${ending}`;
}

/** `reverseproxy` from the images of `reverse` and `proxy`: names of packages are often written as one. */
function compounded(word: string, images: ReadonlyMap<string, string>): string | undefined {
  const parts = partsOf(word, images, MAX_PARTS);
  if (parts === undefined || parts.length < 2) return undefined;
  const made = parts.map((part) => images.get(part) ?? part).join("");
  return made === word ? undefined : made;
}

function partsOf(
  word: string,
  images: ReadonlyMap<string, string>,
  most: number,
): string[] | undefined {
  const isKnown = (part: string) =>
    part.length >= SHORTEST && (images.has(part) || KEPT_WORDS.has(part));
  if (isKnown(word)) return [word];
  if (most === 1) return undefined;
  for (let at = word.length - SHORTEST; at >= SHORTEST; at--) {
    if (!isKnown(word.slice(0, at))) continue;
    const rest = partsOf(word.slice(at), images, most - 1);
    if (rest !== undefined) return [word.slice(0, at), ...rest];
  }
  return undefined;
}

/** A word of the list, or a coined one when the tried ones are taken. */
function drawn(
  words: readonly string[],
  isFree: (word: string) => boolean,
  random: () => number,
): string {
  const tries = 40;
  for (let i = 0; i < tries; i++) {
    const word = words[Math.floor(random() * words.length)];
    if (word !== undefined && isFree(word)) return word;
  }
  for (;;) {
    const word = coined(random);
    if (isFree(word)) return word;
  }
}

/** Three syllables of a consonant and a vowel: about 300 thousand words. */
function coined(random: () => number): string {
  const pick = (letters: string) => letters[Math.floor(random() * letters.length)] ?? "";
  return Array.from({ length: 3 }, () => pick("bdfglmnprstv") + pick("aeiou")).join("");
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}

function seedOf(word: string, seed: number): number {
  return createHash("sha256").update(`${seed} ${word}`).digest().readInt32LE(0);
}
