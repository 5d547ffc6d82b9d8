/** Text for a terminal: harmless, in columns, with sizes and durations. */

import { describe, expect, it } from "vitest";
import { duration, printable, size, table } from "../../server/cli/terminal-text.ts";

describe("text", () => {
  it("keeps every script and drops control characters", () =>
    expect(printable("naïve 漢字 🙂\t\r\u0007")).toBe("naïve 漢字 🙂    ··"));
  it("size formats bytes", () =>
    expect([0, 999, 1_000, 999_499, 1_000_000, 999_900_000, 1_000_000_000].map(size)).toEqual([
      "0 B",
      "999 B",
      "1 kB",
      "999 kB",
      "1.0 MB",
      "999.9 MB",
      "1.0 GB",
    ]));
  it("duration formats milliseconds", () =>
    expect([0, 0.6, 999, 1_000, 59_949, 60_000].map(duration)).toEqual([
      "0 ms",
      "1 ms",
      "999 ms",
      "1.0 s",
      "59.9 s",
      "1.0 min",
    ]));
  it("table aligns columns", () =>
    expect(
      table([
        ["name", "files", ""],
        ["a", 5, "x"],
        ["longer", 1_000, ""],
      ]),
    ).toBe("name    files\na           5  x\nlonger   1000"));
});
