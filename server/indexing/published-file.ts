/**
 * Compares the rows of a published file with the local file. Another program wrote them: a file is taken only if every text that an
 * answer would show is text of the local file, at the place where the rows say it is.
 */

import { isObject } from "../common/is-object.ts";
import { lineAt, lineStartsOf, withLineFeeds } from "../common/text.ts";
import type { Languages } from "../contracts/languages.ts";
import {
  type Chunk,
  type CodeSymbol,
  type CutFile,
  type Lines,
  SYMBOL_TYPES,
} from "../contracts/model.ts";
import { unpackFacts } from "../contracts/packed-facts.ts";
import type { PublishedFile } from "../contracts/published-file.ts";
import { areSoundFacts } from "../contracts/sound-facts.ts";
import { decodeUnknown } from "./discovery/decode.ts";
import { generatedTextRule } from "./discovery/generated-text.ts";
import { isNotebook } from "./notebooks/notebook.ts";
import type { PrepareOptions } from "./prepare.ts";
import { withoutSecrets } from "./secrets/redact.ts";
import { containsSecret } from "./secrets/secrets.ts";

/** In UTF-16 units: enough to detect the language and generated files, as when a file is cut. */
const HEAD_UNITS = 4096;
/** In UTF-16 units. Names are a few words; a message of the parser names a line. */
const MAX_NAME_LENGTH = 1_000;
/** A factor: float16 rounds the numbers of a vector of length 1. */
const MAX_LENGTH_ERROR = 0.02;

export type TakenFile =
  | { readonly kind: "taken"; readonly file: CutFile }
  /** Its rows are wrong: the reason, for the log. */
  | { readonly kind: "refused"; readonly reason: string }
  /** Its rows depend on more than its content, or it is excluded here. */
  | { readonly kind: "not comparable" };

type LocalFile = Pick<
  PrepareOptions,
  "path" | "sha256" | "size" | "mtimeMs" | "statFingerprint" | "maxFileBytes"
>;

/** Compares each row with the file of that hash. A file whose text depends on a declared or guessed encoding is not taken, nor is a notebook. */
export async function takePublished(
  bytes: Uint8Array,
  { maxFileBytes = Infinity, path, size, mtimeMs, statFingerprint }: LocalFile,
  published: PublishedFile,
  languages: Pick<Languages, "detect" | "category">,
): Promise<TakenFile> {
  const decoded = isNotebook(path) ? undefined : await decodeUnknown(bytes, () => "utf-8");
  const isPlain = decoded !== undefined && decoded.encoding === undefined;
  if (!isPlain || bytes.length > maxFileBytes) return { kind: "not comparable" };
  const text = withLineFeeds(decoded.text);
  const head = text.slice(0, HEAD_UNITS);
  const languageId = languages.detect(path, head);
  if (generatedTextRule(text, head, languageId) !== undefined) return { kind: "not comparable" };
  const category = languages.category(path, languageId);
  const reason =
    languageId === published.languageId && category === published.category
      ? problemOf(published, text)
      : "another language or category";
  if (reason !== undefined) return { kind: "refused", reason };
  const recognized = statFingerprint === undefined ? {} : { statFingerprint };
  return { kind: "taken", file: fileOf(published, { size, mtimeMs, ...recognized }) };
}

/** The prepared file of rows that were compared with the local one. The rows may have vectors that `found` lacks. */
export function fileOf<F extends Pick<CutFile, "size" | "mtimeMs" | "statFingerprint">>(
  { path, sha256, languageId, category, parse, secrets, chunks, facts }: PublishedFile,
  found: F,
): CutFile & F {
  const file = { path, sha256, languageId, category, parse, secrets, chunks, ...found };
  return facts.length === 0 ? file : { ...file, facts };
}

/** The first wrong part of the rows of a file with this text; undefined for sound rows. */
function problemOf(published: PublishedFile, text: string): string | undefined {
  const { chunks, parse, secrets, facts, vectors } = published;
  const file = new FileText(text);
  if (!Number.isSafeInteger(secrets) || secrets < 0) return "the number of secrets";
  if (!isMessage(parse.message)) return "the parse status";
  if (!areInOrder(chunks)) return "the order of its chunks";
  const wrong = chunks.find((chunk) => !file.hasChunk(chunk));
  if (wrong !== undefined) return `the chunk at byte ${wrong.span.start}`;
  if (withoutSecrets(text, chunks).length < chunks.length) return "a chunk with a secret";
  if (vectors !== undefined && !areVectors(vectors, chunks.length)) return "its vectors";
  if (facts.length === 0) return undefined;
  const encoded = unpackFacts(facts);
  if (!areSoundFacts(encoded, file)) return "its facts";
  return secrets > 0 && containsSecret(encoded) ? "facts with a secret" : undefined;
}

