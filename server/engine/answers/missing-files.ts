/** Says which files of the scanned folders were not searched, by reason. */

import { basename } from "node:path";
import { getOrCreate } from "../../common/get-or-create.ts";
import type { Filter } from "../../contracts/lanes.ts";
import type { MissingFiles, MissingReason } from "../../contracts/occurrences-request.ts";
import { NEVER_ENTERED } from "../../indexing/ignore/built-in-excludes.ts";
import { GIT_DIRECTORY } from "../../indexing/ignore/nested-worktrees.ts";
import type { ScannedFolder } from "./scan-folder.ts";

const MAX_EXAMPLES = 3;

export function missingIn(
  scanned: readonly ScannedFolder[],
  filter: Filter | undefined,
): readonly MissingFiles[] {
  const missing = new Map<MissingReason, { files: number; examples: string[] }>();
  const note = (reason: MissingReason, path?: string, files = 1) => {
    const own = getOrCreate(missing, reason, () => ({ files: 0, examples: [] }));
    own.files += files;
    if (path !== undefined && own.examples.length < MAX_EXAMPLES) own.examples.push(path);
  };
  for (const { source, failures, late } of scanned) {
    for (const { path, reason } of failures) note(reason, path);
    for (const path of late) note("time limit", path);
    if (source.waiting) note("not indexed yet", undefined, source.waiting);
    for (const { path, rule } of source.excluded) {
      const shown = isOfVersionControl(path, rule) ? undefined : source.inFolder(path);
      if (shown !== undefined && (filter?.matchesPath?.(shown) ?? true))
        note(reasonOf(rule), shown);
    }
  }
  return [...missing].map(([reason, { files, examples }]) => ({ reason, files, examples }));
}

/** The rules of indexing/prepare.ts and worker.ts. */
function reasonOf(rule: string): MissingReason {
  if (rule.startsWith("larger than maxFileBytes")) return "too large";
  return rule.startsWith("unreadable") ? "unreadable" : "excluded";
}

/** Folders that no search for code is about. */
function isOfVersionControl(path: string, rule: string): boolean {
  return NEVER_ENTERED.includes(basename(path)) || rule === GIT_DIRECTORY;
}
