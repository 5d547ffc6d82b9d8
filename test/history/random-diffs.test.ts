/** Property tests of the diff parsers and the line mapping, with random diffs and moved lines. */

import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { locate } from "../../server/history/locate.ts";
import { mapLines } from "../../server/history/map-lines.ts";
import { parseDiff } from "../../server/history/parse-diff.ts";
import { type FilePatch, PatchParser } from "../../server/history/patch-parser.ts";
import { forAllRandom, type Random } from "../support/random.ts";

/** Lines that look like the headers of a diff, too. */
const lineBy = (chance: Random) =>
  chance.pick([
    "",
    "@@ -1 +1 @@",
    "-- a/x",
    "++ b/y",
    "diff --git",
    "\0abc",
    `line ${chance.int(99)}`,
  ]);
const linesBy = (chance: Random, most: number) =>
  Array.from({ length: chance.int(most + 1) }, () => lineBy(chance));

interface MadeHunk {
  readonly start: number;
  readonly oldStart: number;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Lines that stay, before the change; only in what people read. */
  readonly kept: readonly string[];
  readonly heading: string;
}

interface MadeFile {
  readonly path: string;
  readonly isGone: boolean;
  readonly hunks: readonly MadeHunk[];
}

function filesBy(chance: Random, keeps: boolean): MadeFile[] {
  return Array.from({ length: 1 + chance.int(3) }, (_, file) => {
    const isGone = chance.chance(0.2);
    let [start, oldStart] = [0, 0];
    const hunks = Array.from({ length: 1 + chance.int(isGone ? 1 : 4) }, (): MadeHunk => {
      const removed = [...linesBy(chance, 3), ...(isGone ? ["last"] : [])];
      const added = isGone ? [] : [...linesBy(chance, 3), ...(removed.length === 0 ? ["new"] : [])];
      const kept = keeps && !isGone ? linesBy(chance, 3) : [];
      const apart = 1 + chance.int(50);
      const made = { start: start + apart, oldStart: oldStart + apart, added, removed, kept };
      start += apart + kept.length + added.length;
      oldStart += apart + kept.length + removed.length;
      return { ...made, heading: chance.pick(["", "def f():", "@@"]) };
    });
    const path = chance.pick([`src/${file}.py`, `a ${file}/b.py`, `b/${file}`]);
    return { path, isGone, hunks };
  });
}

/** A range as git prints it: lines from 1; an empty range names the line before. */
function rangeOf(start: number, count: number, chance: Random): string {
  const first = count === 0 ? start : start + 1;
  return count === 1 && chance.chance(0.9) ? `${first}` : `${first},${count}`;
}

function printed(files: readonly MadeFile[], chance: Random): string[] {
  return files.flatMap(({ path, isGone, hunks }) => {
    const end = path.includes(" ") ? "\t" : "";
    return [
      `diff --git a/${path} b/${path}`,
      "index 123..456 100644",
      `--- a/${path}${end}`,
      isGone ? "+++ /dev/null" : `+++ b/${path}${end}`,
      ...hunks.flatMap(({ start, oldStart, added, removed, kept, heading }) => [
        `@@ -${rangeOf(oldStart, removed.length + kept.length, chance)} +${rangeOf(
          start,
          added.length + kept.length,
          chance,
        )} @@${heading === "" ? "" : ` ${heading}`}`,
        ...kept.map((line) => ` ${line}`),
        ...removed.map((line) => `-${line}`),
        ...(chance.chance(0.2) && removed.length > 0 ? ["\\ No newline at end of file"] : []),
        ...added.map((line) => `+${line}`),
      ]),
    ];
  });
}

function parse(lines: readonly string[]): (readonly [string, readonly FilePatch[]])[] {
  const found: (readonly [string, readonly FilePatch[]])[] = [];
  const parser = new PatchParser((sha, files) => found.push([sha, files]));
  for (const line of lines) parser.line(line);
  parser.end();
  parser.end();
  return found;
}

