/** Reads the files of a published index, in amounts that are bounded also if its rows are wrong. */

import { FACTS_VERSION } from "../contracts/facts.ts";
import { type Category, PARSE_TIMEOUT, type ParseHealth } from "../contracts/model.ts";
import { PACKED_TERMS_VERSION } from "../contracts/packed-terms.ts";
import type { PublishedIndex } from "../contracts/published.ts";
import type {
  PublishedFile,
  PublishedFiles,
  PublishedSize,
  PublishedText,
} from "../contracts/published-file.ts";
import { TEXT_HASH_LENGTH } from "../contracts/published-file.ts";
import { rowsFromBase64 } from "./binary-format.ts";
import { texts } from "./columns.ts";
import { hasTable, type Queryable } from "./database.ts";
import { type Tables, tablesOf } from "./names.ts";

/** In bytes. A chunk has at most 30 kB (indexing.chunkSize and chunkOverlap), and its symbols rarely have as much. */
const MAX_ROW_BYTES = 200_000;
/** In bytes; a batch of files has a tenth. Rows beyond it are left out, so that their files count as incomplete. */
const MAX_READ_BYTES = 20_000_000;
/** In bytes. The packed facts of a file of a megabyte have some hundred kilobytes. */
const MAX_FACTS_BYTES = 4_000_000;
/** A file of a megabyte has a tenth. */
const MAX_FILE_CHUNKS = 10_000;

export function publishedFiles(
  database: Queryable,
  { index, publisher, repository, commit, dimension }: PublishedIndex,
): PublishedFiles {
  const tables = tablesOf(index, publisher);
  let words: Promise<boolean> | undefined;
  return {
    origin: { repository, commit },
    dimension,
    sizes: () => readSizes(database, tables),
    read: async (paths) => {
      words ??= hasTable(database, tables.words);
      return await readFiles(database, tables, { paths, dimension, isWithWords: await words });
    },
    texts: (path, sha256) => readTexts(database, tables, path, sha256),
  };
}

async function readTexts(
  database: Queryable,
  tables: Tables,
  path: string,
  sha256: string,
): Promise<readonly PublishedText[]> {
  return await database.query(
    `select lower(location) as start, upper(location) as "end", start_line as line, content_text as text
     from ${tables.chunks} where filename = $1::text and octet_length(content_text) <= ${MAX_ROW_BYTES}
       and exists (select from ${tables.files} where path = $1::text and sha256 = $2::text)
     order by location limit ${MAX_FILE_CHUNKS}`,
    [path, sha256],
  );
}

/** Leaves out files with a declared or guessed encoding, and files whose parsing timed out. */
async function readSizes(
  database: Queryable,
  tables: Tables,
): Promise<ReadonlyMap<string, PublishedSize>> {
  const rows = await database.query<PublishedSize & { readonly path: string }>(
    `select path, size::float8 as size, chunks from ${tables.files} join ${tables.parseResults} on file_path = path
     where encoding is null and chunks between 0 and ${MAX_FILE_CHUNKS}
       and not (parse_status = 'error' and starts_with(coalesce(error_message, ''), $1::text))`,
    [PARSE_TIMEOUT],
  );
  return new Map(rows.map(({ path, size, chunks }) => [path, { size, chunks }]));
}

/** A row per file. */
interface Row {
  readonly path: string;
  readonly sha256: string;
  readonly language: string;
  readonly category: Category;
  readonly secrets: number;
  readonly parse_status: ParseHealth["status"];
  readonly error_message: string | null;
  /** Null without chunks, or if there are too many bytes. */
  readonly rows: string | null;
  readonly vectors: string | null;
  readonly facts: string | null;
  readonly terms: string | null;
  readonly chunks: number;
  readonly found: number;
}

interface ReadOptions {
  readonly paths: readonly string[];
  readonly dimension: number;
  readonly isWithWords: boolean;
}

/** In the order that `indexing/published-chunks.ts` expects. The text is that of the local file, if it has this hash. */
const CHUNK_AS_JSON = `json_build_array(lower(location), upper(location), start_line, end_line,
  context_start_line, context_end_line, block_type, hierarchy, symbols, left(content_hash, ${TEXT_HASH_LENGTH}))`;

const selectTerms = (words: string) => `(select encode(terms, 'base64') from ${words} words
  where words.path = wanted.path and words.sha256 = wanted.sha256 and version = ${PACKED_TERMS_VERSION}
    and octet_length(terms) <= ${MAX_FACTS_BYTES})`;

/** One statement, so that all rows are of one state of the index. */
async function readFiles(
  database: Queryable,
  tables: Tables,
  { paths, dimension, isWithWords }: ReadOptions,
): Promise<readonly PublishedFile[]> {
  const rows = await database.query<Row>(
    `with wanted as materialized (
       select path, sha256, files.language, category, secrets, files.chunks,
         left(parse_status, 20) as parse_status, left(error_message, 1000) as error_message,
         own.rows, own.found, sum(coalesce(octet_length(own.rows), 0)) over (order by path) as total
       from ${tables.files} files
         join ${tables.parseResults} parsed on parsed.file_path = path
         cross join lateral (
           select json_agg(${CHUNK_AS_JSON} order by location)::text as rows, count(*)::int as found
           from (select * from ${tables.chunks} chunks
             where filename = path and octet_length(symbols::text) + coalesce(octet_length(hierarchy), 0)
               + coalesce(octet_length(block_type), 0) <= ${MAX_ROW_BYTES}
             limit ${MAX_FILE_CHUNKS} + 1) chunks) own
       where path = any ($1::text[]))
     select wanted.*,
       (select encode(string_agg(halfvec_send(embedding), ''::bytea order by location), 'base64')
         from ${tables.vectors} vectors join ${tables.chunks} chunks using (filename, location)
         where filename = path and vector_dims(embedding) = $2::int) as vectors,
       (select encode(facts, 'base64') from ${tables.tracking} tracking
         where tracking.file_path = path and content_hash = sha256 and facts_version = ${FACTS_VERSION}
           and octet_length(facts) <= ${MAX_FACTS_BYTES}) as facts,
       ${isWithWords ? selectTerms(tables.words) : "null"} as terms
     from wanted where total <= ${MAX_READ_BYTES} order by path`,
    [texts(paths), dimension],
  );
  return rows.flatMap((row) => toFile(row, dimension) ?? []);
}

/** Undefined for a file that lacks its facts or some of its chunks. */
function toFile(row: Row, dimension: number): PublishedFile | undefined {
  const { path, sha256, language: languageId, category, secrets, chunks, found } = row;
  const { parse_status: status, error_message: message, rows, facts, terms } = row;
  if (facts === null || found !== chunks) return undefined;
  const vectors = row.vectors === null ? undefined : rowsFromBase64(row.vectors, dimension);
  return {
    path,
    sha256,
    languageId,
    category,
    secrets,
    parse: message === null ? { status } : { status, message },
    facts: fromBase64(facts),
    chunks: rows ?? "[]",
    ...(terms === null ? {} : { terms: fromBase64(terms) }),
    ...(vectors?.length === chunks * dimension ? { vectors } : {}),
  };
}

/** A copy, because small buffers are views of a shared one, which would be kept as a whole. */
function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}
