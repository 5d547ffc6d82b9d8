/** Looks for the quoted phrases of a query in the text of what was found. */

import { inBatches } from "../../common/slices.ts";
import type { Lines } from "../../contracts/model.ts";
import type { ReadLines } from "../context.ts";
import type { PhraseMatch, Ranked } from "../ranking.ts";
import type { Query } from "./query.ts";

/** One word is a word with or without quotes. */
const PHRASE = /\S\s+\S/;

/** Half a millisecond each while nothing of them is known; elsewhere than on a local disk, they are waited for together. */
const FILES_AT_ONCE = 16;

/** What it is looked for in, and how. */
export interface Looking {
  readonly root: string;
  readonly readLines: ReadLines;
  /** Awaited before some of them: more than a hundred files are read. */
  pause(): Promise<void>;
}

/** The chunks that say at least one of the phrases, ignoring case and the white space between the words. */
export async function findPhrases(
  { quoted, text: query }: Query,
  hits: readonly Ranked[],
  { root, readLines, pause }: Looking,
): Promise<ReadonlyMap<number, PhraseMatch>> {
  const wanted = quoted.map(plain).filter((text) => PHRASE.test(text));
  if (wanted.length === 0) return new Map();
  const foundIn = async (path: string, of: Lines) => {
    const text = plain((await readLines(root, path, of))?.join("\n") ?? "");
    return wanted.filter((each) => text.includes(each));
  };
  // A line of a megabyte is hundreds of chunks: it is looked through once.
  const known = new Map<string, Promise<readonly string[]>>();
  const matches = await inBatches(hits, FILES_AT_ONCE, pause, async ({ chunk, facts }) => {
    const { path, lines } = facts;
    const key = `${lines.start} ${lines.end} ${path}`;
    const finding = known.get(key) ?? foundIn(path, lines);
    known.set(key, finding);
    return { chunk, found: await finding };
  });
  return new Map(
    matches.flatMap(({ chunk, found }): [number, PhraseMatch][] =>
      found.length === 0 ? [] : [[chunk, { share: shareOf(found, query), text: found.join(", ") }]],
    ),
  );
}

function shareOf(found: readonly string[], query: string): number {
  const length = found.reduce((sum, text) => sum + text.length, 0);
  return Math.min(1, length / plain(query.replaceAll('"', "")).length);
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, " ").trim();
}
