/** Messages that a string with placeholders prints. */

import { describe, expect, it } from "vitest";
import { eachToken } from "../../../server/common/words.ts";
import { templateFinder } from "../../../server/search/literal/match-template.ts";
import { forAllRandom } from "../../support/random.ts";

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  eachToken(text, (start, end) => tokens.push(text.slice(start, end).toLowerCase()));
  return tokens;
}

function find(message: string, ...lines: readonly string[]) {
  const tokens = tokensOf(message);
  const [isValue, weights] = [tokens.map(() => false), tokens.map(() => 1)];
  return templateFinder({ tokens, isValue, weights })(lines);
}

describe("a message with values that are words of the code", () => {
  it.each([
    ["cannot add integer and string", 'mismatch!("cannot add {} and {}", a, b)'],
    ["cannot add integer and string", "`cannot add ${a.name()} and ${b}`"],
    ["cannot add integer and string", "'cannot add %s and %s' % (a, b)"],
    ["cannot add integer and string", 'printf("cannot add %-10s and %s\\n", a, b)'],
    ["user index not found in file", '"{name} not found in {}"'],
  ])("%s is printed by %s", (message, line) => {
    const place = find(message, "", line);
    expect(place).toMatchObject({ line: 1, share: 1, isInString: true });
  });
  it.each([
    ["a string that prints more", "cannot add integer and string", '"cannot add {} and {} here"'],
    ["a string that prints less", "cannot add integer and string now", '"cannot add {} and int"'],
    ["a string without placeholders", "cannot add integer", '"cannot add integer"'],
    ["a string of few words", "integer has string", '"{} lacks {}"'],
    ["a string of common words", "integer is in the string", '"{} is in the {}"'],
    ["a value of many words", "cannot add the a b c d e f g", '"cannot add the {}"'],
    ["text outside of strings", "cannot add integer and string", "cannot add {a} and {b}"],
  ])("is not printed by %s", (_, message, line) => expect(find(message, line)).toBeUndefined());
  it("leads to the string with the most of its words", () => {
    const lines = ['"cannot {} integer and {}"', '"cannot add integer and {}"', '"cannot add {}"'];
    expect(find("cannot add integer and string", ...lines)?.line).toBe(1);
  });
  it("is found for any values of up to six words", async () => {
    await forAllRandom({ seed: 7, numRuns: 300 }, (random) => {
      const words = () =>
        Array.from({ length: 1 + random.int(6) }, () => random.pick(["file", "cannot", "and"]));
      const message = ["cannot", "open", ...words(), "because", "of", ...words()].join(" ");
      expect(find(message, 'fail("cannot open {} because of {}")')?.share).toBe(1);
    });
  });
});
