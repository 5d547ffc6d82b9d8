/** The automaton of a pattern counts what re2js finds match by match. */

import { RE2JS } from "re2js";
import { expect, it } from "vitest";
import { linesOf } from "../../../server/common/text.ts";
import { Automaton } from "../../../server/search/occurrences/automaton.ts";
import { countInLines } from "../../../server/search/occurrences/count-in-lines.ts";
import { programOf } from "../../../server/search/occurrences/program.ts";
import { forAllRandom, type Random } from "../../support/random.ts";

const counted = (pattern: RE2JS, text: string) =>
  countInLines(text, new Automaton(programOf(pattern)), () => false);

/** Empty matches of a line count as one, and only if it has no others. */
function found(pattern: RE2JS, text: string): number {
  return linesOf(text).reduce((sum, line) => {
    const matcher = pattern.matcher(line);
    let [matches, hasEmpty] = [0, false];
    while (matcher.find())
      if (matcher.end() > matcher.start()) matches++;
      else hasEmpty = true;
    return sum + (matches > 0 ? matches : Number(hasEmpty));
  }, 0);
}

const ATOMS = [
  "a",
  "b",
  "_",
  " ",
  ".",
  "é",
  "😀",
  "ſ",
  "K",
  "\\w",
  "\\W",
  "\\s",
  "\\d",
  "[ab]",
  "[^a]",
  "[^\\n😀]",
];
const CONDITIONS = ["^", "$", "\\b", "\\B", "\\A", "\\z"];
const REPEATS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,}", "{2,3}?"];
const FLAGS = ["(?i)", "(?s)", "(?U)", "(?m)", "(?-m)", ""];

function patternOf(random: Random, depth = 3): string {
  const inner = () => patternOf(random, depth - 1);
  if (depth === 0 || random.chance(0.3)) return random.pick(ATOMS);
  switch (random.int(6)) {
    case 0:
      return random.pick(CONDITIONS);
    case 1:
      return `(?:${inner()}|${inner()})`;
    case 2:
      return `(${inner()})${random.pick(REPEATS)}`;
    default:
      return inner() + inner();
  }
}

function textOf({ int, pick }: Random): string {
  const units = [
    "a",
    "b",
    "A",
    "_",
    "1",
    " ",
    "\t",
    "é",
    "É",
    "s",
    "ſ",
    "k",
    "K",
    "😀",
    "😁",
    "\ud83d",
    "\n",
  ];
  return Array.from({ length: int(40) }, () => pick(units)).join("");
}

it("An automaton counts what re2js finds, for any pattern and text", async () => {
  let matches = 0;
  await forAllRandom({ seed: 54, numRuns: 1_000 }, (random) => {
    const pattern = random.pick(FLAGS) + patternOf(random);
    const compiled = RE2JS.compile(pattern, random.chance(0.2) ? RE2JS.CASE_INSENSITIVE : 0);
    const text = textOf(random);
    const expected = found(compiled, text);
    expect([pattern, text, counted(compiled, text)]).toEqual([pattern, text, expected]);
    matches += expected;
  });
  expect(matches).toBeGreaterThan(1_000);
});

it("Classes of characters beyond the first sixteen have room", () => {
  const letters = Array.from("abcdefghijklmnopqrstuvwxyz");
  const pattern = RE2JS.compile(letters.map((letter) => `${letter}${letter}`).join("|"));
  const text = letters.map((letter) => `${letter}${letter}.${letter}\n`).join("");
  expect(counted(pattern, text)).toBe(26);
});
