/** Places in the form `path:from-to`. */

import type { Place } from "./tasks.ts";

export function normalPlace({ path, startLine, endLine = startLine }: Place): string {
  if (startLine === undefined) return path;
  return endLine === startLine ? `${path}:${startLine}` : `${path}:${startLine}-${endLine}`;
}
