/**
 * Evaluates names: searches for definitions that ctags finds and for words that occur once, drawn at random, and counts how
 * often their line is the first hit.
 *
 * usage: npm run evaluate-definitions -- FOLDER... --home DIR [--count N] [--seed N] [--language ID] [--once]
 *
 * Needs Universal Ctags. Of each folder N definitions (40) of one language are drawn, by default of the one with most; right is
 * a definition of that name, by path and line. --once draws words that occur once in the indexed files instead.
 */

import type { Hit } from "../server/contracts/model.ts";
import type { Session } from "../server/contracts/session.ts";
import { definedNames, type Names } from "./evaluation/defined-names.ts";
import { evaluateFolders } from "./evaluation/evaluate-folders.ts";
import type { SourceFile } from "./languages/source-files.ts";
import { usageIn } from "./script-options.ts";

const LIMIT = 10;

async function main(): Promise<number> {
  return await evaluateFolders(usageIn(import.meta.filename), 40, async (run) => {
    const { session, folder, files } = run;
    if (run.once) return await measure(session, folder, run.draw(wordsOnce(files)));
    const [language, names] = definedNames(files, run.language);
    return { language, ...(await measure(session, folder, run.draw(names))) };
  });
}

const WORD = /(?<![\w$-])[A-Za-z_]\w{8,49}(?![\w$-])/g;
/** camelCase or snake_case. */
const HAS_PARTS = /[a-z][A-Z]|[a-zA-Z0-9]_[a-zA-Z]/;

function wordsOnce(files: ReadonlyMap<string, readonly SourceFile[]>): Names {
  const places = new Map<string, Set<string> | undefined>();
  for (const { path, text } of [...files.values()].flat()) {
    for (const [i, line] of text.split("\n").entries()) {
      for (const [word] of line.matchAll(WORD)) {
        const isKnown = !HAS_PARTS.test(word) || places.has(word);
        places.set(word, isKnown ? undefined : new Set([`${path}:${i + 1}`]));
      }
    }
  }
  return new Map([...places].flatMap(([word, at]) => (at === undefined ? [] : [[word, at]])));
}

async function measure(
  session: Session,
  folder: string,
  names: readonly (readonly [string, ReadonlySet<string>])[],
): Promise<{ drawn: number; "line first": number; "not in ten": number }> {
  let first = 0;
  let absent = 0;
  for (const [name, right] of names) {
    const { hits } = await session.search({ query: name, limit: LIMIT });
    const found = hits.map(placeOf).findIndex((place) => right.has(place));
    if (found < 0) absent++;
    if (found === 0) first++;
    else {
      const shown = hits.slice(0, 1).map(placeOf).join("") || "nothing";
      console.error(
        `${folder}: ${name} (${[...right].slice(0, 3).join(" ")}): ${shown}, place ${found + 1}`,
      );
    }
  }
  return { drawn: names.length, "line first": first, "not in ten": absent };
}

function placeOf({ path, bestLine }: Hit): string {
  return `${path}:${(bestLine?.line ?? -1) + 1}`;
}

process.exitCode = await main();
