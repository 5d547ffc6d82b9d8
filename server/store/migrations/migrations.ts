/** All migrations in order: forward only, each in one transaction, never edited after a release. */

import { catalog } from "./0001-catalog.ts";

export const MIGRATIONS: readonly string[] = [catalog];
