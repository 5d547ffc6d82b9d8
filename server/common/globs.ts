/** How much a pattern out of somebody else's files may ask for. */

/** Nobody writes a longer one. */
const LONGEST = 1_000;
/** In one name, and of folders: the time that a match takes grows with the length of the path to the power of this. */
const MOST_WILDCARDS = 3;

/** Whether matching it ends soon, whatever the path: seven stars in a name of 60 letters take longer than a day. */
export function isSafeGlob(pattern: string): boolean {
  const parts = pattern.split("/");
  const folders = parts.filter((part) => part.includes("**")).length;
  const most = Math.max(...parts.map((part) => part.match(/\*+/g)?.length ?? 0));
  return pattern.length <= LONGEST && folders <= MOST_WILDCARDS && most <= MOST_WILDCARDS;
}
