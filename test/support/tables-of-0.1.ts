/** The statements by which version 0.1 created its tables and stored a chunk, copied from that release: not to be edited. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { tablesOf } from "../../server/store/names.ts";

const FIXTURES = resolve(import.meta.dirname, "../fixtures/store");

/** The catalog, with the row that says so. */
export const SHARED_TABLES_OF_01 = readFileSync(resolve(FIXTURES, "0.1-shared.sql"), "utf8");

const INDEX_TABLES_OF_01 = readFileSync(resolve(FIXTURES, "0.1-index.sql"), "utf8");

export function createTablesOf01(index: string): string {
  const { chunks, vectors, files, parseResults, view } = tablesOf(index);
  const names: Readonly<Record<string, string>> = { chunks, vectors, files, parseResults, view };
  return INDEX_TABLES_OF_01.replaceAll(/:(\w+)/g, (name, key: string) => names[key] ?? name);
}

export function insertChunkOf01(index: string, path: string, text: string): string {
  return `insert into ${tablesOf(index).chunks} (filename, location, content_text, content_tsv_input,
      content_hash, block_type, hierarchy, language_id, symbol_type, symbol_name,
      symbol_signature, symbols, start_line, end_line, context_start_line, context_end_line)
    values ('${path}', int4range(0, ${text.length}), '${text}', 'def total pass', 'hash', null, null, 'python',
      'function', 'total', 'def total()',
      '[{"name":"total","type":"function","signature":"def total()","lines":{"start":0,"end":0},"nameLine":0}]',
      0, 0, 0, 0)`;
}
