/** The words of the domain as types: what the write path makes and the read path finds. */

import type { FileTerms } from "./file-terms.ts";

/** Lines, zero-based, both ends included. Only lsp/convert.ts knows that a range of the protocol ends exclusive. */
export interface Lines {
  readonly start: number;
  readonly end: number;
}

/** A span of a file in bytes of UTF-8; the end is excluded. Together with the path it names a chunk. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

export const SYMBOL_TYPES = ["function", "class", "method", "interface"] as const;
export type SymbolType = (typeof SYMBOL_TYPES)[number];

/** How files are cut: see indexing/chunk-strategies.ts. */
export const CHUNK_STRATEGIES = ["adaptive", "semantic", "fixed", "sliding"] as const;
export type ChunkStrategy = (typeof CHUNK_STRATEGIES)[number];

/** A tree-sitter grammar that the user brings along. */
export interface UserGrammar {
  /** A language that we know, or a name of its own. */
  readonly language: string;
  /** Absolute path of the wasm. */
  readonly wasm: string;
  /** Absolute path of a query with the captures of grammars/README.md; without it definitions are found by patterns. */
  readonly symbols?: string | undefined;
  /** Without the dot. */
  readonly extensions?: readonly string[] | undefined;
}

/** What is known of a language. */
export interface LanguageInfo {
  readonly id: string;
  readonly aliases: readonly string[];
  /** File names and `*.extension`. */
  readonly files: readonly string[];
  readonly category: Category;
  /** Package and version, or the path of the user's own. */
  readonly grammar?: string;
  /** Where its symbols and context ranges come from. */
  readonly symbols: "query" | "patterns" | "sections" | "none";
  /** What the graph reads: imports with calls, imports or links by path, or nothing. */
  readonly graph: "calls" | "imports" | "none";
}

/** What a file is for; ranking weighs the four differently. */
export type Category = "implementation" | "test" | "docs" | "config";

/** A named definition. */
export interface CodeSymbol {
  /** Qualified by its scopes: `UserService.get_user`. */
  readonly name: string;
  readonly type: SymbolType;
  /** The head of the definition on one line, at most 200 characters. */
  readonly signature: string;
  /** The whole definition, with its doc comment and decorators where they precede it. */
  readonly lines: Lines;
  /** The line of the name. */
  readonly nameLine: number;
}

/** A piece of a file: the unit that is stored and found. */
export interface Chunk {
  readonly span: ByteSpan;
  readonly lines: Lines;
  readonly text: string;
  /** The definitions that begin in this chunk, in source order; the first is the chunk's own. */
  readonly symbols: readonly CodeSymbol[];
  /** What a reader wants to see around it: the enclosing definition, or the chunk itself. */
  readonly context: Lines;
  /** What kind of block this is in a configuration format, or the node type of its first definition. */
  readonly blockType?: string;
  /** The scopes around the chunk, outermost first: `UserService.get_user`, `jobs.build.steps`. */
  readonly hierarchy?: string;
}

const PARSE_STATUSES = ["ok", "partial", "error", "no_grammar"] as const;

export interface ParseHealth {
  readonly status: (typeof PARSE_STATUSES)[number];
  readonly message?: string;
}

/** How the message of a file begins that was cut without its grammar because parsing took too long: it is tried again. */
export const PARSE_TIMEOUT = "parsing took longer than";

/** Begins the rule of a file that is left out because there was not enough time for it. */
export const CUT_TIMEOUT = "cannot be cut within";

/** What is recorded of a file besides its chunks. */
export interface FileRecord {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  /** Of the bytes on disk, in hexadecimal. */
  readonly sha256: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** What the file is recognized by without being read; undefined while it is too young for that. */
  readonly statFingerprint?: string;
  readonly languageId: string;
  readonly category: Category;
  readonly parse: ParseHealth;
  /** Chunks that are not stored because they contain a secret. */
  readonly secrets: number;
  /** Absent where the file's bytes leave no doubt. */
  readonly encoding?: FileEncoding;
}

/** How bytes are read that are no valid UTF-8 and have no byte order mark. */
export interface FileEncoding {
  /** As the Encoding Standard calls it, or `utf-32le`, `utf-32be`. */
  readonly name: string;
  /** Whether nothing in the workspace says so. */
  readonly isGuess: boolean;
}

