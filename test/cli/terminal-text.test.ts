/** Text for a terminal: harmless, in columns, with sizes and durations. */

import { describe, expect, it } from "vitest";
import { duration, printable, size, table } from "../../server/cli/terminal-text.ts";

describe("text", () => {
  it("keeps every script and drops control characters", () =>
    expect(printable("naïve 漢字 🙂\t\r\u0007")).toBe("naïve 漢字 🙂    ··"));
  it("rounds sizes and durations", () => {
    expect([999, 12_300, 4_560_000, 7_890_000_000].map(size)).toEqual([
      "999 B",
      "12 kB",
      "4.6 MB",
      "7.9 GB",
    ]);
    expect([12.3, 1_234, 90_000].map(duration)).toEqual(["12 ms", "1.2 s", "1.5 min"]);
  });
  it("aligns numbers to the right and words to the left", () =>
    expect(
      table([
        ["a", 1],
        ["bb", 22],
      ]),
    ).toBe("a    1\nbb  22"));
});
