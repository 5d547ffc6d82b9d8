/** The table of `npm run evaluate-reports --table`: the query of each row, and the counts. */

import { describe, expect, it } from "vitest";
import type { ReportAnswer } from "../../scripts/evaluation/report-metrics.ts";
import { REPORT_ROWS, reportRowsTable } from "../../scripts/evaluation/report-rows.ts";

const TEXT = "The title\n\nIt fails.\n```\nload()\n```\n";

describe("the rows", () => {
  const rowNamed = (name: string) => {
    const row = REPORT_ROWS.find((each) => each.name.startsWith(name));
    if (row === undefined) throw new Error(`no row ${name}`);
    return row;
  };
  it.each([
    ["the title alone", "The title"],
    ["without the title", "It fails.\n```\nload()\n```"],
    ["without parts", "The title It fails. ``` load() ``` "],
    ["without vector", TEXT],
  ])("%s", (name, query) => expect(rowNamed(name).queryOf(TEXT)).toBe(query));

  it("leave out each boost once", () => {
    const single = REPORT_ROWS.filter(({ without }) => without.length === 1);
    expect(new Set(single.flatMap(({ without }) => without)).size).toBe(single.length);
    expect(rowNamed("without report-places").without).toEqual(["report-places"]);
  });
});

it("counts reports whose wanted files are all among the first k", () => {
  const answer = (relevant: string, entities: string, results: string): ReportAnswer => ({
    task: {
      id: "1",
      repo: "a/b",
      revision: "",
      query: TEXT,
      relevant: relevant.split(" "),
      entities: entities.split(" ").filter(Boolean),
    },
    results: results.split(" ").map((each) => {
      const [path = "", symbol = ""] = each.split(":");
      return { path, symbols: [symbol] };
    }),
    ms: 1,
  });
  const [row] = REPORT_ROWS;
  if (row === undefined) throw new Error("no rows");
  const answers = [
    answer("a.py", "a.py:f", "a.py:f b.py:g"),
    answer("b.py", "", "a.py:f b.py:g"),
    answer("c.py", "c.py:g", "a.py:f b.py:g c.py:h d.py:i e.py:j c.py:g"),
    answer("a.py z.py", "a.py:f", "a.py:f"),
  ];
  const table = reportRowsTable(new Map([[row, answers]]), "1234567");
  expect(table).toContain("at commit 1234567");
  expect(table).toContain("4 reports (a/b 4), of which 3 name functions");
  expect(table).toContain("| the title alone | 25.0 | 75.0 | 75.0 | 66.7 | 100.0 |");
});
