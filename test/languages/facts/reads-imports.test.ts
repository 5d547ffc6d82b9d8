/** The graph support of each language, as `cocosearch-lsp languages` lists it. */

import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { grammarFile } from "../../../server/languages/grammar-files.ts";
import { overview } from "../../../server/languages/overview.ts";

it("`languages` lists exactly the languages with a query for calls", () => {
  for (const { id, graph } of overview([])) {
    const file = grammarFile(id, "references.scm");
    const hasQuery = existsSync(file) && readFileSync(file, "utf8").trim() !== "";
    expect([id, graph === "calls"]).toEqual([id, hasQuery]);
  }
});

it.each([
  ["elixir", "calls"],
  ["haskell", "imports"],
  ["vue", "imports"],
  ["markdown", "imports"],
  ["hcl", "imports"],
  ["swift", "calls"],
  ["bash", "none"],
  ["yaml", "none"],
])("The graph reads of %s: %s", (id, graph) => {
  expect(overview([]).find((one) => one.id === id)?.graph).toBe(graph);
});
