/** The tables of a run with agents. */

import { describe, expect, it } from "vitest";
import { comparisonOf, figuresOf } from "../../../scripts/agents/figures.ts";
import type { Arm, Outcome } from "../../../scripts/agents/outcome.ts";

/** Calls as `tool:bytes`. */
function outcome(
  task: string,
  arm: Arm,
  isRight: boolean,
  calls: string,
  more: Partial<Outcome> = {},
): Outcome {
  return {
    task,
    arm,
    repository: "a/b",
    tree: "1",
    kind: "find",
    first: "conceptual",
    isRight,
    recall: Number(isRight),
    precision: isRight ? 0.5 : 0,
    places: [],
    calls: calls
      .split(" ")
      .filter(Boolean)
      .map((call) => {
        const [tool = "", bytes] = call.split(":");
        return { tool, arguments: {}, bytes: Number(bytes), ms: 1, isError: tool === "read_file" };
      }),
    ms: 1,
    ...more,
  };
}

const RUN: readonly Outcome[] = [
  outcome("1", "with", true, "search_code:100"),
  outcome("1", "without", true, "grep_files:300 read_file:100"),
  outcome("2", "with", true, "grep_files:50 search_code:50"),
  outcome("2", "without", false, "grep_files:200"),
  outcome("3", "with", false, "search_code:400", { kind: "list", first: "literal" }),
];

const line = (table: string, start: string) =>
  table.split("\n").find((each) => each.startsWith(start));

describe("the figures", () => {
  it.each([
    ["| find | with |", "| find | with | 2 | 1.00 | 1.00 | 0.50 | 1.5 | 100 |"],
    ["| find | without |", "| find | without | 2 | 0.50 | 0.50 | 0.25 | 1.5 | 300 |"],
    [
      "| find | difference |",
      "| find | difference | 2 | +0.50 ± 0.50 | +0.50 ± 0.50 | +0.25 ± 0.25 | 0.0 ± 1.0 (0 %) | -200 ± 100 (-67 %) |",
    ],
    // A task of one arm is in its row, and in no pair.
    ["| all | with |", "| all | with | 3 | 0.67 | 0.67 | 0.33 | 1.3 | 200 |"],
    ["| list | difference |", "| list | difference | 0 |  |  |  |  |  |"],
    ["| conceptual |", "| conceptual | 2 | 1 | 50 % |"],
    ["| literal |", "| literal | 1 | 1 | 100 % |"],
    ["| with | search_code |", "| with | search_code | 3 | 0 | 183 |"],
    ["| without | read_file |", "| without | read_file | 1 | 1 | 100 |"],
  ])("%s", (start, expected) => expect(line(figuresOf(RUN), start)).toBe(expected));

  it("name the agents without an answer", () => {
    const dead = outcome("4", "with", false, "", { fault: "exit", detail: "1: no\nkey" });
    expect(figuresOf([dead])).toContain("no answer: 4 (with): exit: 1: no key");
  });
});

describe("the comparison with another run", () => {
  it("pairs the tasks of each arm", () => {
    const before = RUN.map((each) => ({ ...each, isRight: false, recall: 0, precision: 0 }));
    expect(line(comparisonOf(RUN, before), "| with |")).toBe(
      "| with | 3 | +0.67 ± 0.33 | +0.67 ± 0.33 | +0.33 ± 0.17 | 0.0 ± 0.0 (0 %) | 0 ± 0 (0 %) |",
    );
  });

  it("leaves tasks on other trees out", () => {
    const other = RUN.map((each) => ({ ...each, tree: "2" }));
    expect(line(comparisonOf(RUN, other), "| with |")).toBe("| with | 0 |  |  |  |  |  |");
  });
});
