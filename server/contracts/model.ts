/** The domain model: files, chunks, symbols, indexes and hits. */

import type { FileTerms } from "./file-terms.ts";

/** A range of zero-based lines, both ends included. lsp/convert.ts converts it to the exclusive ranges of LSP. */
export interface Lines {
  readonly start: number;
  readonly end: number;
}

/** A span of a file in UTF-8 bytes, end excluded. The path and the span identify a chunk. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** `variable`: a variable or constant of a module, or a constant of a class. */
export const SYMBOL_TYPES = ["function", "class", "method", "interface", "variable"] as const;
export type SymbolType = (typeof SYMBOL_TYPES)[number];

/** The chunking strategies; see indexing/chunk-strategies.ts. */
export const CHUNK_STRATEGIES = ["adaptive", "semantic", "fixed", "sliding"] as const;
export type ChunkStrategy = (typeof CHUNK_STRATEGIES)[number];

/** A tree-sitter grammar that the user provides. */
export interface UserGrammar {
  /** The id of a known language, or a new one. */
  readonly language: string;
  /** The absolute path of the wasm file. */
  readonly wasm: string;
  /** The absolute path of a query with the captures of grammars/README.md. Without it, definitions are found by patterns. */
  readonly symbols?: string | undefined;
  /** Without the dot. */
  readonly extensions?: readonly string[] | undefined;
}

/** A supported language. */
export interface LanguageInfo {
  readonly id: string;
  readonly aliases: readonly string[];
  /** File names and `*.extension`. */
  readonly files: readonly string[];
  readonly category: Category;
  /** The package and version of the grammar, or the path of a user's grammar. */
  readonly grammar?: string;
  /** The source of its symbols and context ranges. */
  readonly symbols: "query" | "patterns" | "sections" | "none";
  /** The level of graph support: imports and calls, imports or links only, or none. */
  readonly graph: "calls" | "imports" | "none";
}

/** The file category, which has a weight in the ranking. */
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
  /** The definitions that begin in this chunk, in source order. The first one names the chunk. */
  readonly symbols: readonly CodeSymbol[];
  /** The enclosing definition, or the chunk itself. */
  readonly context: Lines;
  /** The kind of block in a configuration format, or the node type of the first definition. */
  readonly blockType?: string | undefined;
  /** The scopes around the chunk, outermost first: `UserService.get_user`, `jobs.build.steps`. */
  readonly hierarchy?: string | undefined;
}

const PARSE_STATUSES = ["ok", "partial", "error", "no_grammar"] as const;

export interface ParseHealth {
  readonly status: (typeof PARSE_STATUSES)[number];
  readonly message?: string;
}

/** The prefix of the parse message of a file whose parsing timed out. The file was chunked without its grammar and is tried again. */
export const PARSE_TIMEOUT = "parsing took longer than";

/** The prefix of the exclusion rule of a file whose chunking timed out. */
export const CUT_TIMEOUT = "cannot be cut within";

/** The stored attributes of a file. */
export interface FileRecord {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  /** The hash of the bytes on disk, in hexadecimal. */
  readonly sha256: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Identifies the unchanged file without reading it. Undefined if the file was modified too recently. */
  readonly statFingerprint?: string;
  readonly languageId: string;
  readonly category: Category;
  readonly parse: ParseHealth;
  /** Chunks that are not stored because they contain a secret. */
  readonly secrets: number;
  /** Undefined for valid UTF-8 and for files with a byte order mark. */
  readonly encoding?: FileEncoding;
}

/** The encoding of a file that is not valid UTF-8 and has no byte order mark. */
export interface FileEncoding {
  /** The name in the Encoding Standard, or `utf-32le`, `utf-32be`. */
  readonly name: string;
  /** Whether the encoding is detected and not declared in the workspace. */
  readonly isGuess: boolean;
}

/** A file with its chunks. */
export interface CutFile extends FileRecord {
  readonly chunks: readonly Chunk[];
  /** The facts for the graph, as packed by `contracts/packed-facts.ts`. Undefined without facts. */
  readonly facts?: Uint8Array;
}

/** The result of a worker thread: a file that is ready to be embedded and stored. */
export interface PreparedFile extends CutFile {
  /** The term counts of its chunks. */
  readonly terms: FileTerms;
  /** One row per chunk, if the built-in model embedded the file in the worker. */
  readonly vectors?: Float32Array;
}

