/** Adds the repository of a linked worktree, whose index is deleted after the worktree. */

export const worktrees = `
-- The git directory that the worktree shares with its repository. Null for any other root.
alter table cocosearch_indexes add column if not exists worktree_of text;
`;
