/** The names that ctags finds defined in the indexed files of a folder, for scripts. */

import { resolve } from "node:path";
import type { Session } from "../../server/contracts/session.ts";
import { createLanguages } from "../../server/languages/languages.ts";
import { hasWitness, tagsOf } from "../languages/ctags.ts";
import { filesByLanguage, type SourceFile } from "../languages/source-files.ts";

/** The names, each with the lines that are right, as `path:line` with lines from 1. */
export type Names = ReadonlyMap<string, ReadonlySet<string>>;

const languages = createLanguages();

export async function indexedFiles(
  session: Session,
  root: string,
): Promise<Map<string, SourceFile[]>> {
  const files = await filesByLanguage(languages, [root]);
  const excluded = await session.excluded(root, Number.MAX_SAFE_INTEGER);
  const paths = new Set(excluded.map(({ path }) => path));
  return new Map(
    [...files].map(([language, all]) => [language, all.filter(({ path }) => !paths.has(path))]),
  );
}

/** The names that are defined in the language with most definitions; right are definitions in any language. */
export function definedNames(
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
