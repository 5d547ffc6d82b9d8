/** Adds the owner of an index: on a shared Postgres, two machines may have different files under one path. */

export const installations = `
-- The id of the installation that owns the index, from its data folder. Null in the built-in database, which belongs to
-- one installation, and for an index made before this column, until an installation adopts it.
alter table cocosearch_indexes add column if not exists installation text;
`;
