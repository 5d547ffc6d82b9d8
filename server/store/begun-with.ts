/**
 * Remembers the published index that an index began with, as a comment on its table of files: a column of the catalog would lock out
 * older programs.
 */

import { isObject } from "../common/is-object.ts";
import type { BegunWith } from "../contracts/published-file.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

export async function readBegunWith(
  database: Queryable,
  { files }: Tables,
): Promise<BegunWith | undefined> {
  const [row] = await database.query<{ comment: string | null }>(
    "select obj_description(to_regclass($1::text), 'pg_class') as comment",
    [files],
  );
  return row?.comment == null ? undefined : parsed(row.comment);
}

/** Undefined deletes it. */
export async function writeBegunWith(
  tx: Queryable,
  { files }: Tables,
  begun: BegunWith | undefined,
): Promise<void> {
  const comment = begun === undefined ? "null" : literal(JSON.stringify(begun));
  await tx.query(`comment on table ${files} is ${comment}`);
}

/** COMMENT takes no parameters. */
function literal(text: string): string {
  return `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

/** Undefined for a comment of another origin. */
function parsed(comment: string): BegunWith | undefined {
  try {
    const value: unknown = JSON.parse(comment);
    return isObject(value) && typeof value["repository"] === "string"
      ? (value as unknown as BegunWith)
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
