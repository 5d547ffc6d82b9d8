/** Abbreviates the hash of a commit for display. */

/** Unambiguous even in the largest repositories. */
const LENGTH = 10;

export function shortSha(sha: string): string {
  return sha.slice(0, LENGTH);
}
