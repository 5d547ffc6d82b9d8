/** The hash of a commit as it is shown to people. */

/** As many letters as are enough in the largest repositories. */
const LENGTH = 10;

export function shortSha(sha: string): string {
  return sha.slice(0, LENGTH);
}
