/** Lines in the form of .gitignore, compiled: which of them has the last word about a path. */

import ignore from "ignore";
import { isSafeGlob } from "../../common/globs.ts";

export interface IgnorePattern {
  /** From 1; 0 for a line that brings back, of which nobody is told. */
  readonly line: number;
  /** As it was written. */
  readonly text: string;
  /** Brings back what an earlier one leaves out. */
  readonly isNegated: boolean;
}

/** The last line that fits the path; undefined when none does. The path is relative to where the lines stand. */
export type FindPattern = (path: string, isFolder: boolean) => IgnorePattern | undefined;

/** As git does by default where file names differ in more than case. */
const IGNORES_CASE = process.platform === "win32" || process.platform === "darwin";

/**
 * A path is judged by itself: the folders above it were asked when they were walked into. Below a folder that
 * these lines leave out and that a stronger source brought back, only lines about names have a word.
 */
export function compilePatterns(lines: readonly string[]): FindPattern {
  const matcher = ignore({ allowRelativePaths: true, ignorecase: IGNORES_CASE });
  // The mark comes back with the line that decided.
  for (const [i, line] of lines.entries()) {
    if (!isSafeGlob(line)) continue;
    matcher.add({ pattern: line.replace(/\r$/, ""), mark: String(i + 1) });
  }
  return (path, isFolder) => {
    const nameAt = path.lastIndexOf("/") + 1;
    const isBroughtBack = nameAt > 0 && matcher.ignores(path.slice(0, nameAt));
    const asked = isBroughtBack ? path.slice(nameAt) : path;
    const { unignored, rule } = matcher.test(isFolder ? `${asked}/` : asked);
    if (unignored) return { line: 0, text: "", isNegated: true };
    return rule && { line: Number(rule.mark), text: rule.pattern, isNegated: false };
  };
}
