/** The SQL of server/docs/team.md that distributes a team's tables, as far as it can be checked without Citus. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { tablesOf } from "../../server/store/names.ts";
import { administer, NO_POSTGRES } from "../support/databases.ts";
import { messageOf, publishOne } from "../support/publish-rows.ts";
import { rowsOf, teamDatabase } from "../support/team.ts";

const PAGE = resolve(import.meta.dirname, "../../server/docs/team.md");

/**
 * Refuses and accepts a key by the documented rules of Citus: it is never null, each unique constraint has it, and no foreign key
 * leads to or from the table. Keys of one type and collation place the rows of a file on one server.
 */
const CHECKED = `
create table pg_dist_partition (logicalrelid regclass primary key);
create function create_distributed_table(distributed regclass, key text) returns void language plpgsql as $$
declare
  found pg_attribute;
begin
  select * into strict found from pg_attribute where attrelid = distributed and attname = key;
  if not found.attnotnull then raise exception '% of % may be null', key, distributed; end if;
  if found.atttypid <> 'text'::regtype or found.attcollation <> '"C"'::regcollation then
    raise exception '% of % has another type or collation', key, distributed;
  end if;
  if exists (select from pg_index where indrelid = distributed and indisunique and found.attnum <> all (indkey)) then
    raise exception 'a unique constraint of % lacks %', distributed, key;
  end if;
  if exists (select from pg_constraint where contype = 'f' and distributed in (conrelid, confrelid)) then
    raise exception '% has a foreign key', distributed;
  end if;
  insert into pg_dist_partition values (distributed);
end $$`;

const distribution = (page: string) => /```plpgsql\n([^]*?)```/.exec(page)?.[1] ?? "";

describe.skipIf(NO_POSTGRES !== undefined)(`the page about teams ${NO_POSTGRES ?? ""}`, () => {
  it("distributes all tables of an index that have rows of files, by keys that Citus accepts", async () => {
    const { url } = await teamDatabase();
    const { index } = await publishOne(url, "a");
    const sql = distribution(readFileSync(PAGE, "utf8"));
    await administer(CHECKED, url);
    await administer(sql, url);
    await administer(sql, url);
    const { packed, exclusions, ...tables } = tablesOf(index);
    const { chunks, vectors, files, words, parseResults, tracking, dependencies } = tables;
    const distributed = [chunks, vectors, files, words, parseResults, tracking, dependencies];
    const shared = ["indexes", "published", "embeddings", "migrations"];
    const others = [packed, exclusions, ...shared.map((name) => `"cocosearch_${name}"`)];
    const found = await rowsOf<{ name: string; isDistributed: boolean }>(
      url,
      `select format('"%s"', relname) as name, logicalrelid is not null as "isDistributed"
       from pg_class left join pg_dist_partition on logicalrelid = pg_class.oid
       where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'pg_dist_partition'`,
    );
    const names = (isDistributed: boolean) =>
      found
        .filter((table) => table.isDistributed === isDistributed)
        .map(({ name }) => name)
        .toSorted();
    expect(names(true)).toEqual(distributed.toSorted());
    expect(names(false)).toEqual(others.toSorted());
  });

  it("has a check that refuses other keys", async () => {
    const { url } = await teamDatabase();
    const { chunks, dependencies } = tablesOf((await publishOne(url, "a")).index);
    await administer(CHECKED, url);
    const refusal = (table: string, key: string) =>
      messageOf(administer(`select create_distributed_table('${table}', '${key}')`, url));
    expect(await refusal(chunks, "location")).toContain("another type");
    expect(await refusal(dependencies, "target_file")).toContain("may be null");
    await administer(`create unique index on ${chunks} (location)`, url);
    expect(await refusal(chunks, "filename")).toContain("a unique constraint");
    expect(await refusal("cocosearch_published", "index_name")).toContain("another type");
    expect(await refusal("cocosearch_published", "branch")).toContain("a unique constraint");
  });
});