it("reads the diffs of commits", () =>
  forAllRandom({ seed: 1, numRuns: 40 }, (chance) => {
    const commits = [1, 2, 3].map((i) => ({
      sha: `${i}`.repeat(40),
      files: filesBy(chance, false),
    }));
    const output = commits.flatMap(({ sha, files }) => [`\0${sha}`, "", ...printed(files, chance)]);
    expect(parse(output)).toEqual(
      commits.map(({ sha, files }) => [
        sha,
        files.map(({ path, hunks }) => ({
          path,
          hunks: hunks.map(({ start, oldStart, added, removed, heading }) => {
            const hashed =
              added.length > 0
                ? added.map((line) => `+${line}`)
                : removed.map((line) => `-${line}`);
            return {
              start,
              oldStart,
              added,
              removed,
              heading,
              lines: added.length,
              oldLines: removed.length,
              textHash: createHash("sha1").update(hashed.join("")).digest("hex").slice(0, 16),
            };
          }),
        })),
      ]),
    );
  }));

describe("of a very large commit", () => {
  const patch = (hunks: number, lines: (i: number) => string[]) => [
    `\0${"1".repeat(40)}`,
    "+++ b/a.py",
    ...Array.from({ length: hunks }, (_, i) => lines(i)).flat(),
  ];
  const added = (count: number, text = "x") => [
    `@@ -0,0 +1,${count} @@`,
    ...Array.from({ length: count }, () => `+${text}`),
  ];
  const hunksOf = (lines: readonly string[]) => parse(lines)[0]?.[1].flatMap(({ hunks }) => hunks);

  it("the first hunks are kept", () => {
    expect(hunksOf(patch(501, () => added(1)))).toHaveLength(500);
  });
  it("the first lines of a file are kept", () => {
    const hunks = hunksOf(patch(3, () => added(201))) ?? [];
    expect(hunks.map((hunk) => hunk.added.length)).toEqual([201, 199, 0]);
    expect(hunks.map((hunk) => hunk.lines)).toEqual([201, 201, 201]);
  });
  it("the first lines are kept", () => {
    const lines = patch(10, (i) => [`+++ b/${i}.py`, ...added(400)]);
    const counts = hunksOf(lines)?.map((hunk) => hunk.added.length);
    expect(counts).toEqual([400, 400, 400, 400, 400, 400, 400, 200, 0, 0]);
  });
  it("long lines are not kept", () => {
    const [short, long] = ["x".repeat(499), "x".repeat(500)];
    expect(
      hunksOf(patch(2, (i) => added(1, i === 0 ? short : long)))?.map((hunk) => hunk.added),
    ).toEqual([[short], []]);
    const [hunk] = hunksOf(patch(1, () => [`@@ -0,0 +1 @@ ${long}y`, "+x"])) ?? [];
    expect(hunk?.heading).toBe(long);
  });
});

it("parses diffs with context", () =>
  forAllRandom({ seed: 1, numRuns: 40 }, (chance) => {
    const files = filesBy(chance, true);
    const hunks = parseDiff(printed(files, chance).join("\n"));
    const made = files.flatMap(({ path, hunks: each }) => each.map((hunk) => ({ path, ...hunk })));
    expect(hunks.map(({ path, lines, oldLines }) => [path, lines, oldLines])).toEqual(
      made.map(({ path, added, removed, kept }) => [
        path,
        added.length + kept.length,
        removed.length + kept.length,
      ]),
    );
    made.forEach(({ start, oldStart, added, removed, kept }, i) => {
      const hunk = hunks[i];
      // For an empty range, git names the line before.
      const begins = [added.length + kept.length > 0, removed.length + kept.length > 0];
      expect([begins[0] && hunk?.start, begins[1] && hunk?.oldStart]).toEqual([
        begins[0] && start,
        begins[1] && oldStart,
      ]);
      const text = hunk?.text.slice(1).filter((line) => !line.startsWith("\\"));
      expect(text).toEqual([
        ...kept.map((line) => ` ${line}`),
        ...removed.map((line) => `-${line}`),
        ...added.map((line) => `+${line}`),
      ]);
    });
  }));

/** Removes some lines of a text, and puts others in; also the old number of each new line. */
function edited(lines: readonly string[], chance: Random) {
  const after: string[] = [];
  const map: (number | undefined)[] = [];
  lines.forEach((line, i) => {
    if (chance.chance(0.15)) {
      after.push(`other ${i} ${chance.int(1e6)}`);
      map.push(undefined);
    }
    if (chance.chance(0.15)) return;
    after.push(chance.chance(0.2) ? `  ${line} ` : line);
    map.push(i);
  });
  return { after, map };
}

