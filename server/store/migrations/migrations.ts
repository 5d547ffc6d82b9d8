/** All migrations in order: forward only, each in one transaction, never edited after a release. */

import { catalog } from "./0001-catalog.ts";
import { installations } from "./0002-installations.ts";
import { worktrees } from "./0003-worktrees.ts";
import { lenders } from "./0004-lenders.ts";

export const MIGRATIONS: readonly string[] = [catalog, installations, worktrees, lenders];
