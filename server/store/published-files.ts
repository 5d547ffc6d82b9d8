/** Reads the files of a published index, in amounts that are bounded also if its rows are wrong. */

import { getOrCreate } from "../common/get-or-create.ts";
import { FACTS_VERSION } from "../contracts/facts.ts";
import { type Category, PARSE_TIMEOUT, type ParseHealth } from "../contracts/model.ts";
import type { PublishedIndex } from "../contracts/published.ts";
import type {
  PublishedFile,
  PublishedFiles,
  PublishedSize,
  PublishedText,
} from "../contracts/published-file.ts";
import { asHalves, halvesFromBase64 } from "./binary-format.ts";
import { CHUNK_COLUMNS, type ChunkRow, toFacts } from "./chunks.ts";
import { texts } from "./columns.ts";
import type { Queryable } from "./database.ts";
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
  return {
    origin: { repository, commit },
    sizes: () => readSizes(database, tables),
    read: (paths) => readFiles(database, tables, { paths, dimension }),
    texts: (path) => readTexts(database, tables, path),
  };
}

async function readTexts(
  database: Queryable,
  tables: Tables,
  path: string,
): Promise<readonly PublishedText[]> {
  return await database.query(
    `select lower(location) as start, upper(location) as "end", start_line as line, content_text as text
     from ${tables.chunks} where filename = $1::text and octet_length(content_text) <= ${MAX_ROW_BYTES}
     order by location limit ${MAX_FILE_CHUNKS}`,
    [path],
  );
}

/** Not of files with a declared or guessed encoding, nor of those whose parsing timed out. */
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

/** A row per chunk, or one without a chunk; the columns of the file are in its first row only. */
interface Row extends Omit<ChunkRow, "start" | "end"> {
  readonly path: string;
  readonly start: number | null;
  readonly end: number | null;
  readonly text: string;
  readonly vector: string | null;
  readonly sha256: string | null;
  readonly language: string;
  readonly category: Category;
  readonly secrets: number;
  readonly chunks: number;
  readonly parse_status: ParseHealth["status"];
  readonly error_message: string | null;
  readonly facts: string | null;
}

const OF_FILE = ["sha256", "language", "category", "secrets", "parse_status", "error_message"];

/** One statement, so that all rows are of one state of the index. */
async function readFiles(
  database: Queryable,
  tables: Tables,
  { paths, dimension }: { readonly paths: readonly string[]; readonly dimension: number },
): Promise<readonly PublishedFile[]> {
  const first = (value: string) => `case when place = 1 then ${value} end`;
  const rows = await database.query<Row>(
    `with wanted as materialized (
       select path, sha256, files.language, category, secrets, chunks.*, files.chunks,
         left(parse_status, 20) as parse_status, left(error_message, 1000) as error_message,
         row_number() over (partition by path order by location) as place,
         sum(coalesce(octet_length(content_text) + octet_length(symbols::text)
           + coalesce(octet_length(hierarchy), 0) + coalesce(octet_length(block_type), 0), 0))
           over (order by path, location) as total
       from ${tables.files} files
         join ${tables.parseResults} parsed on parsed.file_path = path
         left join (select filename, location, content_text, symbols, hierarchy, block_type, language_id,
             start_line, end_line, context_start_line, context_end_line from ${tables.chunks}) chunks
           on filename = path
       where path = any ($1::text[]))
     select path, ${OF_FILE.map((column) => `${first(column)} as ${column}`).join(", ")}, chunks.chunks,
       ${first(`(select encode(facts, 'base64') from ${tables.tracking} tracking
         where tracking.file_path = path and content_hash = sha256 and facts_version = ${FACTS_VERSION}
           and octet_length(facts) <= ${MAX_FACTS_BYTES})`)} as facts,
       ${CHUNK_COLUMNS}, content_text as text, ${asHalves("embedding")} as vector
     from wanted chunks left join ${tables.vectors} vectors
       on vectors.filename = chunks.path and vectors.location = chunks.location
       and vector_dims(embedding) = $2::int
     where total <= ${MAX_READ_BYTES} and (chunks.location is null
       or octet_length(content_text) + octet_length(symbols::text) <= ${MAX_ROW_BYTES})
     order by path, chunks.location`,
    [texts(paths), dimension],
  );
  const byPath = new Map<string, Row[]>();
  for (const row of rows) getOrCreate(byPath, row.path, () => []).push(row);
  return [...byPath.values()].flatMap((own) => toFile(own) ?? []);
}

/** Undefined for a file that lacks its facts or some of its chunks. */
function toFile(rows: readonly Row[]): PublishedFile | undefined {
  const [file] = rows;
  const chunks = rows.filter(({ start }) => start !== null);
  if (file?.sha256 == null || file.facts === null || chunks.length !== file.chunks)
    return undefined;
  const vectors = chunks.map(({ vector }) => vector);
  const { path, sha256, language: languageId, category, secrets } = file;
  const { parse_status: status, error_message: message } = file;
  return {
    path,
    sha256,
    languageId,
    category,
    secrets,
    parse: message === null ? { status } : { status, message },
    // A copy, because small buffers are views of a shared one, which would be kept as a whole.
    facts: new Uint8Array(Buffer.from(file.facts, "base64")),
    chunks: chunks.map((row) => {
      const { path: _path, languageId: _language, ...facts } = toFacts(row as ChunkRow);
      return { ...facts, text: row.text };
    }),
    ...(vectors.includes(null) ? {} : { vectors: joined(vectors as string[]) }),
  };
}

function joined(vectors: readonly string[]): Float32Array {
  const rows = vectors.map(halvesFromBase64);
  const all = new Float32Array(rows.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const row of rows) {
    all.set(row, at);
    at += row.length;
  }
  return all;
}
