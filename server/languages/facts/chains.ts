/** Reduces expressions to chains: short texts of names and steps, which the graph uses to infer types. */

import { clip } from "./split-names.ts";

/**
 * A chain is a name, a literal (`"`, `0`), a type in brackets (`:Type;`) or `?`, followed by steps:
 * `.name`, `()` for a call, `[]` for an element, `#0` for a part of several values.
 */
export interface Chain {
  readonly chain: string;
  /** The offset of the last name in the given text, or -1. */
  readonly nameAt: number;
  /** The end of the chain; an operator or nothing follows. */
  readonly end: number;
}

const UNKNOWN = "?";

/** Longer expressions are not parsed: they are literals or programs. */
const MAX_LENGTH = 4_000;
const MAX_STEPS = 80;

/** A `?` or `!` before a member access: `pool?.open()`, `pool!!.open()`. */
const NAME = /[\p{L}_$@#][\p{L}\p{N}_$]*(?:'|[?!](?!!?(?:\.|->)))?/uy;
const MARKED_NAME = /[\p{L}_$@#][\p{L}\p{N}_$]*(?:[?!](?!=))?/uy;
/** A member access: `this.#pool?.open`. */
const PRIVATE_NAME = /#[\p{L}_$][\p{L}\p{N}_$]*/uy;
const PLAIN_NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
/**
 * The prefix of a string literal: `f"..."`, `rb'...'`. A name may end with a quotation mark that does not begin a string.
 */
const STRING_PREFIX = /[A-Za-z]{1,2}(?="|'[^\n]*')/y;
const SPACE = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\\\n)+/y;
/** Prefix keywords. `new(1)`, `ref(1)` and `move.to` are names in languages without these keywords. */
const PREFIX =
  /(?:(?:await|yield|try|co_await)\b(?:\s+from\b)?|(?:new|move|ref|mut)\b(?![(.,]|$)|&\s*(?:mut\b)?|\*+)\s*/y;
/** Member access operators; `&.` is Ruby. */
const MEMBER = /(?:&\.|\?\.|!{0,2}\.|\??->|::)(?![.=])/y;
const MAKES_TYPE = /^(?:(?:static|dynamic|const|reinterpret)_cast|make_(?:unique|shared))$/;
const NUMBER = /[0-9](?:\w|\.(?=[0-9]))*/y;
const OPENS = "([{";
const CLOSES = ")]}";

/** The common case: names separated by dots that do not begin with a prefix keyword. */
const PLAIN =
  /^(?!(?:yield|try|\w*await)\b)[A-Za-z_$][\w$]*(?:\.(?!await\b)[A-Za-z_$][\w$]*){0,9}$/;

/** Ruby names may end with `?` or `!`; in other languages these are operators. */
export function toChain(text: string, hasMarkedNames = false): Chain {
  if (PLAIN.test(text)) return { chain: text, nameAt: text.lastIndexOf(".") + 1, end: text.length };
  if (text.length > MAX_LENGTH) return lastName(text);
  return new Scanner(text, hasMarkedNames).scan();
}

/** The chain of an initializer; empty if an operator makes another value of it. */
export function chainOfValue(text: string, isIterable: boolean, hasMarkedNames = false): string {
  const { chain, end } = toChain(text, hasMarkedNames);
  const whole = isIterable ? `${chain}[]` : chain;
  if (end === text.length) return chain === UNKNOWN ? "" : whole;
  const rest = text.slice(end).trim();
  const cast = /^(?:as|satisfies)\s+(?!const\b)([\s\S]+)$/.exec(rest)?.[1];
  if (cast !== undefined) return `:${clip(cast)};`;
  if (rest !== "" && !/^(?:\|\||\?\?|or\b|if\b|\?|;)/.test(rest)) return "";
  if (rest.startsWith("?") && !rest.startsWith("??")) return "";
  return chain === UNKNOWN ? "" : whole;
}

/** The fallback for an expression that is too long: its last name. */
function lastName(text: string): Chain {
  const name = /[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(text.slice(-200))?.[0];
  if (name === undefined) return { chain: UNKNOWN, nameAt: -1, end: text.length };
  return { chain: `?.${name}`, nameAt: text.length - name.length, end: text.length };
}

class Scanner {
  readonly #text: string;
  readonly #hasMarkedNames: boolean;
  #at = 0;
  #nameAt = -1;
  #isMade = false;

  constructor(text: string, hasMarkedNames: boolean) {
    this.#text = text;
    this.#hasMarkedNames = hasMarkedNames;
  }

  scan(): Chain {
    this.#skip();
    for (let word = this.#match(PREFIX); word !== undefined; word = this.#match(PREFIX)) {
      this.#isMade ||= word.startsWith("new");
      this.#skip();
    }
    // A leading `::` refers to the global scope.
    if (this.#text.startsWith("::", this.#at)) this.#at += 2;
    let chain = this.#head();
    for (let steps = 0; chain !== undefined && steps < MAX_STEPS; steps++) {
      const type = this.#madeType() ?? this.#assertedType();
      const step = type ?? this.#step();
      if (step === undefined) break;
      chain = type ?? chain + step;
    }
    return { chain: chain ?? UNKNOWN, nameAt: this.#nameAt, end: this.#at };
  }

  #head(): string | undefined {
    const text = this.#text;
    const char = text[this.#at] ?? "";
    if (char === '"' || char === "'" || char === "`") {
      this.#at = afterString(text, this.#at);
      return '"';
    }
    if (/[0-9]/.test(char)) {
      this.#match(NUMBER);
      return "0";
    }
    if (char === "[" || char === "{") {
      this.#at = afterBrackets(text, this.#at);
      return char === "[" ? ":[];" : ":{};";
    }
    if (char === "(") return this.#inBrackets();
    if (this.#match(STRING_PREFIX) !== undefined) {
      this.#at = afterString(text, this.#at);
      return '"';
    }
    const start = this.#at;
    const name = this.#match(this.#hasMarkedNames ? MARKED_NAME : NAME);
    if (name === undefined) return undefined;
    this.#nameAt = start;
    return name;
  }

  /** `(x as Type)` has that type; `(x)` is x. */
  #inBrackets(): string {
    const start = this.#at;
    this.#at = afterBrackets(this.#text, start);
    const inner = this.#text.slice(start + 1, this.#at - 1);
    const cast = /^[\s\S]*\S\s+as\s+(?!const\b)([\w.$<>[\], |]+)$/.exec(inner)?.[1];
    if (cast !== undefined) return `:${cast.trim()};`;
    const javaCast = /^\s*\(([\w.$<>[\], ]+?)[*\s]*\)\s*[\w("']/.exec(inner)?.[1];
    if (javaCast !== undefined) return `:${javaCast.trim()};`;
    const { chain, end } = new Scanner(inner, this.#hasMarkedNames).scan();
    const rest = inner.slice(end).trim();
    return rest === "" ? chain : UNKNOWN;
  }

  /** `static_cast<T>(x)` and `std::make_unique<T>(x)` have type T. */
  #madeType(): string | undefined {
    const text = this.#text;
    const at = this.#at;
    if (text[at] !== "<" || this.#nameAt < 0 || !MAKES_TYPE.test(text.slice(this.#nameAt, at)))
      return undefined;
    const end = afterTypeArguments(text, at);
    if (end === undefined || text[end] !== "(") return undefined;
    this.#at = afterBrackets(text, end);
    return `:${text.slice(at + 1, end - 1).trim()};`;
  }

  /** Go's type assertion `x.(*T)` has type T. */
  #assertedType(): string | undefined {
    const text = this.#text;
    if (!text.startsWith(".(", this.#at)) return undefined;
    const end = afterBrackets(text, this.#at + 1);
    const type = text.slice(this.#at + 2, end - 1).trim();
    if (type === "type" || type === "") return undefined;
    this.#at = end;
    return `:${type};`;
  }

  #step(): string | undefined {
    const text = this.#text;
    const before = this.#at;
    this.#skip();
    const at = this.#at;
    const char = text[at] ?? "";
    MEMBER.lastIndex = at;
    const joined = MEMBER.exec(text)?.[0];
    if (joined !== undefined) return this.#member(at + joined.length);
    // `new Reader() { ... }` is an anonymous class, or an object with its fields set.
    if (char === "{" && this.#isMade) {
      this.#at = afterBrackets(text, at);
      return "";
    }
    if (char === "(") {
      this.#at = afterBrackets(text, at);
      return "()";
    }
    if (char === "[" && !text.slice(before, at).includes("\n")) {
      this.#at = afterBrackets(text, at);
      return "[]";
    }
    if (char === "<") {
      const end = afterTypeArguments(text, at);
      if (end !== undefined && text[end] === "(") {
        this.#at = afterBrackets(text, end);
        return "()";
      }
      // `Box<string>.Make()` and `Box<int>::make()` name a member of the type.
      if (end !== undefined && /^(?:\.|::)[\p{L}_]/u.test(text.slice(end, end + 3))) {
        this.#at = end;
        return "";
      }
    }
    if (char === "{" && before === at && /[\p{L}\p{N}_\])]/u.test(text[at - 1] ?? "")) {
      this.#at = afterBrackets(text, at);
      return "()";
    }
    if (char === "?" && (text[at + 1] ?? "") === ".") return undefined;
    if (char === "!" || char === "?") {
      // Rust's `?` and TypeScript's `!` unwrap the value.
      const next = text.slice(at + 1).trimStart()[0] ?? "";
      if (next === "" || next === "." || next === ";" || next === ")" || next === ",") {
        this.#at = at + 1;
        return char === "?" ? "!" : "";
      }
    }
    this.#at = before;
    return undefined;
  }

  #member(at: number): string | undefined {
    this.#at = at;
    this.#skip();
    const text = this.#text;
    const char = text[this.#at] ?? "";
    if (char === "(") {
      this.#at = afterBrackets(text, this.#at);
      return "()";
    }
    if (char === "[") {
      this.#at = afterBrackets(text, this.#at);
      return "[]";
    }
    if (char === "<") {
      const end = afterTypeArguments(text, this.#at);
      if (end === undefined) return undefined;
      this.#at = end;
      return this.#step() ?? "";
    }
    const start = this.#at;
    const name =
      this.#match(text[start] === "#" ? PRIVATE_NAME : this.#memberName()) ?? this.#match(NUMBER);
    if (name === undefined) return undefined;
    this.#nameAt = start;
    return name === "await" ? "" : `.${name}`;
  }

  #memberName(): RegExp {
    return this.#hasMarkedNames ? MARKED_NAME : PLAIN_NAME;
  }

  #skip(): void {
    this.#match(SPACE);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}

/** The offset after a string literal with escapes; triple quotes begin a multi-line string. */
function afterString(text: string, start: number): number {
  const quote = text[start] ?? '"';
  const long = quote.repeat(3);
  if (quote !== "`" && text.startsWith(long, start)) {
    const end = text.indexOf(long, start + 3);
    return end < 0 ? text.length : end + 3;
  }
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === quote) return at + 1;
  }
  return text.length;
}

const CODE = {
  quote: 34,
  apostrophe: 39,
  open: 40,
  close: 41,
  star: 42,
  slash: 47,
  openSquare: 91,
  closeSquare: 93,
  backtick: 96,
  openCurly: 123,
  closeCurly: 125,
} as const;

/** The offset after the matching closing bracket. */
function afterBrackets(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case CODE.open:
      case CODE.openSquare:
      case CODE.openCurly:
        depth++;
        break;
      case CODE.close:
      case CODE.closeSquare:
      case CODE.closeCurly:
        depth--;
        if (depth === 0) return at + 1;
        break;
      case CODE.quote:
      case CODE.backtick:
        at = afterString(text, at) - 1;
        break;
      case CODE.apostrophe:
        if (isQuote(text, at)) at = afterString(text, at) - 1;
        break;
      case CODE.slash: {
        const next = text.charCodeAt(at + 1);
        if (next !== CODE.slash && next !== CODE.star) break;
        const end = next === CODE.slash ? text.indexOf("\n", at) : text.indexOf("*/", at) + 1;
        if (end <= at) return text.length;
        at = end;
        break;
      }
      default:
    }
  }
  return text.length;
}

/** Whether a single quote begins a character literal and not a lifetime (`&'a T`): another one follows on its line. */
function isQuote(text: string, at: number): boolean {
  const lineEnd = text.indexOf("\n", at);
  const close = text.indexOf("'", at + 1);
  return close > 0 && (lineEnd < 0 || close < lineEnd);
}

/** The offset after type arguments `<A, B<C>>`; undefined for a comparison. */
function afterTypeArguments(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < Math.min(text.length, start + 400); at++) {
    const char = text[at] ?? "";
    if (char === "<") depth++;
    else if (char === ">" && text[at - 1] !== "=" && text[at - 1] !== "-") {
      depth--;
      if (depth === 0) return at + 1;
    } else if (!/[\w\s.,:&'[\]|(){}$?"=>*-]/.test(char)) return undefined;
  }
  return undefined;
}

/** Splits a list at its top-level commas. */
export function splitList(text: string, separator = ","): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    if (OPENS.includes(char) || char === "<") depth++;
    else if (CLOSES.includes(char)) depth--;
    else if (char === ">" && text[at - 1] !== "=" && text[at - 1] !== "-") depth--;
    else if (char === '"' || char === "`" || (char === "'" && isQuote(text, at)))
      at = afterString(text, at) - 1;
    else if (depth === 0 && char === separator) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
