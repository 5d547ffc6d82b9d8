/** Finds calls, closures and variables in the arguments of Rust macros, which the grammar parses as plain tokens. */

import type { Item } from "./collect.ts";

/** Macros whose tokens are not Rust code of this program. */
const QUOTES: ReadonlySet<string> = new Set(["quote", "quote_spanned", "parse_quote", "stringify"]);
/** Longer token lists are data. */
const MAX_LENGTH = 200_000;
/** Limit of the text after `let x =`. */
const MAX_VALUE_LENGTH = 1_000;

const KEYWORD =
  /^(?:as|async|box|break|const|continue|dyn|else|enum|extern|fn|for|if|impl|in|let|loop|match|mod|move|mut|pub|ref|return|static|struct|trait|type|unsafe|use|where|while|yield)$/;
/** Attributes are short; without the limit, the search for their end takes quadratic time. */
const BLANK = /(?:\s+|\/\/[^\n]*|#!?\[[^\]\n]{0,300}\])+/y;
const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
const NUMBER = /[0-9]\w*(?:\.[0-9]\w*)?/y;
const STRING = /b?"(?:\\[\s\S]|[^"\\])*"/y;
const CHAR = /b?'(?:\\[^'\n]{1,10}|[^\\'\n])'/y;
const LIFETIME = /'\w+/y;
const RAW_STRING = /b?r(#{0,9})"/y;
const LET = /let\s+(?:mut\s+)?([a-z_]\w*)\s*(?::([^=;{}]{1,200}))?=(?!=)/y;
const FUNCTION = /fn\s+\w+/y;
const CLOSURE = /\|[^|{};]{0,300}\|/y;
const TYPE_ARGUMENTS = /<[^;{}()]{0,200}?>(?=\s*\()/y;
/** Tokens after which an expression, and therefore a closure, may begin. */
const BEFORE_EXPRESSION = new Set(["", "(", "[", "{", ",", ";", "=", ">", "keyword"]);

export function hasCode(macro: string): boolean {
  return !QUOTES.has(macro.slice(macro.lastIndexOf(":") + 1));
}

/** Items in source order. `isInFunction`: variables are local. */
export function itemsInTokens(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  isInFunction: boolean,
): Item[] {
  return end - start > MAX_LENGTH ? [] : new Tokens(text, { start, end }, isInFunction).read();
}

type MutableItem = { -readonly [Key in keyof Item]: Item[Key] };

/** An open bracket: the start of the enclosing expression, and the closures that end with it. */
interface Bracket {
  readonly start: number;
  readonly closures: MutableItem[];
}

class Tokens {
  readonly #text: string;
  readonly #end: number;
  readonly #items: MutableItem[] = [];
  readonly #brackets: Bracket[] = [];
  #isLocal: number;
  #at: number;
  /** The start of the current expression, or -1. */
  #start = -1;
  /** The range of the last name of the expression, while nothing follows it. */
  #name = -1;
  #nameEnd = -1;
  #before = "";

  constructor(text: string, { start, end }: { start: number; end: number }, isInFunction: boolean) {
    this.#text = text;
    this.#at = start;
    this.#end = end;
    this.#isLocal = isInFunction ? 1 : 0;
  }

  read(): Item[] {
    while (this.#at < this.#end && this.#step());
    for (const { closures } of this.#brackets) this.#close(closures);
    return this.#items;
  }

  /** Reads a token. False if the rest cannot be analyzed. */
  #step(): boolean {
    if (this.#match(BLANK) !== undefined) return true;
    const text = this.#text;
    const at = this.#at;
    if (text.startsWith("/*", at)) return this.#skipTo("*/");
    const raw = this.#match(RAW_STRING);
    if (raw !== undefined) {
      this.#literal(at);
      return this.#skipTo(`"${"#".repeat(raw.split("#").length - 1)}`);
    }
    if (this.#match(STRING) ?? this.#match(CHAR) ?? this.#match(NUMBER)) return this.#literal(at);
    if (text[at] === '"') return false;
    if (this.#match(LIFETIME) !== undefined) return true;
    const name = this.#match(NAME);
    if (name !== undefined) this.#word(name, at);
    else this.#punctuation(text[at] ?? "");
    return true;
  }

  #skipTo(close: string): boolean {
    const found = this.#text.indexOf(close, this.#at);
    this.#at = found + close.length;
    return found >= 0;
  }

  #literal(at: number): boolean {
    this.#start = at;
    this.#nameEnd = -1;
    this.#before = "literal";
    return true;
  }

  #word(name: string, at: number): void {
    const isMember = this.#before === "." || this.#before === "::";
    if (isMember && name === "await") return this.#follow("name", -1);
    if (!isMember && KEYWORD.test(name)) return this.#keyword(name, at);
    if (!isMember) this.#start = at;
    this.#name = at;
    this.#follow("name", this.#at);
  }

  #follow(before: string, nameEnd: number): void {
    this.#before = before;
    this.#nameEnd = nameEnd;
  }

  #keyword(name: string, at: number): void {
    this.#leave("keyword");
    const after = this.#at;
    this.#at = at;
    if (name === "fn" && this.#match(FUNCTION) !== undefined) return;
    if (name === "let" && this.#isLocal > 0 && this.#variable()) return;
    this.#at = after;
  }

  #variable(): boolean {
    LET.lastIndex = this.#at;
    const found = LET.exec(this.#text);
    const [whole, name = "", type] = found ?? [];
    if (whole === undefined) return false;
    const from = this.#at;
    this.#at += whole.length;
    const nameAt = from + whole.indexOf(name, "let".length);
    const typeAt = nameAt + whole.slice(nameAt - from).indexOf(":") + 1;
    this.#add("variable", from, this.#at, {
      name: { start: nameAt, end: nameAt + name.length },
      value: { start: this.#at, end: Math.min(this.#end, this.#at + MAX_VALUE_LENGTH) },
      ...(type === undefined ? {} : { type: { start: typeAt, end: typeAt + type.length } }),
    });
    return true;
  }

  #punctuation(char: string): void {
    this.#at++;
    if (char === "(" || char === "[" || char === "{") return this.#openBracket(char);
    if (char === ")" || char === "]" || char === "}") return this.#closeBracket(char);
    if (char === "." && this.#text[this.#at] !== ".") return this.#join(".");
    if (char === ":" && this.#text[this.#at] === ":") {
      this.#at++;
      // `parse::<u8>(`
      if (this.#nameEnd >= 0 && this.#match(TYPE_ARGUMENTS) !== undefined) return;
      return this.#join("::");
    }
    if (char === "?" && this.#start >= 0) return this.#follow("?", -1);
    if (char === "!" && this.#nameEnd >= 0 && "([{".includes(this.#text[this.#at] ?? " ")) {
      this.#call();
      return this.#leave("!");
    }
    if (char === "|" && BEFORE_EXPRESSION.has(this.#before)) return this.#closure();
    this.#leave(char);
  }

  #join(by: string): void {
    if (this.#start < 0) this.#start = this.#at - by.length;
    this.#follow(by, -1);
  }

  #leave(before: string): void {
    this.#start = -1;
    this.#follow(before, -1);
  }

  #openBracket(char: string): void {
    const isCall = char === "(" && this.#nameEnd >= 0;
    if (isCall) this.#call();
    const isGroup = char === "(" && this.#start < 0 && this.#before !== "!";
    const start = char === "{" ? -1 : this.#start;
    this.#brackets.push({ start: isGroup ? this.#at - 1 : start, closures: [] });
    this.#leave(char);
  }

  #closeBracket(char: string): void {
    const bracket = this.#brackets.pop();
    if (bracket !== undefined) this.#close(bracket.closures);
    this.#start = bracket?.start ?? -1;
    this.#follow(char, -1);
    if (char === "}") this.#leave(";");
  }

  #close(closures: readonly MutableItem[]): void {
    for (const closure of closures) {
      closure.end = this.#at;
      this.#isLocal--;
    }
  }

  #closure(): void {
    const from = this.#at - 1;
    this.#at = from;
    const params = this.#match(CLOSURE);
    this.#at = params === undefined ? from + 1 : this.#at;
    this.#leave("(");
    const enclosing = this.#brackets.at(-1);
    if (params === undefined || enclosing === undefined) return;
    enclosing.closures.push(
      this.#add("lambda", from, this.#end, { params: { start: from, end: this.#at } }),
    );
    this.#isLocal++;
  }

  #call(): void {
    if (this.#text.startsWith(".", this.#start) || this.#text.startsWith(":", this.#start)) return;
    this.#add("call", this.#name, this.#nameEnd, {
      callee: { start: this.#start, end: this.#nameEnd },
    });
  }

  #add(kind: Item["kind"], start: number, end: number, parts: Item["parts"]): MutableItem {
    const item = { kind, start, end, flags: 0, parts };
    this.#items.push(item);
    return item;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}
