/** Walks a workspace as indexing does, and records the visited and excluded files. */

import { DEFAULTS } from "../../server/config/settings.ts";
import type { ExcludedFile } from "../../server/contracts/model.ts";
import type { PartialSettings } from "../../server/contracts/settings.ts";
import { discover } from "../../server/indexing/discovery/discover.ts";
import { createIgnoreRules } from "../../server/indexing/ignore/ignore-rules.ts";

/** The paths in order, and the rule by each path that was left out. */
export async function walk(root: string, settings: PartialSettings = {}) {
  const rules = createIgnoreRules(root, { ...DEFAULTS, ...settings });
  const paths: string[] = [];
  const excluded: ExcludedFile[] = [];
  for await (const { path } of discover(root, rules, { excluded: (file) => excluded.push(file) })) {
    paths.push(path);
  }
  return { paths, rules: Object.fromEntries(excluded.map(({ path, rule }) => [path, rule])) };
}
