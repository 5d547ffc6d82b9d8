/** The comparison of the words of names with the words of a report. */

import { describe, expect, it } from "vitest";
import { NameWords } from "../../server/search/name-words.ts";

const NAMES = ["Printer.print_sum", "Printer.print_product", "Printer.doprint", "latex", "sum_of"];
/** A title counts four times. */
const title = (text: string) => text.split(" ").flatMap((word) => Array(4).fill(word) as string[]);

describe("the words of a name", () => {
  it("say more the more of them the report has", () => {
    const words = new NameWords(title("the printer and its sums"), NAMES);
    expect(words.sum("Printer.print_sum")).toBeGreaterThan(words.sum("sum_of"));
    expect(words.sum("latex")).toBe(0);
  });
  it("say more the rarer they are", () => {
    const words = new NameWords(title("latex printer"), NAMES);
    expect(words.sum("latex")).toBeGreaterThan(words.sum("Printer"));
  });
  it("have a lower weight if the report mentions them in passing", () => {
    const [clear, passing] = [title("latex"), ["latex"]].map((words) =>
      new NameWords(words, NAMES).sum("latex"),
    );
    expect(passing).toBeCloseTo((clear ?? 0) / 4);
  });
  it("are counted once, however often the report repeats them", () => {
    const often = Array(500).fill("latex") as string[];
    expect(new NameWords(often, NAMES).sum("latex")).toBe(
      new NameWords(title("latex"), NAMES).sum("latex"),
    );
  });
  it("are shared in whole or in part", () => {
    const words = new NameWords(title("sum"), NAMES);
    expect(words.share("Printer.sum")).toBe(1);
    expect(words.share("print_sum")).toBeGreaterThan(0);
    expect(words.share("print_sum")).toBeLessThan(1);
    expect(words.share("Sum.print")).toBe(0);
    expect(words.share("___")).toBe(0);
  });
});
