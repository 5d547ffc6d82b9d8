/** How well the files of an index were parsed, by language. */

import type { ParseSummary } from "../contracts/store.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

interface Row {
  readonly language: string;
  readonly ok: number;
  readonly partial: number;
  readonly error: number;
  readonly no_grammar: number;
}

interface WorstRow {
  readonly language: string;
  readonly path: string;
  readonly message: string;
}

/** Files named for each language. */
const MOST_NAMED = 3;

export async function summarizeParse(database: Queryable, tables: Tables): Promise<ParseSummary[]> {
  const rows = await database.query<Row>(
    `select language,
       count(*) filter (where parse_status = 'ok')::int as ok,
       count(*) filter (where parse_status = 'partial')::int as partial,
       count(*) filter (where parse_status = 'error')::int as error,
       count(*) filter (where parse_status = 'no_grammar')::int as no_grammar
     from ${tables.parseResults} group by language order by language`,
  );
  const worst = await database.query<WorstRow>(
    `select language, file_path as path, coalesce(error_message, '') as message from (
       select *, row_number() over (partition by language order by
         (parse_status = 'error') desc,
         coalesce(substring(error_message from '^([0-9]+) %')::int, 100) desc,
         file_path) as place
       from ${tables.parseResults} where parse_status in ('partial', 'error')
     ) as ranked where place <= ${MOST_NAMED} order by language, place`,
  );
  return rows.map(({ language, no_grammar: noGrammar, ...counts }) => ({
    languageId: language,
    ...counts,
    noGrammar,
    worst: worst
      .filter((row) => row.language === language)
      .map(({ path, message }) => ({ path, message })),
  }));
}
