/** Decides which index a folder belongs to: its own, or the index of a parent folder in the same repository. */

import { dirname } from "node:path";
import { topOfRepository } from "../../common/git-pointer.ts";
import { pathInside } from "../../common/path-inside.ts";
import type { PartialSettings, Settings } from "../../contracts/settings.ts";
import { createIgnoreRules } from "../../indexing/ignore/ignore-rules.ts";
import { settingsOf } from "./folder-settings.ts";

/** The index to open for a folder. */
export interface IndexLocation {
  /** The root of the index. */
  readonly root: string;
  readonly settings: Settings;
  readonly problems: readonly string[];
}

/**
 * `isKnown` says whether an index with these settings is open or stored. A folder has its own index if it has a
 * repository, a settings file or an index name of its own, or if the parent folder excludes it or is not indexed.
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

/** Parent folders up to the top of the repository, nearest first; empty outside a repository. */
function foldersAbove(root: string): string[] {
  const top = topOfRepository(root) ?? root;
  const above: string[] = [];
  for (let folder = root; folder !== top; ) above.push((folder = dirname(folder)));
  return above;
}