/** A file as it was cut. */
export interface CutFile extends FileRecord {
  readonly chunks: readonly Chunk[];
  /** What the graph is made from, as `contracts/packed-facts.ts` packs it; undefined where there is nothing. */
  readonly facts?: Uint8Array;
}

/** A file after the stages that a worker thread does: ready to be embedded and stored. */
export interface PreparedFile extends CutFile {
  /** The words of its chunks, in their order. */
  readonly terms: FileTerms;
  /** One row per chunk, when the built-in model embedded it in the worker; otherwise absent. */
  readonly vectors?: Float32Array;
}

/** Why a file is not in the index. */
export interface ExcludedFile {
  readonly path: string;
  /** The rule in words: `.gitignore:3 *.log`, `over maxFileBytes (1 MB)`, `binary`. */
  readonly rule: string;
}

/** A file that was read, and is kept out for what is in it: while its fingerprint is the same, it is not read again. */
export interface KnownExclusion extends ExcludedFile {
  readonly statFingerprint: string;
}

/** What is kept of one workspace, as the catalog says. */
export interface IndexRecord {
  readonly name: string;
  readonly root: string;
  readonly modelId: string;
  readonly dimension: number;
  readonly chunkerVersion: string;
  readonly schemaVersion: number;
  readonly commit?: string;
  readonly branch?: string;
  /** `complete` once a pass over the whole workspace has ended; `partial` until then. */
  readonly state: "partial" | "complete";
  readonly createdAt: string;
  readonly updatedAt: string;
  /**
   * Whose it is on a Postgres that several installations share; absent where it is this one's. `another`: its root is a folder on
   * the machine of another one. `unknown`: a program stored it that did not note it; the first that opens its root adopts it.
   */
  readonly installation?: "another" | "unknown";
}

export type MatchType = "semantic" | "keyword" | "both";
/** `weak`: more likely wrong than right, by far. `chance`: of a list as questions about other code get it, too. */
export type Relevance = "strong" | "weak" | "chance";
export type LaneName = "vector" | "keyword" | "symbol";

/** One reason for a hit's place, with what it added to the score (before the score was brought to 0..1). */
export interface Reason {
  readonly name: string;
  readonly contribution: number;
  readonly detail?: string;
}

/** The line of a hit that answers best. Columns count UTF-16 units from 0. */
export interface BestLine {
  readonly line: number;
  /** Where the cursor goes. */
  readonly column: number;
  /** Without its indentation, at most 200 units; of a longer line an excerpt around the match. */
  readonly text: string;
  /** What is before `text` in the line. */
  readonly lead: string;
  /** The words of the query in `text`, as columns of the line, in order; the end is excluded. */
  readonly highlights: readonly (readonly [number, number])[];
}

/** A chunk that answers a query. */
export interface Hit {
  /** The index in which it was found. */
  readonly index: string;
  /** The root of that index; `root` and `path` together are the file. */
  readonly root: string;
  readonly path: string;
  readonly lines: Lines;
  /** Undefined where the file is gone. */
  readonly bestLine?: BestLine;
  readonly contextRange: Lines;
  /** The probability that it is right, as measured; comparable with `minScore` in every mode and between indexes. */
  readonly score: number;
  readonly relevance: Relevance;
  readonly matchType: MatchType;
  readonly languageId: string;
  /** The definition that was matched best, else the chunk's own. */
  readonly symbol?: CodeSymbol;
  /**
   * Its definitions, those that answer best first; the definition around it where none begins in it. Of a bug report those
   * that are likely to be the place, with the class around the first hits.
   */
  readonly symbols?: readonly CodeSymbol[];
  /** The rest of its definitions. */
  readonly otherSymbols?: readonly CodeSymbol[];
  readonly blockType?: string;
  readonly hierarchy?: string;
  /** How many other files import its file; absent while files are being indexed, and for a moment after a start. */
  readonly importers?: number;
  /** The lines of the context range, when asked for. */
  readonly text?: string;
  readonly why?: readonly Reason[];
}
