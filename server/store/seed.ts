/** Copies or borrows the rows of files from one index for a new one that has them in common. */

import type { IndexSeed } from "../contracts/store.ts";
import { borrowFiles, isBorrowing } from "./borrowed-rows.ts";
import { findRecord, lockIndex, setLender, updateRecord } from "./catalog.ts";
import { texts } from "./columns.ts";
import { compatibility } from "./compatibility.ts";
import type { Queryable } from "./database.ts";
import { writeExclusions } from "./exclusions.ts";
import { findContents, restoreRows } from "./kept.ts";
import { type Tables, tablesOf } from "./names.ts";

/**
 * Takes over the files of `seed` that are still stored or kept with the content that it names. Nothing if the other index is gone
 * or was made in another way. The edges of the graph are not copied: they depend on other files as well.
 */
export async function takeOverFiles(
  tx: Queryable,
  { from, files, exclusions }: IndexSeed,
  record: Parameters<typeof compatibility>[0],
  mayBorrow: boolean,
): Promise<void> {
  const to = tablesOf(record.name);
  await lockIndex(tx, from);
  const stored = await findRecord(tx, from);
  if (stored === undefined || compatibility(stored, record).kind !== "usable") return;
  const source = tablesOf(from);
  await tx.query(
    `insert into ${to.files}
       (path, sha256, size, mtime, stamp, language, category, secrets, encoding, is_encoding_guessed, chunks)
     select files.path, files.sha256, size, mtime, wanted.stamp, language, category, secrets, encoding,
       is_encoding_guessed, chunks
     from ${source.files} files
       join unnest($1::text[], $2::text[], $3::text[]) as wanted (path, sha256, stamp)
         on files.path = wanted.path and files.sha256 = wanted.sha256`,
    [
      texts(files.map(({ path }) => path)),
      texts(files.map(({ sha256 }) => sha256)),
      texts(files.map(({ statFingerprint }) => statFingerprint ?? null)),
    ],
  );
  const isCopied = (column: string) => `${column} in (select path from ${to.files})`;
  if (mayBorrow && (await isEmbedded(tx, source))) {
    const isLent = stored.lender !== undefined && (await isBorrowing(tx, source, "files"));
    const lender = isLent ? stored.lender : from;
    await borrowFiles(tx, { from, lender }, to);
    await setLender(tx, record.name, lender);
  } else {
    for (const table of ["chunks", "vectors"] as const) {
      await tx.query(
        `insert into ${to[table]} select * from ${source[table]} where ${isCopied("filename")}`,
      );
    }
    await tx.query(
      `insert into ${to.tracking} (file_path, content_hash, facts_version, facts)
       select file_path, content_hash, facts_version, facts from ${source.tracking} where ${isCopied("file_path")}`,
    );
  }
  await tx.query(
    `insert into ${to.parseResults} select * from ${source.parseResults} where ${isCopied("file_path")}`,
  );
  if (exclusions !== undefined && exclusions.excluded.length > 0) {
    const { rules, excluded } = exclusions;
    await writeExclusions(tx, to, rules, { excluded, forgotten: [] });
  }
  const both = { from: source, to };
  await restoreRows(tx, both, await findContents(tx, both, files, record));
  await updateRecord(tx, record.name, { dimension: stored.dimension || record.dimension });
}

/** Whether no vector is pending: the lender would add it without giving it to borrowers. */
async function isEmbedded(tx: Queryable, { chunks, vectors }: Tables): Promise<boolean> {
  const [row] = await tx.query<{ isEmbedded: boolean }>(
    `select (select count(*) from ${chunks}) = (select count(*) from ${vectors}) as "isEmbedded"`,
  );
  return row?.isEmbedded === true;
}
