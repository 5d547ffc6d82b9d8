/**
 * Compares the rows of a published file with the local file. Another program wrote them: a file is taken only if every text that an
 * answer would show is text of the local file, at the place where the rows say it is.
 */

import { createHash } from "node:crypto";
import { isObject } from "../common/is-object.ts";
import { lineAt, lineStartsOf, withLineFeeds } from "../common/text.ts";
import type { FileTerms } from "../contracts/file-terms.ts";
import type { Languages } from "../contracts/languages.ts";
import {
  type ByteSpan,
  type Chunk,
  type CodeSymbol,
  type Lines,
  type PreparedFile,
  SYMBOL_TYPES,
} from "../contracts/model.ts";
import { unpackFacts } from "../contracts/packed-facts.ts";
import { unpackTerms } from "../contracts/packed-terms.ts";
import {
  type FoundFile,
  type PublishedFile,
  type TakeResult,
  TEXT_HASH_LENGTH,
} from "../contracts/published-file.ts";
import { areSoundFacts } from "../contracts/sound-facts.ts";
import { decodeUnknown } from "./discovery/decode.ts";
import { generatedTextRule } from "./discovery/generated-text.ts";
import { isNotebook } from "./notebooks/notebook.ts";
import { chunksOf } from "./published-chunks.ts";
import { withoutSecrets } from "./secrets/redact.ts";
import { containsSecret } from "./secrets/secrets.ts";

/** In UTF-16 units: enough to detect the language and generated files, as when a file is cut. */
const HEAD_UNITS = 4096;
/** In UTF-16 units. Names are a few words; a message of the parser names a line. */
const MAX_NAME_LENGTH = 1_000;
/** A factor: float16 rounds the numbers of a vector of length 1. */
const MAX_LENGTH_ERROR = 0.02;

type TakenFile =
  | {
      readonly kind: "taken";
      readonly chunks: readonly Chunk[];
      /** Undefined if they are to be counted here. */
      readonly terms: FileTerms | undefined;
    }
  | Exclude<TakeResult, { readonly kind: "taken" }>;

type Compared = Omit<PublishedFile, "vectors">;

/**
 * Compares each row with the bytes of the file, which have the hash of the rows. A file whose text depends on a declared or
 * guessed encoding is not taken, nor is a notebook.
 */
export async function takePublished(
  bytes: Uint8Array,
  published: Compared,
  languages: Pick<Languages, "detect" | "category">,
  maxFileBytes = Infinity,
): Promise<TakenFile> {
  const { path } = published;
  const decoded = isNotebook(path) ? undefined : await decodeUnknown(bytes, () => "utf-8");
  const isPlain = decoded !== undefined && decoded.encoding === undefined;
  if (!isPlain || bytes.length > maxFileBytes) return { kind: "not comparable" };
  const text = withLineFeeds(decoded.text);
  const head = text.slice(0, HEAD_UNITS);
  const languageId = languages.detect(path, head);
  if (generatedTextRule(text, head, languageId) !== undefined) return { kind: "not comparable" };
  if (
    languageId !== published.languageId ||
    languages.category(path, languageId) !== published.category
  )
    return { kind: "refused", reason: "another language or category" };
  const file = new FileText(text);
  const chunks = readChunks(published, file);
  if (chunks === undefined)
    return { kind: "refused", reason: "the form or the texts of its chunks" };
  const reason = problemOf(published, chunks, file);
  if (reason !== undefined) return { kind: "refused", reason };
  const terms =
    published.terms &&
    unpackTerms(
      published.terms,
      chunks.map(({ span }) => span.end - span.start),
    );
  return { kind: "taken", chunks, terms };
}

/** The file of rows that were compared with the local one. */
export function fileOf(
  { path, sha256, languageId, category, parse, secrets, facts, ...rows }: PublishedFile,
  found: FoundFile,
): PreparedFile {
  const { texts, areTermsRefused: _, ...attributes } = found;
  const { vectors } = rows;
  const chunks = chunksOf(rows.chunks, (_span, i) => texts[i] as string);
  const file = { path, sha256, languageId, category, parse, secrets, chunks, ...attributes };
  return {
    ...file,
    ...(facts.length === 0 ? {} : { facts }),
    ...(vectors === undefined ? {} : { vectors }),
  };
}

/** Undefined if they have not the form of rows, or were cut from another text. */
function readChunks({ chunks }: Compared, file: FileText): readonly Chunk[] | undefined {
  let areSame = true;
  try {
    const read = chunksOf(chunks, (span, _i, hash) => {
      const text = file.textOf(span);
      areSame &&= hashOf(text) === hash;
      return text;
    });
    return areSame ? read : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, TEXT_HASH_LENGTH);
}

/** The first wrong part of the rows of a file with this text; undefined for sound rows. */
function problemOf(
  { parse, secrets, facts }: Compared,
  chunks: readonly Chunk[],
  file: FileText,
): string | undefined {
  if (!Number.isSafeInteger(secrets) || secrets < 0) return "the number of secrets";
  if (!isMessage(parse.message)) return "the parse status";
  if (!areInOrder(chunks)) return "the order of its chunks";
  const wrong = chunks.find((chunk) => !file.hasChunk(chunk));
  if (wrong !== undefined) return `the chunk at byte ${wrong.span.start}`;
  if (withoutSecrets(file.text, chunks).length < chunks.length) return "a chunk with a secret";
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

/** Whether the vectors have this number and dimension, and the length of a model's. A longer one would come before all others. */
export function areVectors(vectors: Float32Array, count: number, dimension: number): boolean {
  if (vectors.length !== count * dimension) return false;
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

function isBlockType(type: unknown): boolean {
  return typeof type === "string" && BLOCK_TYPE.test(type);
}

/** The text of a file with its bytes, lines and words. */
class FileText {
  readonly lines: number;
  readonly text: string;
  readonly #bytes: Buffer;
  /** The first byte of each line. */
  readonly #starts: readonly number[];
  readonly #words: ReadonlySet<string>;

  constructor(text: string) {
    this.text = text;
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
    return this.#words.has(word) || this.text.includes(word);
  }

  /** The name of a module that is used in the call that requires it, see `requiredName`. */
  #isRequired(word: string): boolean {
    return word.startsWith("require_") && word.split("_").every((part) => this.#hasWord(part));
  }

  /** Empty for a range outside of the file. */
  textOf({ start, end }: ByteSpan): string {
    const isRange = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0;
    return isRange ? this.#bytes.toString("utf8", start, end) : "";
  }

  /** Whether a character begins at this byte, or the file ends there. */
  #isBoundary(at: number): boolean {
    return ((this.#bytes[at] ?? 0) & 0xc0) !== 0x80;
  }

  hasChunk({ span, lines, context, symbols, blockType, hierarchy }: Chunk): boolean {
    return (
      span.start >= 0 &&
      span.end <= this.#bytes.length &&
      this.#isBoundary(span.start) &&
      this.#isBoundary(span.end) &&
      lines.start === lineAt(this.#starts, span.start) &&
      lines.end === lineAt(this.#starts, span.end - 1) &&
      this.#hasLines(context) &&
      (blockType === undefined || isBlockType(blockType)) &&
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
