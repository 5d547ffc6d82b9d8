/** Finds the files of an index that the frames of a stack trace name, which was written on another machine. */

import { baseNameOf } from "../../common/relative-path.ts";
import { isNamed, sharedEnding } from "../paths.ts";
import type { Frame } from "./stack-frames.ts";

/** Many files share a name. The name with its folder identifies the file, wherever it is installed. */
const MIN_SHARED_SEGMENTS = 2;

/** Whether the path of a frame may denote this file: the whole path matches, or the file name and its folder. */
export function mayBeFrameOf(file: string, { path }: Frame): boolean {
  return isNamed(file, path) || sharedEnding(file, path) >= MIN_SHARED_SEGMENTS;
}

export interface FrameMatch {
  readonly file: string;
  readonly frame: Frame;
}

/** Each frame with the files that match it best, innermost first; frames of libraries match none. */
export function matchFrames(
  frames: readonly Frame[],
  files: Iterable<string>,
): readonly FrameMatch[] {
  if (frames.length === 0) return [];
  const byName = new Map<string, string[]>();
  for (const file of files) {
    const name = baseNameOf(file);
    byName.set(name, [...(byName.get(name) ?? []), file]);
  }
  return frames.flatMap((frame) => {
    const candidates = (byName.get(baseNameOf(frame.path)) ?? [])
      .filter((file) => mayBeFrameOf(file, frame))
      .map((file) => ({ file, frame, shared: sharedEnding(file, frame.path) }));
    const best = Math.max(0, ...candidates.map(({ shared }) => shared));
    return candidates.filter(({ shared }) => shared === best);
  });
}
