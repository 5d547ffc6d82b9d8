/** Finds the files of one index that a bug report names: by frames, paths, links and dotted modules. */

import { baseNameOf } from "../../common/relative-path.ts";
import type { Lanes } from "../../contracts/lanes.ts";
import { squash, stemOf } from "../paths.ts";
import type { ReportPlace } from "./report-frames.ts";
import type { MentionedModule } from "./report-names.ts";

export interface NamedFile {
  /** The weight of the mention as evidence, 0 to 1. */
  readonly weight: number;
  /** Lines and functions of it that are named, best first. */
  readonly places: readonly ReportPlace[];
}

/** An import says which part of the project is used, seldom more. */
const MODULE_FACTOR = 0.5;

/** Folders of installed dependencies. */
const LIBRARY =
  /(?:^|\/)(?:site-packages|dist-packages|node_modules|vendor|gems|\.cargo\/registry|pkg\/mod|deps|lib\/python[\d.]+|usr\/(?:local\/)?lib|rustc|libstd|jdk|internal)\//i;

export function filesOfReport(
  places: readonly ReportPlace[],
  modules: readonly MentionedModule[],
  lanes: Lanes,
): ReadonlyMap<string, NamedFile> {
  const files = new Map<string, { weight: number; places: ReportPlace[] }>();
  const add = (path: string, weight: number, place?: ReportPlace) => {
    const known = files.get(path) ?? { weight: 0, places: [] };
    known.weight = Math.max(known.weight, weight);
    if (place !== undefined) known.places.push(place);
    files.set(path, known);
  };
  const frames = new Map<string, number>();
  for (const written of places) {
    const paths = pathsOf(written.path, lanes);
    if (paths.length === 0) continue;
    const place = { ...written, weight: weightOf(written, frames) };
    for (const path of paths) add(path, place.weight / paths.length, place);
  }
  for (const { path, weight } of modules) {
    const paths = modulePaths(path, lanes);
    for (const found of paths) add(found, (weight * MODULE_FACTOR) / paths.length);
  }
  return files;
}

/** Frames of libraries count for nothing, so the first frame of the project is the innermost. */
function weightOf({ weight, trace }: ReportPlace, frames: Map<string, number>): number {
  if (trace === undefined) return weight;
  const before = frames.get(trace) ?? 0;
  frames.set(trace, before + 1);
  return weight * Math.max(MIN_FRAME_WEIGHT, FRAME_DECAY ** before);
}

/** Where a traceback ends says most; each frame further out says this share of the one before. */
const FRAME_DECAY = 0.65;
const MIN_FRAME_WEIGHT = 0.2;

/** The files that share the most last segments with a path of another machine; the file name alone must be enough on its own. */
function pathsOf(written: string, lanes: Lanes): readonly string[] {
  const wanted = written.replaceAll("\\", "/").split("/").filter(Boolean);
  const name = wanted.at(-1) ?? "";
  const candidates = lanes
    .pathsByStem(squash(stemOf(name)))
    .filter((path) => path === name || path.endsWith(`/${name}`));
  const graded = candidates.map((path) => ({
    path,
    shared: sharedSegments(path.split("/"), wanted),
  }));
  const most = Math.max(0, ...graded.map(({ shared }) => shared));
  const best = graded.filter(({ shared }) => shared === most).map(({ path }) => path);
  const isWhole = most === wanted.length || best.some((path) => path.split("/").length === most);
  if (isWhole || most >= 2) return best.length > MAX_SAME ? [] : best;
  return best.length === 1 && !LIBRARY.test(written) ? best : [];
}

/** A file name shared by more files than this does not locate anything. */
const MAX_SAME = 5;

function sharedSegments(path: readonly string[], wanted: readonly string[]): number {
  let shared = 0;
  while (
    shared < Math.min(path.length, wanted.length) &&
    path.at(-1 - shared) === wanted.at(-1 - shared)
  ) {
    shared++;
  }
  return shared;
}

/** `a/b/c` is the file `a/b/c.py`, or the one in the folder `a/b/c` that is named like it. */
function modulePaths(module: string, lanes: Lanes): readonly string[] {
  const stem = squash(baseNameOf(module));
  const name = baseNameOf(module);
  return lanes
    .pathsByStem(stem)
    .filter((path) => {
      const plain = `/${path.replace(/\.[^./]+$/, "")}`;
      return plain.endsWith(`/${module}`) || plain.endsWith(`/${module}/${name}`);
    })
    .slice(0, MAX_SAME);
}
