/** Whose an index is: on a Postgres that several machines share, two of them may have different files under one path. */

export const installations = `
-- The id of the installation whose engines keep the index, as its data folder says. Null in the built-in database, which
-- belongs to one installation, and for an index from before installations were told apart, until one adopts it.
alter table cocosearch_indexes add column if not exists installation text;
`;