/** A file that is not in the index, with the reason. */
export interface ExcludedFile {
  readonly path: string;
  /** The rule in words: `.gitignore:3 *.log`, `over maxFileBytes (1 MB)`, `binary`. */
  readonly rule: string;
}

/** A file that is excluded because of its content. It is not read again while its fingerprint is the same. */
export interface KnownExclusion extends ExcludedFile {
  readonly statFingerprint: string;
}

/** The catalog entry of an index. */
export interface IndexRecord {
  readonly name: string;
  readonly root: string;
  readonly modelId: string;
  readonly dimension: number;
  readonly chunkerVersion: string;
  readonly schemaVersion: number;
  readonly commit?: string;
  readonly branch?: string;
  /** `complete` after the first full pass, `partial` until then. */
  readonly state: "partial" | "complete";
  readonly createdAt: string;
  readonly updatedAt: string;
  /**
   * The owner, on a Postgres that several installations share; undefined for this installation. `another`: the root is on
   * another machine. `unknown`: no owner is stored; the first installation that opens the root becomes the owner.
   */
  readonly installation?: "another" | "unknown";
  /** The git directory of the repository whose linked worktree contains the root. */
  readonly worktreeOf?: string;
}

export type MatchType = "semantic" | "keyword" | "both";
/** `weak`: probably wrong. `chance`: a query about unrelated code gets such scores, too. */
export type Relevance = "strong" | "weak" | "chance";
export type LaneName = "vector" | "keyword" | "symbol";

/** One factor of a hit's score, with its contribution before normalization to 0..1. */
export interface Reason {
  readonly name: string;
  readonly contribution: number;
  readonly detail?: string;
}

/** The best matching line of a hit. Columns are zero-based UTF-16 units. */
export interface BestLine {
  readonly line: number;
  /** The column of the cursor. */
  readonly column: number;
  /** The line without indentation, at most 200 units. A longer line is an excerpt around the match. */
  readonly text: string;
  /** The part of the line before `text`. */
  readonly lead: string;
  /** The words of the query in `text`, as columns of `lead` and `text`, in order. Ends are excluded. */
  readonly highlights: readonly (readonly [number, number])[];
  /** The line of a notebook up to the end of `text` if JSON escapes a character of `text`. `column` is a column of it. */
  readonly written?: string;
}

/** A further chunk of the file of a hit. */
export interface FurtherPlace {
  readonly lines: Lines;
  /** The best matching definition of the chunk. */
  readonly symbol?: CodeSymbol;
  /** The scopes around it. */
  readonly hierarchy?: string;
}

/** Where a hit of a published index is from. Its text is the text at that commit. */
export interface PublishedPlace {
  /** `host/path`. */
  readonly repository: string;
  readonly commit: string;
  /** The address that `team.linkTemplate` makes. */
  readonly link?: string;
}

/** A chunk that answers a query. */
export interface Hit {
  /** The name of its index. */
  readonly index: string;
  /** The root of the index, which `path` is relative to. Of a published index `published:` and the repository. */
  readonly root: string;
  readonly path: string;
  /** Set for a hit of a published index, which has no file here. */
  readonly published?: PublishedPlace;
  readonly lines: Lines;
  /** Undefined if the file was deleted. */
  readonly bestLine?: BestLine;
  readonly contextRange: Lines;
  /** The calibrated probability that this place answers, comparable in every mode and between indexes. */
  readonly score: number;
  readonly relevance: Relevance;
  readonly matchType: MatchType;
  readonly languageId: string;
  /** The best matching definition, or the first one of the chunk. */
  readonly symbol?: CodeSymbol;
  /**
   * The definitions of the chunk, best match first, or the enclosing definition if none begins in it. For a bug report the
   * likely locations, with the class around the first hits.
   */
  readonly symbols?: readonly CodeSymbol[];
  /** The other definitions of the chunk. */
  readonly otherSymbols?: readonly CodeSymbol[];
  /** Up to three further places of the file, best first, each in another definition, that are not hits themselves. */
  readonly places?: readonly FurtherPlace[];
  readonly blockType?: string;
  readonly hierarchy?: string;
  /** The number of files that import its file. Undefined during indexing and shortly after a start. */
  readonly importers?: number;
  /** The text of the context range, if requested. */
  readonly text?: string;
  readonly why?: readonly Reason[];
}
