/** Why the graph has no answer: a reader must be able to tell "nobody uses it" from "nobody has looked". */

import { dottedName, endsWithName } from "../common/dotted-name.ts";
import type { Hit, LanguageInfo } from "./model.ts";
import type { IndexStatus, Session } from "./session.ts";

/** Definitions that are looked through for the name: an exact one is among the first. */
const MAX_HITS = 20;

export async function explainNoCalls(
  session: Pick<Session, "symbols" | "search" | "languages">,
  what: "callers" | "callees",
  name: string,
): Promise<string> {
  const none = `no call ${what === "callers" ? "of" : "in"} "${name}" was found`;
  const asked = dottedName(name);
  const found = await definitionsOf(session, asked);
  const [first] = found;
  if (first === undefined) return `${none}, and no definition of it`;
  const graphs = graphsOf(await session.languages());
  const read = found.find(({ languageId }) => graphs.get(languageId) === "calls");
  if (read !== undefined) return `${none}; it is defined at ${read.place}`;
  return `calls are not read in ${first.languageId}, where "${name}" is defined (${first.place}); search finds where it is named`;
}

interface DefinitionPlace {
  readonly languageId: string;
  readonly place: string;
}

/** Looked up by name; where the question is read as words, as `cookie-store` of Clojure may be, among all that is named so. */
async function definitionsOf(
  session: Pick<Session, "symbols" | "search">,
  asked: string,
): Promise<readonly DefinitionPlace[]> {
  const meant = (hits: readonly Hit[]) =>
    hits.flatMap(({ path, languageId, symbol }) =>
      symbol !== undefined && isMeant(dottedName(symbol.name), asked)
        ? [{ languageId, place: `${path}:${symbol.nameLine + 1}` }]
        : [],
    );
  const found = meant(await session.symbols(asked, MAX_HITS));
  if (found.length > 0) return found;
  const { hits } = await session.search({ query: asked, symbolName: asked, limit: MAX_HITS });
  return meant(hits);
}

/** A name may be longer than what a definition is called in its file: by a namespace. */
function isMeant(own: string, asked: string): boolean {
  return endsWithName(own, asked) || (own.includes(".") && endsWithName(asked, own));
}

/** Undefined for a file whose imports are read, and for one of no known language. */
export function languageWithoutImports(
  languages: readonly LanguageInfo[],
  path: string,
): string | undefined {
  const extension = /[^/.](\.\w+)$/.exec(path)?.[1]?.toLowerCase();
  const found = languages.find(({ files }) => files.includes(`*${extension}`));
  return found?.category === "implementation" && found.graph === "none" ? found.id : undefined;
}

/** Programming languages of an index of which nothing is in the graph, with their files, most first. */
export function languagesWithoutImports(
  languages: readonly LanguageInfo[],
  indexes: readonly Pick<IndexStatus, "parse">[],
): { readonly id: string; readonly files: number }[] {
  const graphs = graphsOf(languages.filter(({ category }) => category === "implementation"));
  return indexes
    .flatMap(({ parse }) => parse)
    .filter(({ languageId }) => graphs.get(languageId) === "none")
    .map(({ languageId, ok, partial, error, noGrammar }) => ({
      id: languageId,
      files: ok + partial + error + noGrammar,
    }))
    .toSorted((a, b) => b.files - a.files);
}

function graphsOf(languages: readonly LanguageInfo[]): Map<string, LanguageInfo["graph"]> {
  return new Map(languages.map(({ id, graph }) => [id, graph]));
}
