/** Property tests of small functions, compared with the simplest implementation or with golden/formatted.txt. */

import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { formatTokens } from "../../server/common/format-tokens.ts";
import { expandBraces, isCheapGlob, literalEnds } from "../../server/common/glob.ts";
import { isInside, pathInside } from "../../server/common/path-inside.ts";
import { advance, formatRemainingTime, type Pace } from "../../server/common/remaining-time.ts";
import { byteOffsetsOf, lineAt, lineStartsOf, wholeCharacter } from "../../server/common/text.ts";
import { formatAge, parseTime } from "../../server/common/time-text.ts";
import { identifierPartsOf, wordsOf, wordsOfToken } from "../../server/common/words.ts";
import { random } from "../support/random.ts";

it("lineAt and byteOffsetsOf agree with counting", () => {
  const unit = fc.constantFrom("a", "b", "\n", "\n", "\r\n", "é", "\u{1f600}", "用", "\t");
  const check = (text: string) => {
    const starts = lineStartsOf(text);
    const bytes = byteOffsetsOf(text);
    for (let offset = 0; offset <= text.length; offset++) {
      const before = text.slice(0, offset);
      expect(lineAt(starts, offset)).toBe(before.split("\n").length - 1);
      const isSplit = /[\ud800-\udbff]$/.test(before) && offset < text.length;
      expect(wholeCharacter(text, offset)).toBe(isSplit ? offset - 1 : offset);
      // An offset inside a surrogate pair has no byte offset.
      expect(bytes(offset)).toBe(isSplit ? bytes(offset) : Buffer.byteLength(before));
    }
  };
  fc.assert(fc.property(fc.string({ unit, maxLength: 60 }), check), { seed: 1, numRuns: 200 });
});

it("isInside agrees with node:path", () => {
  const path = fc
    .array(fc.constantFrom("a", "b", "..a", "a b"), { maxLength: 3 })
    .map((names) => `/${names.join("/")}`);
  const check = (root: string, other: string) => {
    const base = root === "/" ? "/" : `${root}/`;
    const expected =
      root !== other && other.startsWith(base) ? other.slice(base.length) : undefined;
    expect(pathInside(root, other)).toBe(expected);
    expect(isInside(root, other)).toBe(expected !== undefined);
  };
  fc.assert(fc.property(path, path, check), { seed: 2, numRuns: 500 });
});

it("Times, amounts and words are formatted as in the golden file", async () => {
  const chance = random(3);
  const lines: string[] = [];
  const now = Date.UTC(2024, 4, 6, 7, 8, 9);
  for (const given of "90d|6 months|2 weeks ago|1m|3 min|5 minutes ago|7h|8s|9y|1 year|10w|1mo|0d|1234567d|2024-05-01|2024|2024-5|2024-05-01T10:00:00Z|2024-13-01|20240501|1700000000|99999999|never|-3d|3 d ago|yesterday||12x".split(
    "|",
  ))
    lines.push(`${given}: ${parseTime(given, now)}`);
  lines.push(`${parseTime(5, now)} ${parseTime(Number.NaN, now)}`);
  for (const age of [
    -5, 0, 59, 60, 119, 3599, 3600, 86_399, 86_400, 604_799, 604_800, 2_629_745, 2_629_746,
    31_556_951, 31_556_952, 63_113_904,
  ])
    lines.push(`${age}: ${formatAge(1000 - age, 1000)}`);
  for (const left of [
    0, 1, 999, 4_999, 5_000, 30_000, 59_999, 60_000, 61_000, 119_999, 120_000, 3_599_999, 3_600_000,
    3_660_000, 7_200_000, 86_400_000, 200_000_000,
  ])
    lines.push(`left ${left}: ${formatRemainingTime(left)}`);
  for (const tokens of [0, 1, 1234])
    for (const remainingTokens of [0, 5, 12_345])
      lines.push(`tokens: ${formatTokens({ tokens, tokensPerSecond: 1000, remainingTokens })}`);
  let pace: Pace | undefined;
  let [done, at] = [0, 0];
  for (let step = 0; step < 120; step++) {
    done = chance.chance(0.03) ? 0 : done + chance.int(step % 30 === 7 ? 300 : 20);
    at += chance.int(900);
    pace = advance(pace, Math.min(done, 2000), 2000, at);
    lines.push(`pace ${done} at ${at}: ${pace.samples.length} ${pace.leftMs?.toFixed(0)}`);
  }
  const pieces = "get|User|ID|HTTP|2|_|-|.|/|$|größe|数据库| |x|JSON|é|#|()".split("|");
  for (let round = 0; round < 50; round++) {
    const text = Array.from({ length: 1 + chance.int(6) }, () => chance.pick(pieces)).join("");
    const found = [identifierPartsOf(text), wordsOfToken(text), wordsOf(text)];
    lines.push(`${JSON.stringify(text)} ${JSON.stringify(found)}`);
  }
  const globs = "a|*|**|{|}|,|?|[a-c]|[!x]|/|\\*|.ts|!|{b,c}".split("|");
  for (let round = 0; round < 50; round++) {
    const glob = Array.from({ length: 1 + chance.int(6) }, () => chance.pick(globs)).join("");
    const { prefix, suffix } = literalEnds(glob);
    lines.push(
      `${glob} ends ${prefix} ${suffix} cheap ${isCheapGlob(glob)} ${JSON.stringify(expandBraces(glob, 5))}`,
    );
  }
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, "golden/formatted.txt"),
  );
});
