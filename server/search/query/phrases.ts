/** Looks for the quoted phrases of a query in the text of what was found. */

import type { Lines } from "../../contracts/model.ts";
import type { ReadLines } from "../context.ts";
import type { PhraseMatch, Ranked } from "../ranking.ts";
import type { Query } from "./query.ts";

/** One word is a word with or without quotes. */
const PHRASE = /\S\s+\S/;

/** What it is looked for in, and how. */
export interface Looking {
  readonly root: string;
  readonly readLines: ReadLines;
  /** Awaited before each chunk: more than a hundred files are read. */
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
  const known = new Map<string, readonly string[]>();
  const matches = new Map<number, PhraseMatch>();
  for (const { chunk, facts } of hits) {
    await pause();
    const { path, lines } = facts;
    const key = `${lines.start} ${lines.end} ${path}`;
    const found = known.get(key) ?? (await foundIn(path, lines));
    known.set(key, found);
    if (found.length > 0)
      matches.set(chunk, { share: shareOf(found, query), text: found.join(", ") });
  }
  return matches;
}

function shareOf(found: readonly string[], query: string): number {
  const length = found.reduce((sum, text) => sum + text.length, 0);
  return Math.min(1, length / plain(query.replaceAll('"', "")).length);
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, " ").trim();
}
