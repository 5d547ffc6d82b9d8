/** Derives names: of an index from its folder, and of the tables from an index's name. */

import { createHash } from "node:crypto";
import { basename } from "node:path";
import { BadRequest } from "../common/errors.ts";
import { quoteIdentifier } from "./database.ts";

/** `codeindex_` + key + `__` + key + `_vectors` must fit into the 63 bytes of an identifier. */
const MAX_KEY_LENGTH = 21;
const HASH_LENGTH = 6;
const NAME = /^[\w.-]{1,64}$/;
/** A name that is used in table names unchanged, unless it looks like a shortened one. */
const PLAIN = /^[a-z0-9_]{1,21}$/;
const LOOKS_SHORTENED = /_[0-9a-f]{6}$/;

/** Quoted table names. */
export interface Tables {
  readonly chunks: string;
  readonly vectors: string;
  readonly files: string;
  readonly parseResults: string;
  readonly exclusions: string;
  /** The facts per file that the graph is resolved from. */
  readonly tracking: string;
  /** The edges of the graph. */
  readonly dependencies: string;
  /** Chunks with their vectors. */
  readonly view: string;
  /** Created when the SQL lanes are first used. */
  readonly lanes: LaneTables;
  /** Created when commits are first read. */
  readonly history: HistoryTables;
  /** Created when rows are first kept. */
  readonly kept: KeptTables;
  /** Exist while rows of another index are borrowed. */
  readonly borrower: BorrowerTables;
  /** The words of each file. Only of a published index. */
  readonly words: string;
  /** The lanes as one file, in parts. Only of a published index. */
  readonly packed: string;
}

/** The own rows of a borrower, and the keys of the rows that it borrows. */
interface BorrowerTables {
  readonly paths: string;
  readonly chunks: string;
  readonly vectors: string;
  readonly tracking: string;
  readonly shas: string;
  readonly commits: string;
  readonly hunks: string;
}

interface KeptTables {
  readonly files: string;
  readonly chunks: string;
  readonly vectors: string;
}

interface HistoryTables {
  readonly commits: string;
  readonly hunks: string;
  readonly marks: string;
}

export interface LaneTables {
  readonly chunks: string;
  readonly names: string;
  readonly terms: string;
  /** The index over the vectors. */
  readonly graph: string;
}

/**
 * The only place that turns a user's name into table names; the result has only letters, digits and underscores, and the
 * quoted schema if one is given.
 */
export function tablesOf(name: string, schema?: string): Tables {
  const key = keyOf(checkName(name));
  const prefix = schema === undefined ? "" : `${quoteIdentifier(schema)}.`;
  const named = (table: string) => prefix + quoteIdentifier(table);
  const base = `codeindex_${key}__${key}`;
  return {
    chunks: named(`${base}_chunks`),
    vectors: named(`${base}_vectors`),
    files: named(`${base}_files`),
    parseResults: named(`cocosearch_parse_results_${key}`),
    exclusions: named(`${base}_excluded`),
    tracking: named(`cocosearch_deps_tracking_${key}`),
    dependencies: named(`cocosearch_deps_${key}`),
    view: named(base),
    lanes: {
      chunks: named(`${base}_lanes`),
      names: named(`${base}_names`),
      terms: named(`${base}_terms`),
      graph: named(`${base}_graph`),
    },
    history: {
      commits: named(`${base}_commits`),
      hunks: named(`${base}_hunks`),
      marks: named(`${base}_marks`),
    },
    words: named(`${base}_words`),
    borrower: {
      paths: named(`cocosearch_borrowed_files_${key}`),
      chunks: named(`cocosearch_own_chunks_${key}`),
      vectors: named(`cocosearch_own_vectors_${key}`),
      tracking: named(`cocosearch_own_tracking_${key}`),
      shas: named(`cocosearch_borrowed_commits_${key}`),
      commits: named(`cocosearch_own_commits_${key}`),
      hunks: named(`cocosearch_own_hunks_${key}`),
    },
    packed: named(`${base}_packed`),
    kept: {
      files: named(`cocosearch_kept_files_${key}`),
      chunks: named(`cocosearch_kept_chunks_${key}`),
      vectors: named(`cocosearch_kept_vectors_${key}`),
    },
  };
}

/** Throws BadRequest for an invalid name. */
export function checkName(name: string): string {
  if (NAME.test(name)) return name;
  throw new BadRequest(
    `index name ${JSON.stringify(name.slice(0, 80))}: 1 to 64 letters, digits, dots, dashes and underscores are allowed`,
  );
}

/** The folder's name as an index name; `workspace` if no valid character is left. */
export function nameFromFolder(root: string): string {
  const name = basename(root)
    .replaceAll(/[^A-Za-z0-9_.-]+/g, "-")
    .slice(0, 48);
  return name.replaceAll(/^[-.]+|[-.]+$/g, "") || "workspace";
}

/** The name for a root if another root has the plain name. */
export function alternativeName(name: string, root: string): string {
  return `${name.slice(0, 55)}-${hash(root, 8)}`;
}

function keyOf(name: string): string {
  if (PLAIN.test(name) && !LOOKS_SHORTENED.test(name)) return name;
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9_]/g, "_");
  return `${plain.slice(0, MAX_KEY_LENGTH - HASH_LENGTH - 1)}_${hash(name, HASH_LENGTH)}`;
}

function hash(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}
