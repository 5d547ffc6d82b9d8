/** Rust macros of the same file that define a function named by their argument. */

/** Longer macros are not analyzed. */
const MAX_MACRO_LENGTH = 20_000;

interface Made {
  readonly name: string;
  /** The type as written, or empty. */
  readonly type: string;
}

export class GeneratingMacros {
  readonly #text: string;
  /** The type of the functions that a macro defines; undefined if it defines none. */
  readonly #types = new Map<string, string | undefined>();

  /** `text` is the whole file. */
  constructor(text: string) {
    this.#text = text;
  }

  /** The function that `macro!(tokens)` defines; undefined if unknown. */
  functionOf(macro: string, tokens: string): Made | undefined {
    const type = this.#typeOf(macro);
    const name = type === undefined ? undefined : firstName(tokens);
    return name === undefined || type === undefined ? undefined : { name, type };
  }

  #typeOf(macro: string): string | undefined {
    if (!this.#types.has(macro)) this.#types.set(macro, this.#readType(macro));
    return this.#types.get(macro);
  }

  #readType(macro: string): string | undefined {
    const from = this.#text.indexOf(`macro_rules! ${macro} `);
    if (from < 0) return undefined;
    const [rules = ""] = this.#text.slice(from, from + MAX_MACRO_LENGTH).split(/\n[})]/, 1);
    const given = /\$(\w+)\s*:\s*ident\b/.exec(rules)?.[1];
    if (given === undefined) return undefined;
    const head = rules.indexOf(`fn $${given}`);
    if (head < 0 || /\w/.test(rules[head + `fn $${given}`.length] ?? "")) return undefined;
    const open = rules.indexOf("{", head);
    const signature = rules.slice(head, open < 0 ? undefined : open);
    const type = signature.slice(signature.lastIndexOf("->") + 2).split(/\bwhere\b/)[0] ?? "";
    return signature.includes("->") && !type.includes("$") ? type.trim() : "";
  }
}

/** The first argument of `(get, GET)`, after attributes and comments. */
function firstName(tokens: string): string | undefined {
  const plain = tokens.slice(1).replace(/^(?:\s|#\[[^\]]*\]|\/\/[^\n]*\n)+/, "");
  return /^([A-Za-z_]\w*)\s*(?:[,;)\]}]|=>)/.exec(plain)?.[1];
}
