/** How well the files of an index were parsed, by language. */

import type { ParseSummary } from "../ports.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

interface Row {
  readonly language: string;
  readonly ok: number;
  readonly partial: number;
  readonly error: number;
  readonly no_grammar: number;
}

export async function summarizeParse(database: Queryable, tables: Tables): Promise<ParseSummary[]> {
  const rows = await database.query<Row>(
    `select language,
       count(*) filter (where parse_status = 'ok')::int as ok,
       count(*) filter (where parse_status = 'partial')::int as partial,
       count(*) filter (where parse_status = 'error')::int as error,
       count(*) filter (where parse_status = 'no_grammar')::int as no_grammar
     from ${tables.parseResults} group by language order by language`,
  );
  return rows.map(({ language, no_grammar: noGrammar, ...counts }) => ({
    languageId: language,
    ...counts,
    noGrammar,
  }));
}
