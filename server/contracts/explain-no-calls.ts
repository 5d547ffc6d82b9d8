/** Explains why the graph has no answer: the code has no such call, or the graph does not support the language. */

import { dottedName, endsWithName } from "../common/dotted-name.ts";
import type { Hit, LanguageInfo } from "./model.ts";
import type { IndexStatus, Session } from "./session.ts";

/** The number of hits that are searched for the definition. An exact match ranks among the first. */
const MAX_HITS = 20;

export async function explainNoCalls(
  session: Pick<Session, "symbols" | "search" | "languages">,
  what: "callers" | "callees",
  name: string,
): Promise<string> {
  const none = `no call ${what === "callers" ? "of" : "in"} "${name}" was found`;
  const requested = dottedName(name);
  const found = await definitionsOf(session, requested);
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

/** Looks up definitions by name. The fallback is for names that a query splits into words, such as `cookie-store` of Clojure. */
async function definitionsOf(
  session: Pick<Session, "symbols" | "search">,
  requested: string,
): Promise<readonly DefinitionPlace[]> {
  const matching = (hits: readonly Hit[]) =>
    hits.flatMap(({ path, languageId, symbol }) =>
      symbol !== undefined && hasRequestedName(dottedName(symbol.name), requested)
        ? [{ languageId, place: `${path}:${symbol.nameLine + 1}` }]
        : [],
    );
  const found = matching(await session.symbols(requested, MAX_HITS));
  if (found.length > 0) return found;
  const { hits } = await session.search({
    query: requested,
    symbolName: requested,
    limit: MAX_HITS,
  });
  return matching(hits);
}

/** Whether a symbol has the requested name. Either may have additional qualifiers, such as a namespace. */
function hasRequestedName(own: string, requested: string): boolean {
  return endsWithName(own, requested) || (own.includes(".") && endsWithName(requested, own));
}

/** The language of a file if the graph does not read its imports. Undefined for other files and for unknown languages. */
export function languageWithoutImports(
  languages: readonly LanguageInfo[],
  path: string,
): string | undefined {
  const extension = /[^/.](\.\w+)$/.exec(path)?.[1]?.toLowerCase();
  const found = languages.find(({ files }) => files.includes(`*${extension}`));
  return found?.category === "implementation" && found.graph === "none" ? found.id : undefined;
}

/** The programming languages of the indexes that the graph does not support, with their number of files, most first. */
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
