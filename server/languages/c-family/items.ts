/**
 * Splits a C or C++ file into the token lists of its declarations outside functions, without the grammar, which macros
 * mislead.
 */

import { isOldStyle } from "./old-style.ts";
import { assignmentOf, isCallable, type Part, TYPE_WORDS } from "./parts.ts";
import { isWord, type Token, TokenReader } from "./tokens.ts";

export interface TopLevelItem {
  /** Without the final `;` or function body. */
  readonly parts: readonly Part[];
  /** The token after the parts. */
  readonly ending: "body" | "semicolon" | "label";
  readonly end: number;
  /** Whether the declaration is in a class. */
  readonly isMember: boolean;
}

interface Block {
  /** `open` contains declarations; `value` ends with the declaration; `body` ends it. */
  readonly kind: "open" | "class" | "value" | "body";
  /** The parts before the bracket. */
  readonly head: readonly Part[];
  readonly start: number;
  readonly isAtMargin: boolean;
}

/** The state that `#else` and `#elif` restore. */
interface Condition {
  readonly before: readonly Block[];
  afterFirst: readonly Block[] | undefined;
}

/** Longer declarations are data. */
const MAX_PARTS = 300;
/** Depth limit for untrusted files. */
const MAX_DEPTH = 200;

const ACCESS = /^(?:public|private|protected|signals|Q_SIGNALS|slots|Q_SLOTS)$/;

/** Calls `visit` for each declaration. */
export function eachItem(text: string, isCpp: boolean, take: (item: TopLevelItem) => void): void {
  new ItemReader(text, isCpp, take).run();
}

class ItemReader {
  readonly #text: string;
  readonly #isCpp: boolean;
  readonly #take: (item: TopLevelItem) => void;
  readonly #conditions: Condition[] = [];
  #blocks: Block[] = [];
  #parts: Part[] = [];
  /** Open brackets. */
  #brackets: Token[] = [];
  /** Whether a part of the declaration is in a branch of conditional compilation. */
  #isSplit = false;

  constructor(text: string, isCpp: boolean, take: (item: TopLevelItem) => void) {
    this.#text = text;
    this.#isCpp = isCpp;
    this.#take = take;
  }

