/** Definitions in generated texts: very long signatures and lines. */

import { describe, expect, it } from "vitest";
import { createLanguages } from "../../server/languages/languages.ts";
import { LANGUAGE_IDS } from "../../server/languages/table.ts";

const languages = createLanguages();

it("A signature is cut at 200 characters, never inside a character", async () => {
  const text = `def run(${"b".repeat(189)}='😀'): pass\n`;
  const [head] = await languages.withSyntax(text, "python", ({ definitions }) =>
    definitions.map(({ symbol }) => symbol.signature),
  );
  expect(head).toBe(`def run(${"b".repeat(189)}='`);
});

describe("hostile lines", () => {
  const LINES = [
    "a, ".repeat(300),
    "private ".repeat(60),
    "@a ".repeat(120),
    `x${"<".repeat(300)}`,
    "a ".repeat(200),
    `[${"[ ".repeat(200)}`,
    "a.b.".repeat(100),
    `const a = ${"(".repeat(200)}`,
    `a(${"(a) ".repeat(120)}`,
    `function ${"[a] ".repeat(120)}`,
    `typedef ${"{a} ".repeat(120)}`,
    `function ${"${a}$".repeat(90)}`,
    `01 ${"a-".repeat(200)}`,
  ];

  it("are matched in linear time by the patterns of every language", async () => {
    for (const id of LANGUAGE_IDS) {
      const text = `class A {\n  ${LINES.join("\n  ")}\n}\n`;
      const answer = languages.withSyntax(text, id, () => "done", { unparsed: "no tree" });
      expect(await answer).toBe("done");
    }
  });
});
