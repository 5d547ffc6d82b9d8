/** Grammars that the user brings along: they come before ours, for languages that we know and for new ones. */

import { baseNameOf } from "../common/relative-path.ts";
import type { UserGrammar } from "../contracts/model.ts";
import { type Grammar, load } from "./grammars.ts";
import { LANGUAGES, type Language } from "./table.ts";

export class OwnGrammars {
  #key = "[]";
  #byLanguage: ReadonlyMap<string, UserGrammar> = new Map();
  readonly #loaded = new Map<string, Promise<Grammar>>();

  /** Replaces those before; the same ones again change nothing. */
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

  /** The language of a file by an extension that a grammar names. */
  detect(path: string): string | undefined {
    const name = baseNameOf(path).toLowerCase();
    for (const { language, extensions = [] } of this.#byLanguage.values()) {
      if (extensions.some((extension) => name.endsWith(`.${extension.toLowerCase()}`)))
        return language;
    }
    return undefined;
  }

  /** Ours with the grammar, or a new one. */
  language(languageId: string): Language | undefined {
    const grammar = this.#byLanguage.get(languageId);
    if (grammar === undefined) return undefined;
    const known = LANGUAGES.get(languageId);
    return { ...(known ?? unknown(grammar)), hasGrammar: true };
  }

  /** Rejects when the file or the query is not what it should be; that is not tried again. */
  grammar(languageId: string): Promise<Grammar> | undefined {
    const grammar = this.#byLanguage.get(languageId);
    if (grammar === undefined) return undefined;
    let loading = this.#loaded.get(languageId);
    if (loading === undefined) {
      loading = load(grammar.wasm, { symbols: grammar.symbols });
      this.#loaded.set(languageId, loading);
    }
    return loading;
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
