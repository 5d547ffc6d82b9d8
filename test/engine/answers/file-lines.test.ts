/** Random line ranges of random files, compared with the lines of the whole text. */

import { expect, it } from "vitest";
import { splitLines } from "../../../server/common/text.ts";
import { lineTraitsOf, maskedLines } from "../../../server/engine/answers/file-lines.ts";
import { decode } from "../../../server/indexing/discovery/decode.ts";
import { maskSecrets } from "../../../server/indexing/secrets/redact.ts";
import { secretsIn } from "../../../server/indexing/secrets/secrets.ts";
import { forAllRandom, type Random } from "../../support/random.ts";

const PIECES = [
  "",
  "a",
  "\u00e9t\u00e9",
  "\uFEFFx",
  "\u{1F600}",
  "  return 1",
  'key = "AKIAIOSFODNN7EXAMPLQ"',
  "as in this example:",
  'password = "hunter2hunter2"',
];
const ENDS = ["\n", "\n", "\n", "\r\n"];

function textBy(chance: Random): string {
  const begin = chance.chance(0.3) ? "\uFEFF" : "";
  const lines = Array.from(
    { length: chance.int(8) },
    () => chance.pick(PIECES) + chance.pick(ENDS),
  ).join("");
  // Without a final line end, or with a carriage return in the middle.
  return begin + lines + chance.pick(["", "last", chance.chance(0.5) ? "old\rMac" : ""]);
}

it("A range has the same lines in any order of requests", () =>
  forAllRandom({ seed: 1, numRuns: 400 }, (chance) => {
    const text = textBy(chance);
    const bytes = chance.chance(0.1) ? Buffer.from(text, "utf16le") : Buffer.from(text);
    const decoded = decode(bytes) ?? "";
    const whole = splitLines(maskSecrets(decoded, secretsIn(decoded)));
    const traits = lineTraitsOf(bytes, undefined);
    const linesOf = maskedLines(bytes, undefined, traits, secretsIn);
    for (let ask = 0; ask < 20; ask++) {
      const start = chance.int(10);
      const end = start + chance.int(6) - 1;
      const wanted = end < start ? [] : whole.slice(start, end + 1);
      expect({ text, start, end, lines: linesOf({ start, end }) }).toEqual({
        text,
        start,
        end,
        lines: wanted,
      });
    }
    expect(linesOf({ start: 0, end: whole.length - 1 })).toEqual(whole);
  }));
