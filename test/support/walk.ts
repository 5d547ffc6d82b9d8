/** Walks a workspace as indexing does, and keeps what it was told. */

import { DEFAULTS, type PartialSettings } from "../../server/config/settings.ts";
import type { LeftOut } from "../../server/contracts/model.ts";
import { discover } from "../../server/indexing/discovery/discover.ts";
import { createIgnoreRules } from "../../server/indexing/ignore/ignore-rules.ts";

/** The paths in order, and the rule by each path that was left out. */
export async function walk(root: string, settings: PartialSettings = {}) {
  const rules = createIgnoreRules(root, { ...DEFAULTS, ...settings });
  const paths: string[] = [];
  const leftOut: LeftOut[] = [];
  for await (const { path } of discover(root, rules, { leftOut: (file) => leftOut.push(file) })) {
    paths.push(path);
  }
  return { paths, rules: Object.fromEntries(leftOut.map(({ path, rule }) => [path, rule])) };
}
