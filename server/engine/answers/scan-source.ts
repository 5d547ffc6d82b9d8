/** The files of an index that a scan covers: an opened folder, or a stored index whose folder is here. */

import { existsSync } from "node:fs";
import { runToEnd } from "../../common/slices.ts";
import type { CodeSymbol, ExcludedFile } from "../../contracts/model.ts";
import type { Settings } from "../../contracts/settings.ts";
import type { StoredFiles } from "../../indexing/stored-files.ts";
import { type Categorize, categorizer } from "../../languages/categories.ts";
import type { StoredIndex } from "../indexes/stored-indexes.ts";
import type { Unsaved } from "./buffers.ts";
import { Folder } from "./folder.ts";
import { pathsIn } from "./folder-graph.ts";
import type { SearchTargets } from "./search-targets.ts";

export interface ScanSource {
  /** The folder that shown paths are relative to. */
  readonly root: string;
  /** The folder that indexed paths are relative to. */
  readonly indexRoot: string;
  readonly maxFileBytes: number;
  /** Undefined until the stored index is loaded. */
  readonly files: StoredFiles | undefined;
  /** By indexed path. */
  readonly unsaved: ReadonlyMap<string, Unsaved>;
  /** Content that is not indexed, by indexed path. */
  readonly excluded: Iterable<ExcludedFile>;
  /** The number of files that wait to be indexed; undefined if no pass is running. */
  readonly waiting: number | undefined;
  categorize: Categorize;
  /** The shown path of an indexed one; undefined outside of the folder. */
  inFolder(path: string): string | undefined;
  /** By shown path. */
  definitionsIn(paths: readonly string[]): Promise<ReadonlyMap<string, readonly CodeSymbol[]>>;
  /** Whether the definitions of a file, by its indexed path, are about the text with this hash. */
  isKnown(path: string, sha256: string | undefined): boolean;
}

/** The sources of the searched indexes, and a sentence for each index without one or with a part of its files. */
export function scanSources({ indexes, settings, buffers }: SearchTargets): {
  readonly sources: readonly ScanSource[];
  readonly warnings: readonly string[];
} {
  const sources: ScanSource[] = [];
  const warnings: string[] = [];
  for (const target of indexes) {
    if (target instanceof Folder) {
      sources.push(sourceOfFolder(target, buffers));
      continue;
    }
    const { name, root, isForeign } = target;
    if (isForeign || !existsSync(root)) {
      const why = isForeign ? "belongs to another installation" : `is of ${root}, which is gone`;
      warnings.push(`index "${name}" was not searched: it ${why}`);
      continue;
    }
    sources.push(sourceOfStored(target, settings));
    warnings.push(
      `index "${name}" is not open: files that were added to ${root} since it was indexed were not searched`,
    );
  }
  return { sources, warnings };
}

function sourceOfFolder(folder: Folder, buffers: SearchTargets["buffers"]): ScanSource {
  const { index } = folder;
  const unsaved = buffers.unsavedIn(index);
  const { state, indexed, total } = index.workspace.status;
  return {
    root: folder.root,
    indexRoot: index.root,
    maxFileBytes: index.settings["indexing.maxFileBytes"],
    files: index.files,
    unsaved,
    excluded: index.excluded.values(),
    waiting: state === "indexing" ? total - indexed : undefined,
    categorize: categorizeFor(index.files, index.lanes?.generation),
    inFolder: pathsIn(folder),
    definitionsIn: async (paths) => (await folder.lanes(buffers)).definitionsIn(paths),
    isKnown: (path, sha256) =>
      unsaved.has(path) ? buffers.isPrepared(index, path) : index.storedHash(path) === sha256,
  };
}

function sourceOfStored({ root, files, lanes }: StoredIndex, settings: Settings): ScanSource {
  return {
    root,
    indexRoot: root,
    maxFileBytes: settings["indexing.maxFileBytes"],
    files,
    unsaved: new Map(),
    excluded: [],
    waiting: undefined,
    categorize: categorizeFor(files, lanes.generation),
    inFolder: (path) => path,
    definitionsIn: (paths) => lanes.definitionsIn(paths),
    isKnown: (path, sha256) => files.hash(path) === sha256,
  };
}

/** For the state of the files: the shape of the repository decides about some files. */
const categorizers = new WeakMap<
  StoredFiles,
  { readonly state: string; readonly of: Categorize }
>();

function categorizeFor(files: StoredFiles | undefined, state = ""): Categorize {
  if (files === undefined) return runToEnd(categorizer([]));
  const known = categorizers.get(files);
  if (known?.state === state) return known.of;
  const of = runToEnd(categorizer(files.paths()));
  categorizers.set(files, { state, of });
  return of;
}
