/** The parts of a scan: each file belongs to one scanner, and to the same one in every scan. */

import { expect, it } from "vitest";
import { PATH_SEPARATOR } from "../../../server/contracts/scanner.ts";
import { type FilesToScan, pathsToScan } from "../../../server/engine/answers/files-to-scan.ts";
import { partsOf } from "../../../server/engine/answers/scan-parts.ts";
import { noScanner } from "../../support/fake-preparer.ts";

const SCANNERS = [{ ...noScanner }, { ...noScanner }];
const PATHS = Array.from({ length: 4_000 }, (_, n) => `app/models/${n % 50}/model_${n}.rb`);

function listOf(paths: readonly string[], indexed = paths.length): FilesToScan {
  const known = new Map([[paths[0] ?? "", { text: "unsaved" }]]);
  const joined = paths.join(PATH_SEPARATOR);
  const candidate = (path: string) => {
    throw new Error(path);
  };
  return { size: paths.length, indexed, paths: joined, known, candidate };
}

/** The scanner's number of each path. */
function ownersIn(list: FilesToScan, root = "/code"): Map<string, number> {
  const owners = new Map<string, number>();
  for (const part of partsOf(root, list, SCANNERS)) {
    const paths = pathsToScan(part);
    expect(part.size).toBe(paths.length);
    for (const path of part.known.keys()) expect(paths).toContain(path);
    for (const path of paths) owners.set(path, SCANNERS.indexOf(part.scanner));
  }
  return owners;
}

it("have every file once, and about as many each", () => {
  const owners = ownersIn(listOf(PATHS));
  expect([...owners.keys()].toSorted()).toEqual(PATHS.toSorted());
  const first = [...owners.values()].filter((owner) => owner === 0).length;
  expect(Math.abs(first - PATHS.length / 2)).toBeLessThan(PATHS.length / 20);
});

it("keep their files when others are added, removed or filtered", () => {
  const owners = ownersIn(listOf(PATHS));
  const some = ownersIn(listOf(["new.rb", ...PATHS.slice(1_500)]));
  const few = ownersIn(listOf(PATHS.slice(0, 10), PATHS.length));
  for (const path of PATHS.slice(1_500)) expect(some.get(path)).toBe(owners.get(path));
  for (const path of PATHS.slice(0, 10)) expect(few.get(path)).toBe(owners.get(path));
});

it("are one for a small index, and not the same one for each", () => {
  const roots = Array.from({ length: 20 }, (_, n) => `/code/${n}`);
  const used = roots.map((root) => new Set(ownersIn(listOf(PATHS.slice(0, 900)), root).values()));
  expect(used.every((owners) => owners.size === 1)).toBe(true);
  expect(new Set(used.flatMap((owners) => [...owners])).size).toBe(2);
});

it("are none without files, and have what each scanner needs to know", () => {
  expect(partsOf("/code", listOf([]), SCANNERS)).toEqual([]);
  const parts = partsOf("/code", listOf(PATHS), SCANNERS);
  expect(parts.map(({ known }) => known.size).toSorted((a, b) => a - b)).toEqual([0, 1]);
});
