/** The names of an index and of its tables. */

import { createHash } from "node:crypto";
import { basename } from "node:path";
import { BadRequest } from "../common/errors.ts";
import { quoteIdentifier } from "./database.ts";

/** `codeindex_` + key + `__` + key + `_vectors` has to fit into the 63 bytes of an identifier. */
const MAX_KEY_LENGTH = 21;
const HASH_LENGTH = 6;
const NAME = /^[\w.-]{1,64}$/;
/** A name that can be part of a table name as it is, and is not mistaken for a shortened one. */
const PLAIN = /^[a-z0-9_]{1,21}$/;
const LOOKS_SHORTENED = /_[0-9a-f]{6}$/;

/** Quoted. */
export interface Tables {
  readonly chunks: string;
  readonly vectors: string;
  readonly files: string;
  readonly parseResults: string;
  readonly exclusions: string;
  /** What the graph is made from, per file. */
  readonly tracking: string;
  /** The edges of the graph. */
  readonly dependencies: string;
  /** Chunks with their vectors. */
  readonly view: string;
  /** What lanes in SQL need besides; only there where they are used. */
  readonly lanes: LaneTables;
  /** Only there once the history of the repository has been read. */
  readonly history: HistoryTables;
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

/** What a user typed reaches table names only through here, as letters, digits and underscores. */
export function tablesOf(name: string): Tables {
  const key = keyOf(checkName(name));
  const base = `codeindex_${key}__${key}`;
  return {
    chunks: quoteIdentifier(`${base}_chunks`),
    vectors: quoteIdentifier(`${base}_vectors`),
    files: quoteIdentifier(`${base}_files`),
    parseResults: quoteIdentifier(`cocosearch_parse_results_${key}`),
    exclusions: quoteIdentifier(`${base}_excluded`),
    tracking: quoteIdentifier(`cocosearch_deps_tracking_${key}`),
    dependencies: quoteIdentifier(`cocosearch_deps_${key}`),
    view: quoteIdentifier(base),
    lanes: {
      chunks: quoteIdentifier(`${base}_lanes`),
      names: quoteIdentifier(`${base}_names`),
      terms: quoteIdentifier(`${base}_terms`),
      graph: quoteIdentifier(`${base}_graph`),
    },
    history: {
      commits: quoteIdentifier(`${base}_commits`),
      hunks: quoteIdentifier(`${base}_hunks`),
      marks: quoteIdentifier(`${base}_marks`),
    },
  };
}

/** BadRequest for a name that may not be used. */
export function checkName(name: string): string {
  if (NAME.test(name)) return name;
  throw new BadRequest(
    `index name ${JSON.stringify(name.slice(0, 80))}: 1 to 64 letters, digits, dots, dashes and underscores are allowed`,
  );
}

/** A folder's name as an index name; `workspace` where nothing of it is left. */
export function nameFromFolder(root: string): string {
  const name = basename(root)
    .replaceAll(/[^A-Za-z0-9_.-]+/g, "-")
    .slice(0, 48);
  return name.replaceAll(/^[-.]+|[-.]+$/g, "") || "workspace";
}

/** The name for a root where another root has the plain one. */
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
