/** Adds the index that another one borrows rows from. */

export const lenders = `
-- The index that lends rows to this one, or has lent some. Null for any other index.
alter table cocosearch_indexes add column if not exists lender text;
`;
