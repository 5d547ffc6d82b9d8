/** Which index a folder belongs to: one of its own, or that of a folder above in the same repository. */

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathInside } from "../../common/path-inside.ts";
import type { PartialSettings, Settings } from "../../contracts/settings.ts";
import { createIgnoreRules } from "../../indexing/ignore/ignore-rules.ts";
import { settingsOf } from "./folder-settings.ts";

/** What is opened for a folder. */
export interface IndexLocation {
  /** Of the index. */
  readonly root: string;
  readonly settings: Settings;
  readonly problems: readonly string[];
}

/**
 * `isKnown` tells of an index that is open or stored, and made with these settings.
 *
 * A folder with a repository, settings or an index name of its own has an index of its own, and so has one that the
 * folder above leaves out, or whose folder above is not indexed.
 */
export async function locateIndex(
  root: string,
  user: PartialSettings,
  isKnown: (root: string, settings: Settings) => Promise<boolean>,
): Promise<IndexLocation> {
  const own = { root, ...(await settingsOf(root, user)) };
  if (own.hasFile || own.settings.indexName !== "") return own;
  for (const above of foldersAbove(root)) {
    const { settings, problems } = await settingsOf(above, user);
    if (!settings["indexing.enabled"]) continue;
    const part = pathInside(above, root) ?? "";
    if (createIgnoreRules(above, settings).decide(part, "folder") !== undefined) continue;
    if (await isKnown(above, settings)) return { root: above, settings, problems };
  }
  return own;
}

/** Up to the top of the repository, nearest first; none outside of one. */
function foldersAbove(root: string): string[] {
  const above: string[] = [];
  for (let folder = root; !existsSync(join(folder, ".git")); folder = dirname(folder)) {
    if (dirname(folder) === folder) return [];
    above.push(dirname(folder));
  }
  return above;
}
