/** The support of each language, for `cocosearch-lsp languages`. */

import type { LanguageInfo, UserGrammar } from "../contracts/model.ts";
import { familyOf } from "./facts/families.ts";
import { readsImports } from "./facts/text-facts.ts";
import { readGrammars } from "./grammar-files.ts";
import { patternsOf } from "./patterns.ts";
import { cutOf } from "./sections/sections.ts";
import { LANGUAGES, type Language } from "./table.ts";

/** Sorted by id. Includes languages that only user grammars add. */
export function overview(own: readonly UserGrammar[]): LanguageInfo[] {
  const manifest = readGrammars();
  const added = own.filter(({ language }) => !LANGUAGES.has(language));
  const known = [...LANGUAGES.values()].map((language): LanguageInfo => {
    const mine = own.find((grammar) => grammar.language === language.id);
    const record = manifest[language.id];
    const grammar = mine?.wasm ?? (record && `${record.package}@${record.version}`);
    return {
      id: language.id,
      aliases: language.aliases,
      files: [...language.fileNames, ...language.extensions.map((extension) => `*.${extension}`)],
      category: language.category,
      ...(grammar === undefined ? {} : { grammar }),
      symbols: symbolsOf(language, mine),
      graph: graphOf(language.id, mine),
    };
  });
  return [...known, ...added.map(infoOf)].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function symbolsOf({ id, hasGrammar }: Language, own?: UserGrammar): LanguageInfo["symbols"] {
  if (own === undefined ? hasGrammar : own.symbols !== undefined) return "query";
  if (cutOf(id) !== undefined) return "sections";
  return patternsOf(id).length > 0 ? "patterns" : "none";
}

/** A user grammar has no query for calls. */
function graphOf(languageId: string, own?: UserGrammar): LanguageInfo["graph"] {
  if (own === undefined && familyOf(languageId) !== undefined) return "calls";
  return readsImports(languageId) ? "imports" : "none";
}

function infoOf({ language, wasm, symbols, extensions = [] }: UserGrammar): LanguageInfo {
  return {
    id: language,
    aliases: [],
    files: extensions.map((extension) => `*.${extension}`),
    category: "implementation",
    grammar: wasm,
    symbols: symbols === undefined ? "none" : "query",
    graph: "none",
  };
}
