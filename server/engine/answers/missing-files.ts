/** Says which files of the scanned folders were not searched, by reason. */

import { getOrCreate } from "../../common/get-or-create.ts";
import type { Filter } from "../../contracts/lanes.ts";
import type { MissingFiles, MissingReason } from "../../contracts/occurrences-request.ts";
import { pathsIn } from "./folder-graph.ts";
import type { ScannedFolder } from "./scan-folder.ts";

const MAX_EXAMPLES = 3;

export function missingIn(
  folders: readonly ScannedFolder[],
  filter: Filter | undefined,
): readonly MissingFiles[] {
  const missing = new Map<MissingReason, { files: number; examples: string[] }>();
  const note = (reason: MissingReason, path?: string, files = 1) => {
    const own = getOrCreate(missing, reason, () => ({ files: 0, examples: [] }));
    own.files += files;
    if (path !== undefined && own.examples.length < MAX_EXAMPLES) own.examples.push(path);
  };
  for (const { folder, failures, late } of folders) {
    for (const { path, reason } of failures) note(reason, path);
    for (const path of late) note("time limit", path);
    const { state, indexed, total } = folder.index.workspace.status;
    if (state === "indexing" && total > indexed)
      note("not indexed yet", undefined, total - indexed);
    const inFolder = pathsIn(folder);
    for (const { path, rule } of folder.index.excluded.values()) {
      const shown = inFolder(path);
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
