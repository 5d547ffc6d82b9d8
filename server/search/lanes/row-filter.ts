/** Turns a filter into what rows can be asked: patterns are tried on the paths and names that there are. */

import type { LaneRows, RowFilter } from "../../contracts/lane-rows.ts";
import type { Filter } from "../../contracts/lanes.ts";

/** `files` is the language by path. */
export async function toRowFilter(
  filter: Filter,
  files: ReadonlyMap<string, string>,
  rows: LaneRows,
): Promise<RowFilter> {
  const { symbolTypes, matchesName } = filter;
  const names = matchesName && (await rows.allNames()).filter(matchesName);
  return {
    ...pathsOf(filter, files),
    ...(symbolTypes === undefined ? {} : { symbolTypes: [...symbolTypes] }),
    ...(names === undefined ? {} : { symbolNames: names }),
  };
}

/** Returns the shorter of the allowed and the excluded paths: open buffers hide few of many files. */
function pathsOf(
  { languages, matchesPath }: Filter,
  files: ReadonlyMap<string, string>,
): Pick<RowFilter, "paths" | "share"> {
  if (languages === undefined && matchesPath === undefined) return { share: 1 };
  const passing: string[] = [];
  const failing: string[] = [];
  for (const [path, language] of files) {
    const passes = (languages?.has(language) ?? true) && (matchesPath?.(path) ?? true);
    (passes ? passing : failing).push(path);
  }
  const isExcluded = failing.length < passing.length;
  return {
    paths: { list: isExcluded ? failing : passing, isExcluded },
    share: passing.length / Math.max(1, files.size),
  };
}
