/** Lifts files whose name or folder says what the question says. */

import type { ChunkFacts } from "../../ports.ts";
import { partsOf } from "../../words.ts";
import { stemOf } from "../paths.ts";
import { type Boost, highest, rescored } from "../ranking.ts";
import { stem } from "../stem.ts";

/** Gain of a file whose name has all words of the question, as a share of the best score. */
const WEIGHT = 1;

/** Fewer matching words than this share of the question are chance. */
const SMALLEST_SHARE = 0.1;

/** Shorter words are prefixes of too much: `con` of config, connection, console. */
const SHORTEST_PREFIX = 3;

/** A path that the question names is what it is about. */
const NAMED = 3;

export const pathWords: Boost = {
  name: "path-words",
  apply: (hits, { query }) => {
    if (query.kind === "symbol") return hits;
    const best = highest(hits);
    const words = [...new Set(query.plainWords.filter((word) => word.length > 2).map(stem))];
    return hits.map((hit) => {
      const named = query.paths.find((path) => isNamed(hit.facts.path, path));
      if (named !== undefined) return rescored(hit, hit.score + best * NAMED, "path-words", named);
      const matched = matchedWords(words, hit.facts);
      const share = matched.length / Math.max(1, words.length);
      if (share < SMALLEST_SHARE) return hit;
      return rescored(hit, hit.score + best * WEIGHT * share, "path-words", matched.join(", "));
    });
  },
};

/** `search/fuse.ts` names `server/search/fuse.ts`; `search/` names what lies in it. */
function isNamed(path: string, named: string): boolean {
  const plain = named.replaceAll("\\", "/").replace(/^\.{0,2}\//, "");
  if (plain.endsWith("/")) return `/${path}`.includes(`/${plain}`);
  const withoutExtension = path.replace(/\.[^./]+$/, "");
  return [path, withoutExtension].some((each) => each === plain || each.endsWith(`/${plain}`));
}

function matchedWords(words: readonly string[], { path }: ChunkFacts): string[] {
  const folder = path.split("/").at(-2) ?? "";
  const parts = [...partsOf(stemOf(path)), ...partsOf(folder)].map(stem);
  return words.filter((word) => parts.some((part) => isLike(word, part)));
}

function isLike(word: string, part: string): boolean {
  if (word === part) return true;
  const [short, long] = word.length < part.length ? [word, part] : [part, word];
  return short.length >= SHORTEST_PREFIX && long.startsWith(short);
}