it("maps unchanged lines to the older text", () =>
  forAllRandom({ seed: 1, numRuns: 40 }, (chance) => {
    const before = Array.from({ length: chance.int(60) }, (_, i) => `line ${i}`);
    const { after, map } = edited(before, chance);
    expect(mapLines(before, after)).toEqual(map);
  }));

it("maps lines in texts that are too long to compare all pairs", () =>
  forAllRandom({ seed: 7, numRuns: 1 }, (chance) => {
    const before = Array.from({ length: 2_600 }, (_, i) => `line ${i}`);
    before[1_000] = "twice";
    before[1_010] = "twice";
    const { after, map } = edited(before, chance);
    const found = mapLines(before, ["new", ...after, "more"]);
    const repeated = new Set([1_000, 1_010]);
    const expected = [undefined, ...map, undefined];
    expect(found.map((old, i) => (repeated.has(expected[i] ?? -1) ? undefined : old))).toEqual(
      expected.map((old) => (repeated.has(old ?? -1) ? undefined : old)),
    );
  }));

it("maps as many lines as the longest common subsequence", () =>
  forAllRandom({ seed: 1, numRuns: 40 }, (chance) => {
    const letters = () =>
      Array.from({ length: chance.int(12) }, () => chance.pick(["a", "b", "c"]));
    const [before, after] = [letters(), letters()];
    const map = mapLines(before, after);
    const kept = map.filter((old) => old !== undefined);
    expect(kept).toEqual(kept.toSorted((a, b) => a - b));
    expect(new Set(kept).size).toBe(kept.length);
    expect(map.every((old, i) => old === undefined || before[old] === after[i])).toBe(true);
    expect(kept.length).toBe(longestCommon(before, after));
  }));

function longestCommon([a, ...restA]: string[], [b, ...restB]: string[]): number {
  if (a === undefined || b === undefined) return 0;
  if (a === b) return 1 + longestCommon(restA, restB);
  return Math.max(longestCommon(restA, [b, ...restB]), longestCommon([a, ...restA], restB));
}

describe("lines of an old commit", () => {
  const text = Array.from({ length: 80 }, (_, i) => `    statement ${i}`);
  it.each([
    [5, 9, 0],
    [0, 3, 4],
    [70, 80, 2],
    [10, 11, 0],
  ])("%i to %i are found after %i others were put in front", (from, to, more) => {
    const now = [...Array.from({ length: more }, (_, i) => `something else ${i}`), ...text];
    const wanted = text.slice(from, to).map((line) => line.trim());
    expect(locate(wanted, now)).toEqual({ start: from + more, end: to - 1 + more });
  });
  it("are located with half of them, and not with fewer", () => {
    const wanted = [...text.slice(10, 12), "was removed 1", "was removed 2"];
    expect(locate(wanted, text)).toEqual({ start: 10, end: 11 });
    expect(locate([...wanted, "was removed 3"], text)).toBeUndefined();
  });
  it("are located where most of them are close together", () => {
    const now = [...text.slice(0, 40), "    statement 3", ...text.slice(40)];
    expect(locate(text.slice(2, 5), now)).toEqual({ start: 2, end: 4 });
    const apart = ["one statement", ..."abc".repeat(9).split(""), "two statement", "x", "y"];
    expect(locate(["one statement", "two statement"], apart)).toEqual({ start: 0, end: 0 });
    const near = ["one statement", "a", "b", "c", "two statement"];
    expect(locate(["one statement", "two statement"], near)).toEqual({ start: 0, end: 4 });
  });
  it("are not located if they are short", () => {
    expect(locate(["}", "end", "return;"], ["}", "end", "return;"])).toBeUndefined();
    expect(locate(["return 1"], ["x", "return 1"])).toEqual({ start: 1, end: 1 });
  });
});

it("returns lines of a file with CRLF without line endings", () => {
  const header = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n";
  const [hunk] = parseDiff(`${header} one\r\n+two\r\n`);
  expect(hunk?.text).toEqual(["@@ -1 +1,2 @@", " one", "+two"]);
});