  run(): void {
    const tokens = new TokenReader(this.#text);
    for (;;) {
      const kind = this.#blocks.at(-1)?.kind;
      const isInBody = kind === "body" || kind === "value";
      const token = tokens.next(isInBody);
      if (token === undefined || this.#blocks.length > MAX_DEPTH) return;
      if (/^[ \t]*#/.test(token.text)) this.#condition(token.text);
      else if (token.text === "{") this.#open(token);
      else if (token.text === "}") this.#close(token);
      else if (!isInBody) this.#addPart(token);
    }
  }

  #condition(directive: string): void {
    const word = /^[ \t]*#[ \t]*(if|elif|else|endif)/.exec(directive)?.[1];
    if (word === undefined) return;
    if (this.#parts.length > 0) this.#isSplit = true;
    if (word === "if") {
      this.#conditions.push({ before: [...this.#blocks], afterFirst: undefined });
      return;
    }
    const condition = word === "endif" ? this.#conditions.pop() : this.#conditions.at(-1);
    if (condition === undefined) return;
    if (word === "endif") {
      this.#blocks = [...(condition.afterFirst ?? this.#blocks)];
      return;
    }
    condition.afterFirst ??= [...this.#blocks];
    this.#blocks = [...condition.before];
  }

  #addPart(token: Token): void {
    const { text } = token;
    if (text === "(" || text === "[") {
      this.#brackets.push(token);
      return;
    }
    if (text === ")" || text === "]") {
      const opening = this.#brackets.pop();
      if (opening === undefined || this.#brackets.length > 0) return;
      const kind = opening.text === "(" ? "group" : "index";
      this.#push({ kind, start: opening.start, end: token.end, text: opening.text });
      return;
    }
    if (this.#isInTemplate(token) || this.#brackets.length > 0) return;
    const isEnd = text === ";" && (this.#isCpp || !isOldStyle(this.#parts, this.#text));
    if (isEnd) this.#finish("semicolon", token.end);
    else if (text === ":" && this.#parts.slice(-2).some((part) => ACCESS.test(part.text)))
      this.#finish("label", token.end);
    else this.#push({ ...token, kind: isWord(token) ? "word" : "sign" });
  }

  /** Skips `template <class T = Pool>`; the declaration begins after it. */
  #isInTemplate(token: Token): boolean {
    const isIn = this.#brackets.at(-1)?.text === "<";
    const opens = token.text === "<" && (isIn || this.#parts.at(-1)?.text === "template");
    if (opens) this.#brackets.push(token);
    if (!isIn || token.text !== ">") return opens;
    this.#brackets.pop();
    if (this.#brackets.length === 0) this.#reset();
    return true;
  }

  #push(part: Part): void {
    if (this.#parts.length < MAX_PARTS) this.#parts.push(part);
  }

  #open(token: Token): void {
    const { start } = token;
    const isAtMargin = !/[ \t]/.test(
      this.#text.charAt(this.#text.lastIndexOf("\n", start - 1) + 1),
    );
    const enclosing = this.#blocks.at(-1)?.kind;
    const isInBody = enclosing === "body" || enclosing === "value";
    // Open brackets belong to another branch.
    if (!isInBody && this.#brackets.length > 0 && !isAtMargin) {
      this.#brackets.push(token);
      return;
    }
    const kind = isInBody ? enclosing : this.#kindOfBlock();
    if (kind === "body" && !isInBody) this.#finish("body", start);
    this.#blocks.push({ kind, head: this.#parts, start, isAtMargin });
    this.#reset();
  }

  #close(token: Token): void {
    if (this.#brackets.at(-1)?.text === "{") {
      this.#brackets.pop();
      return;
    }
    let block = this.#blocks.pop();
    // A closing brace in the first column closes the block that began there; an inner brace was lost.
    const isAtMargin = token.start === 0 || this.#text[token.start - 1] === "\n";
    while (isAtMargin && block !== undefined && !block.isAtMargin && !isOpen(block)) {
      if (this.#blocks.at(-1) === undefined) break;
      block = this.#blocks.pop();
    }
    this.#reset();
    if (block === undefined || block.kind === "open" || block.kind === "body") return;
    const enclosing = this.#blocks.at(-1);
    if (enclosing?.kind === "value") return;
    this.#parts = [...block.head];
    this.#push({ kind: "block", text: "{", start: block.start, end: token.end });
  }

  #kindOfBlock(): Block["kind"] {
    const parts = this.#parts;
    const [first, second] = parts;
    const isNamespace = parts.slice(0, 2).some(({ text }) => text === "namespace");
    if (isNamespace || (first?.text === "extern" && second?.text.startsWith('"') === true))
      return "open";
    if (assignmentOf(parts) >= 0) return "value";
    const isCalled = parts.some((part, i) => part.kind === "group" && isCallable(parts[i - 1]));
    if (isCalled) return this.#isInitializer() ? "value" : "body";
    const type = parts.findIndex(({ text }) => TYPE_WORDS.has(text));
    if (type < 0) return parts.length > 1 && parts.at(-1)?.kind === "word" ? "value" : "body";
    return this.#isCpp && parts[type]?.text !== "enum" ? "class" : "value";
  }

  /** `Pool() : size_{1} {` */
  #isInitializer(): boolean {
    const parts = this.#parts;
    return this.#isCpp && parts.at(-1)?.kind === "word" && parts.some(({ text }) => text === ":");
  }

  #finish(ending: TopLevelItem["ending"], end: number): void {
    const isMember = this.#blocks.at(-1)?.kind === "class";
    if (this.#parts.length > 0 && !this.#isSplit)
      this.#take({ parts: this.#parts, ending, end, isMember });
    this.#reset();
  }

  #reset(): void {
    this.#parts = [];
    this.#brackets = [];
    this.#isSplit = false;
  }
}

function isOpen({ kind }: Block): boolean {
  return kind === "open" || kind === "class";
}
