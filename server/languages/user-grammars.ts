/** User grammars, from the settings: they override built-in grammars and add languages. */

import { getOrCreate } from "../common/get-or-create.ts";
import { baseNameOf } from "../common/relative-path.ts";
import type { UserGrammar } from "../contracts/model.ts";
import { type Grammar, load } from "./grammars.ts";
import { LANGUAGES, type Language } from "./table.ts";

export class UserGrammars {
  #key = "[]";
  #byLanguage: ReadonlyMap<string, UserGrammar> = new Map();
  readonly #loaded = new Map<string, Promise<Grammar>>();

  /** Replaces the previous user grammars. Does nothing if they are equal. */
  setUserGrammars(grammars: readonly UserGrammar[]): void {
    const key = JSON.stringify(grammars);
    if (key === this.#key) return;
    this.#key = key;
    this.#byLanguage = new Map(grammars.map((grammar) => [grammar.language, grammar]));
    this.#loaded.clear();
  }

  has(languageId: string): boolean {
    return this.#byLanguage.has(languageId);
  }

  /** The language of a file, by the extensions of user grammars. */
  detect(path: string): string | undefined {
    const name = baseNameOf(path).toLowerCase();
    for (const { language, extensions = [] } of this.#byLanguage.values()) {
      if (extensions.some((extension) => name.endsWith(`.${extension.toLowerCase()}`)))
        return language;
    }
    return undefined;
  }

  /** A built-in language with the user grammar, or a new one. */
  language(languageId: string): Language | undefined {
    const grammar = this.#byLanguage.get(languageId);
    if (grammar === undefined) return undefined;
    const known = LANGUAGES.get(languageId);
    return { ...(known ?? unknown(grammar)), hasGrammar: true };
  }

  /** Rejects if the grammar or its query is invalid; the load is not retried. */
  grammar(languageId: string): Promise<Grammar> | undefined {
    const grammar = this.#byLanguage.get(languageId);
    if (grammar === undefined) return undefined;
    const { wasm, symbols } = grammar;
    return getOrCreate(this.#loaded, languageId, () => load(wasm, { symbols }));
  }
}

function unknown({ language, extensions = [] }: UserGrammar): Language {
  return {
    id: language,
    aliases: [],
    extensions,
    fileNames: [],
    interpreters: [],
    hasGrammar: true,
    category: "implementation",
    separator: ".",
  };
}
