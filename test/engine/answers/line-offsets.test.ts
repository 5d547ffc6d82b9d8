/** Lines in the bytes of a file, against splitting its text. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { LineOffsets } from "../../../server/engine/answers/line-offsets.ts";

it("finds each line where splitting the text has it, in any order of requests", () => {
  const lines = fc.array(fc.nat(3), { maxLength: 1_000, size: "max" });
  const asked = fc.array(fc.oneof(fc.nat(1_010), fc.constant(Infinity)), { maxLength: 20 });
  const check = (lengths: readonly number[], first: number, wanted: readonly number[]) => {
    const texts = lengths.map((each) => "a".repeat(each));
    const bytes = Buffer.from("\n".repeat(first) + texts.join("\n"));
    const starts = [first];
    for (const text of texts.slice(0, -1)) starts.push((starts.at(-1) as number) + text.length + 1);
    const known = [first];
    for (const line of wanted) {
      // A new object, as if the file were read again.
      const offsets = new LineOffsets(bytes, known);
      expect(offsets.startOf(line)).toBe(starts[line] ?? -1);
      expect(offsets.startOf(line)).toBe(starts[line] ?? -1);
    }
  };
  fc.assert(fc.property(lines, fc.nat(3), asked, check), {
    seed: 1,
    numRuns: 200,
    endOnFailure: true,
  });
});
