/** The table `excluded`: files that are excluded because of their content, so that a start need not read them again. */

import type { KnownExclusion } from "../contracts/model.ts";
import type { ExclusionChanges } from "../contracts/store.ts";
import { storable, texts } from "./columns.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

interface Row {
  readonly path: string;
  readonly stamp: string;
  readonly rule: string;
}

/** The files that were excluded by the given version of the rules. */
export async function readExclusions(
  database: Queryable,
  tables: Tables,
  rules: string,
): Promise<KnownExclusion[]> {
  const rows = await database.query<Row>(
    `select path, stamp, rule from ${tables.exclusions} where rules = $1::text order by path`,
    [rules],
  );
  return rows.map(({ path, stamp, rule }) => ({ path, rule, statFingerprint: stamp }));
}

/** Also deletes the decisions of other versions of the rules. */
export async function writeExclusions(
  tx: Queryable,
  tables: Tables,
  rules: string,
  { excluded, forgotten }: ExclusionChanges,
): Promise<void> {
  const paths = excluded.map(({ path }) => path);
  await tx.query(
    `delete from ${tables.exclusions} where path = any($1::text[]) or rules <> $2::text`,
    [texts([...paths, ...forgotten]), rules],
  );
  await tx.query(
    `insert into ${tables.exclusions} (path, stamp, rule, rules)
     select path, stamp, rule, $4::text
     from unnest($1::text[], $2::text[], $3::text[]) as row (path, stamp, rule)`,
    [
      texts(paths),
      texts(excluded.map(({ statFingerprint }) => statFingerprint)),
      texts(excluded.map(({ rule }) => storable(rule))),
      rules,
    ],
  );
}
