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
  const isSmall = (endA - start) * (endB - start) <= MAX_PAIRS;
  const pairs = isSmall
    ? longestCommon(a, b, start, endA, endB)
    : uniqueLines(a, b, start, endA, endB);
  for (const [i, j] of pairs) map[j] = i;
  return map;
}

type Pair = readonly [old: number, new_: number];

/** The longest common subsequence of `a[start..endA]` and `b[start..endB]`. */
function longestCommon(
  a: readonly string[],
  b: readonly string[],
  start: number,
  endA: number,
  endB: number,
): Pair[] {
  const width = endB - start + 1;
  const lengths = new Uint16Array((endA - start + 1) * width);
  const at = (i: number, j: number) => (i - start) * width + (j - start);
  for (let i = endA - 1; i >= start; i--) {
    for (let j = endB - 1; j >= start; j--) {
      const [down, right] = [lengths[at(i + 1, j)] as number, lengths[at(i, j + 1)] as number];
      const both = (lengths[at(i + 1, j + 1)] as number) + 1;
      lengths[at(i, j)] = a[i] === b[j] ? both : Math.max(down, right);
    }
  }
  const pairs: Pair[] = [];
  for (let [i, j] = [start, start]; i < endA && j < endB; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if ((lengths[at(i + 1, j)] as number) >= (lengths[at(i, j + 1)] as number)) i++;
    else j++;
  }
  return pairs;
}

/** Matches lines that occur once on both sides and are in the same order, as a patience diff does. */
function uniqueLines(
  a: readonly string[],
  b: readonly string[],
  start: number,
  endA: number,
  endB: number,
): Pair[] {
  const [inA, inB] = [indexesByText(a, start, endA), indexesByText(b, start, endB)];
  const pairs: Pair[] = [];
  for (let j = start; j < endB; j++) {
    const text = b[j] ?? "";
    const [i, more] = inA.get(text) ?? [];
    if (i === undefined || more !== undefined || inB.get(text)?.length !== 1) continue;
    if (i > (pairs.at(-1)?.[0] ?? -1)) pairs.push([i, j]);
  }
  return pairs;
}

function indexesByText(
  lines: readonly string[],
  start: number,
  end: number,
): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let i = start; i < end; i++) {
    const text = lines[i] ?? "";
    places.set(text, [...(places.get(text) ?? []), i]);
  }
  return places;
}
