/** Maps the lines of a text to the lines of an older version, as a diff does; uncommitted lines have no counterpart. */

/** If the changed middle parts have more pairs of lines, only lines that occur once are matched. */
const MAX_PAIRS = 4_000_000;

/** For each new line the index of the old one, or undefined. Ignores white space, as `git blame -w` does. */
export function mapLines(
  before: readonly string[],
  after: readonly string[],
): (number | undefined)[] {
  const [a, b] = [before, after].map((lines) => lines.map((line) => line.replaceAll(/\s+/g, "")));
  const map = Array.from<number | undefined>({ length: after.length });
  if (a === undefined || b === undefined) return map;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) map[start] = start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) map[--endB] = --endA;
  const [middleA, middleB] = [a.slice(start, endA), b.slice(start, endB)];
  const isSmall = middleA.length * middleB.length <= MAX_PAIRS;
  const pairs = isSmall ? longestCommon(middleA, middleB) : uniqueLines(middleA, middleB);
  for (const [i, j] of pairs) map[start + j] = start + i;
  return map;
}

type Pair = readonly [old: number, new_: number];

/** The longest common subsequence. */
function longestCommon(a: readonly string[], b: readonly string[]): Pair[] {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => i * width + j;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const [down, right] = [lengths[at(i + 1, j)] as number, lengths[at(i, j + 1)] as number];
      const both = (lengths[at(i + 1, j + 1)] as number) + 1;
      lengths[at(i, j)] = a[i] === b[j] ? both : Math.max(down, right);
    }
  }
  const pairs: Pair[] = [];
  for (let [i, j] = [0, 0]; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if ((lengths[at(i + 1, j)] as number) >= (lengths[at(i, j + 1)] as number)) i++;
    else j++;
  }
  return pairs;
}

/** Matches lines that occur once on both sides and are in the same order, as a patience diff does. */
function uniqueLines(a: readonly string[], b: readonly string[]): Pair[] {
  const [inA, inB] = [indexesByText(a), indexesByText(b)];
  const pairs: Pair[] = [];
  for (const [j, text] of b.entries()) {
    const [i, more] = inA.get(text) ?? [];
    if (i === undefined || more !== undefined || inB.get(text)?.length !== 1) continue;
    if (i > (pairs.at(-1)?.[0] ?? -1)) pairs.push([i, j]);
  }
  return pairs;
}

function indexesByText(lines: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [i, text] of lines.entries()) places.set(text, [...(places.get(text) ?? []), i]);
  return places;
}
