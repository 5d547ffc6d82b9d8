/** Records files and how well they were parsed. */

import type { FileCommit } from "../contracts/store.ts";
import { ints, texts } from "./columns.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";
import { storable } from "./storable.ts";

export async function insertFiles(
  tx: Queryable,
  tables: Tables,
  files: readonly FileCommit[],
): Promise<void> {
  if (files.length === 0) return;
  const records = files.map(({ file }) => file);
  const paths = texts(records.map(({ path }) => path));
  const languages = texts(records.map(({ languageId }) => languageId));
  await tx.query(
    `insert into ${tables.files}
       (path, sha256, size, mtime, stamp, language, category, secrets, chunks)
     select path, sha256, size::bigint, mtime::float8, stamp, language, category, secrets, chunks
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
       $8::int[], $9::int[])
       as row (path, sha256, size, mtime, stamp, language, category, secrets, chunks)`,
    [
      paths,
      texts(records.map(({ sha256 }) => sha256)),
      texts(records.map(({ size }) => String(size))),
      texts(records.map(({ mtimeMs }) => String(mtimeMs))),
      texts(records.map(({ statFingerprint }) => statFingerprint ?? null)),
      languages,
      texts(records.map(({ category }) => category)),
      ints(records.map(({ secrets }) => secrets)),
      ints(files.map(({ chunks }) => chunks.length)),
    ],
  );
  await tx.query(
    `insert into ${tables.parseResults} (file_path, language, parse_status, error_message)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])`,
    [
      paths,
      languages,
      texts(records.map(({ parse }) => parse.status)),
      texts(records.map(({ parse }) => storable(parse.message))),
    ],
  );
}
