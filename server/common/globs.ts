/** Refuses glob patterns from untrusted files that would take too long to match. */

/** Longer patterns are not written by hand. */
const MAX_PATTERN_LENGTH = 1_000;
/** In one name, and of folders: the time that a match takes grows with the length of the path to the power of this. */
const MAX_WILDCARDS = 3;

/** Whether matching it ends soon, whatever the path: seven stars in a name of 60 letters take longer than a day. */
export function isSafeGlob(pattern: string): boolean {
  const parts = pattern.split("/");
  const folders = parts.filter((part) => part.includes("**")).length;
  const wildcards = Math.max(...parts.map((part) => part.match(/\*+/g)?.length ?? 0));
  return (
    pattern.length <= MAX_PATTERN_LENGTH && folders <= MAX_WILDCARDS && wildcards <= MAX_WILDCARDS
  );
}
