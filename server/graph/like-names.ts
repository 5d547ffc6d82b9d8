/** Files that are named like others: a test is named after what it tests, a second implementation after the first. */

import { partsOf } from "../common/words.ts";

/** They say what a file is in its folder, or that it is a test, and not what it is about. */
const GENERAL_WORDS: ReadonlySet<string> = new Set(
  "test tests spec index init mod main lib".split(" "),
);

/** Those of the candidates that share words with the name of one of the files: most alike first, else in their order. */
export function rankByName(files: readonly string[], candidates: readonly string[]): string[] {
  const own = new Map<string, ReadonlySet<string>[]>();
  for (const words of files.map(wordsOfName))
    for (const word of words) own.set(word, [...(own.get(word) ?? []), words]);
  return candidates
    .map((path) => {
      const words = wordsOfName(path);
      // Most names share no word with any of the files.
      const near = [...words].flatMap((word) => own.get(word) ?? []);
      return { path, alike: Math.max(0, ...near.map((some) => likeness(some, words))) };
    })
    .filter(({ alike }) => alike > 0)
    .toSorted((a, b) => b.alike - a.alike)
    .map(({ path }) => path);
}

/** The words that both have, of those that one of them has. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}

/** Of the file's name without its extensions. */
function wordsOfName(path: string): ReadonlySet<string> {
  const [name = ""] = path.slice(path.lastIndexOf("/") + 1).split(".");
  return new Set(partsOf(name).filter((word) => !GENERAL_WORDS.has(word)));
}