const CONTROL = /\p{Cc}/u;

function isMessage(message: string | undefined): boolean {
  return message === undefined || (message.length <= MAX_NAME_LENGTH && !CONTROL.test(message));
}

/** By their beginning, each with bytes, and none twice: the span is a part of the key. */
function areInOrder(chunks: readonly Chunk[]): boolean {
  return chunks.every(({ span: { start, end } }, i) => {
    const before = chunks[i - 1]?.span;
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || end <= start) return false;
    return (
      before === undefined || before.start < start || (before.start === start && before.end < end)
    );
  });
}

/** One vector per chunk. A longer vector would come before all others. */
function areVectors(vectors: Float32Array, chunks: number): boolean {
  const dimension = chunks === 0 ? 0 : vectors.length / chunks;
  if (!Number.isInteger(dimension)) return false;
  for (let at = 0; at < vectors.length; at += dimension) {
    let square = 0;
    for (let i = at; i < at + dimension; i++) square += (vectors[i] ?? 0) ** 2;
    if (!(Math.abs(Math.sqrt(square) - 1) <= MAX_LENGTH_ERROR)) return false;
  }
  return true;
}

const WORDS = /[\p{L}\p{N}_$]+/gu;
/**
 * Words that rows have and files need not: numbers of results, the name of a default export, a parameter without a label,
 * the type of Ruby that all others extend, the base class of C# and PHP, a companion object of Kotlin, what `use` of Elixir
 * calls, an item of a list in YAML without a name, and the keys of manifests.
 */
const ADDED_WORDS =
  /^(?:\d{1,3}|default|_|Object|super|Companion|__using__|item|usings|kind|wildcard|module|names|replace|libName)$/;
const BLOCK_TYPE = /^[\p{L}\p{N}_.:-]{1,100}$/u;

/** The text of a file with its bytes, lines and words. */
class FileText {
  readonly lines: number;
  readonly #text: string;
  readonly #bytes: Buffer;
  /** The first byte of each line. */
  readonly #starts: readonly number[];
  readonly #words: ReadonlySet<string>;

  constructor(text: string) {
    this.#text = text;
    this.#bytes = Buffer.from(text);
    const isAscii = this.#bytes.length === text.length;
    this.#starts = lineStartsOf(isAscii ? text : this.#bytes.toString("latin1"));
    this.lines = this.#starts.length;
    this.#words = new Set(text.match(WORDS));
  }

  /** Whether the file has every word of a text, or the beginning of one that was cut. */
  isText(text: string): boolean {
    if (CONTROL.test(text.replaceAll("\n", ""))) return false;
    for (const [word] of text.matchAll(WORDS))
      if (!this.#hasWord(word) && !ADDED_WORDS.test(word) && !this.#isRequired(word)) return false;
    return true;
  }

  #hasWord(word: string): boolean {
    return this.#words.has(word) || this.#text.includes(word);
  }

  /** The name of a module that is used in the call that requires it, see `requiredName`. */
  #isRequired(word: string): boolean {
    return word.startsWith("require_") && word.split("_").every((part) => this.#hasWord(part));
  }

  hasChunk({ span, text, lines, context, symbols, blockType, hierarchy }: Chunk): boolean {
    return (
      span.end <= this.#bytes.length &&
      this.#bytes.toString("utf8", span.start, span.end) === text &&
      lines.start === lineAt(this.#starts, span.start) &&
      lines.end === lineAt(this.#starts, span.end - 1) &&
      this.#hasLines(context) &&
      (blockType === undefined || BLOCK_TYPE.test(blockType)) &&
      (hierarchy === undefined || this.#isName(hierarchy)) &&
      Array.isArray(symbols) &&
      symbols.every((symbol) => isObject(symbol as unknown) && this.#hasSymbol(symbol))
    );
  }

  /** Symbols are stored as JSON, so that each part may be anything. */
  #hasSymbol({ name, type, signature, lines, nameLine }: CodeSymbol): boolean {
    return (
      isObject(lines) &&
      SYMBOL_TYPES.includes(type) &&
      this.#isName(name) &&
      this.#isName(signature) &&
      this.#hasLines(lines) &&
      Number.isSafeInteger(nameLine) &&
      lines.start <= nameLine &&
      nameLine <= lines.end
    );
  }

  #isName(text: unknown): boolean {
    return (
      typeof text === "string" &&
      text.length <= MAX_NAME_LENGTH &&
      !text.includes("\n") &&
      this.isText(text)
    );
  }

  #hasLines({ start, end }: Lines): boolean {
    const isLine = (line: number) => Number.isSafeInteger(line) && line >= 0 && line < this.lines;
    return isLine(start) && isLine(end) && start <= end;
  }
}
