/** The list of files that a scan covers follows the stored files. */

import { expect, it } from "vitest";
import {
  type FilesToScan,
  filesToScan,
  pathsToScan,
} from "../../../server/engine/answers/files-to-scan.ts";
import type { ScanSource } from "../../../server/engine/answers/scan-source.ts";
import { StoredFiles } from "../../../server/indexing/stored-files.ts";

function sourceOf(files: StoredFiles, more: Partial<ScanSource> = {}): ScanSource {
  return {
    root: "/code",
    indexRoot: "/code",
    maxFileBytes: 1_000,
    files,
    unsaved: new Map(),
    excluded: [],
    waiting: undefined,
    categorize: () => "implementation",
    inFolder: (path) => path,
    definitionsIn: async () => new Map(),
    isKnown: () => true,
    ...more,
  };
}

function shown(list: FilesToScan): string[] {
  const names = list.paths === "" ? [] : pathsToScan(list);
  expect(list.size).toBe(names.length);
  return names.map((path) => {
    const { scanned } = list.candidate(path);
    expect(list.known.get(path)?.encoding).toBe(scanned.encoding);
    return [path, ...(scanned.encoding === undefined ? [] : [scanned.encoding])].join(" ");
  });
}

it("is kept while the stored files stay, and follows each change of them", () => {
  const files = new StoredFiles(new Map([["a.ts", "1"]]));
  const source = sourceOf(files);
  const list = () => filesToScan(source, undefined);
  expect(shown(list())).toEqual(["a.ts"]);
  expect(list()).toBe(list());
  files.put({ path: "b.ts", sha256: "2" });
  expect(shown(list())).toEqual(["a.ts", "b.ts"]);
  files.put({ path: "a.ts", sha256: "3", encoding: { name: "latin1", isGuess: true } });
  expect(shown(list())).toEqual(["a.ts latin1", "b.ts"]);
  files.remove("b.ts");
  expect(shown(list())).toEqual(["a.ts latin1"]);
  files.clear();
  expect(shown(list())).toEqual([]);
});

it("has only files that pass the filter and lie in the folder, and unsaved texts in place of theirs", () => {
  const files = new StoredFiles(
    new Map(["app/a.ts", "app/b.rb", "lib/a.ts"].map((path) => [path, "1"])),
  );
  const filter = { matchesPath: (path: string) => path.endsWith(".ts") };
  expect(shown(filesToScan(sourceOf(files), filter))).toEqual(["app/a.ts", "lib/a.ts"]);
  const inFolder = (path: string) => (path.startsWith("app/") ? path.slice(4) : undefined);
  const part = filesToScan(sourceOf(files, { root: "/code/app", inFolder }), undefined);
  expect(shown(part)).toEqual(["app/a.ts", "app/b.rb"]);
  expect(part.candidate("app/b.rb").shown).toBe("b.rb");
  const unsaved = new Map([["lib/a.ts", { shown: "lib/a.ts", text: "new" }]]);
  const buffers = filesToScan(sourceOf(files, { unsaved }), undefined);
  expect(buffers.known.get("lib/a.ts")).toEqual({ text: "new" });
  expect(buffers.candidate("lib/a.ts").isUnsaved).toBe(true);
});
