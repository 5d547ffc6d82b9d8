/**
 * Evaluates names: searches for definitions that ctags finds and for words that occur once, drawn at random, and counts how
 * often their line is the first hit.
 *
 * usage: npm run evaluate-definitions -- FOLDER... --home DIR [--count N] [--seed N] [--language ID] [--once]
 *
 * Needs Universal Ctags. Of each folder N definitions (40) of one language are drawn, by default of the one with most; right is
 * a definition of that name, by path and line. --once draws words that occur once in the indexed files instead.
 */

import { resolve } from "node:path";
import type { Hit } from "../server/contracts/model.ts";
import type { Session } from "../server/contracts/session.ts";
import { createLanguages } from "../server/languages/languages.ts";
import { createRandom, shuffled } from "./evaluation/random.ts";
import { openSession } from "./evaluation/server.ts";
import { hasWitness, tagsOf } from "./languages/ctags.ts";
import { filesByLanguage, type SourceFile } from "./languages/source-files.ts";
import { scriptOptions, usageIn } from "./script-options.ts";

/** The names, each with the lines that are right, as `path:line` with lines from 1. */
type Names = ReadonlyMap<string, ReadonlySet<string>>;

const LIMIT = 10;
const languages = createLanguages();

async function main(): Promise<number> {
  const usage = usageIn(import.meta.filename);
  const { values, positionals: folders } = scriptOptions(usage, {
    allowPositionals: true,
    options: {
      home: { type: "string" },
      count: { type: "string", default: "40" },
      seed: { type: "string", default: "1" },
      language: { type: "string" },
      once: { type: "boolean", default: false },
    },
  });
  if (folders.length === 0 || values.home === undefined) {
    console.error(usage);
    return 2;
  }
  const session = openSession(resolve(values.home));
  const rows: Record<string, object> = {};
  for (const folder of folders) {
    const root = resolve(folder);
    await session.openFolders([root]);
    await session.whenIdle();
    const indexed = await indexedFiles(session, root);
    const [language, names] = values.once
      ? ["", wordsOnce(indexed)]
      : definedNames(indexed, values.language);
    const drawn = shuffled([...names], createRandom(Number(values.seed)));
    const row = await measure(session, folder, drawn.slice(0, Number(values.count)));
    rows[folder] = { ...(values.once ? {} : { language }), ...row };
  }
  await session.dispose();
  console.table(rows);
  return 0;
}

async function indexedFiles(session: Session, root: string): Promise<Map<string, SourceFile[]>> {
  const files = await filesByLanguage(languages, [root]);
  const excluded = await session.excluded(root, Number.MAX_SAFE_INTEGER);
  const paths = new Set(excluded.map(({ path }) => path));
  return new Map(
    [...files].map(([language, all]) => [language, all.filter(({ path }) => !paths.has(path))]),
  );
}

/** The names that are defined in the language with most definitions; right are definitions in any language. */
function definedNames(
  files: ReadonlyMap<string, readonly SourceFile[]>,
  wanted?: string,
): [string, Names] {
  const names = new Map<string, Map<string, Set<string>>>();
  const counts = new Map<string, number>();
  const places = new Map<string, Set<string>>();
  for (const [language, all] of files) {
    if (!hasWitness(language)) continue;
    const own = names.get(language) ?? new Map<string, Set<string>>();
    names.set(language, own);
    for (const { folder, path, text } of all) {
      const lines = text.split("\n");
      for (const { name, line } of tagsOf(resolve(folder, path), language) ?? []) {
        // ctags gives a module that is a file its first line, and makes up names after syntax that it does not know.
        if (!lines[line - 1]?.includes(name.split(":", 1)[0] || name)) continue;
        counts.set(language, (counts.get(language) ?? 0) + 1);
        const known = places.get(name) ?? new Set();
        places.set(name, known.add(`${path}:${line}`));
        own.set(name, known);
      }
    }
  }
  const [largest = ""] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  const language = wanted ?? largest;
  return [language, names.get(language) ?? new Map()];
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
