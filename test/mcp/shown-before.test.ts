/** Code that a connection was given already. */

import { describe, expect, it } from "vitest";
import { hideSections } from "../../server/mcp/context-sections.ts";
import { ShownLines } from "../../server/mcp/shown-lines.ts";

const passage = (text: string, start = 0, path = "src/a.ts") => ({
  path,
  start,
  lines: text.split("\n"),
});

describe("a passage", () => {
  const shown = new ShownLines();
  shown.add(passage("one\n\n  two\nthree", 10));

  it.each([
    ["in full", passage("one\n\n  two\nthree", 10), true],
    ["in part", passage("  two", 12), true],
    ["with other blank lines", passage("\none\n\n  two  ", 9), true],
    ["with more lines", passage("three\nfour", 13), false],
    ["with a changed line", passage("one\n\n  too\nthree", 10), false],
    ["at another place", passage("one", 11), false],
    ["of another file", passage("one", 10, "src/b.ts"), false],
    ["without text", passage("\n", 10), false],
  ])("%s was given: %#", (_name, asked, wanted) => {
    expect(shown.has(asked)).toBe(wanted);
  });

  it("is forgotten with the files that were not used for longest", () => {
    const many = new ShownLines();
    for (let i = 0; i < 300; i++) many.add(passage("one", 0, `src/${i}.ts`));
    expect(many.has(passage("one", 0, "src/299.ts"))).toBe(true);
    expect(many.has(passage("one", 0, "src/0.ts"))).toBe(false);
  });

  it("shown lines of a file are forgotten after thousands of other lines", () => {
    const many = new ShownLines();
    many.add(passage("one", 0));
    many.add(passage(Array.from({ length: 3_000 }, (_, i) => `line ${i}`).join("\n"), 1));
    many.add(passage("last", 9_000));
    expect(many.has(passage("last", 9_000))).toBe(true);
    expect(many.has(passage("one", 0))).toBe(false);
  });
});

const CONTEXT = [
  "## src/a b.py:1-3,8-9 open, close",
  "````python",
  "def open():",
  "...",
  "```",
  "...",
  "def close():",
  "  pass",
  "````",
  "",
  "## src/b.ts:7",
  "```typescript",
  "## not:1 a header",
  "```",
  "",
  "## Also relevant",
  "- src/c.ts:3 function read()",
].join("\n");

describe("the sections of a context", () => {
  it("are read by their line numbers", () => {
    const { text, shown, hidden } = hideSections(CONTEXT, () => false);
    expect(text).toBe(CONTEXT);
    expect(hidden).toEqual([]);
    expect(shown).toEqual([
      passage("def open():\n...\n```", 0, "src/a b.py"),
      passage("def close():\n  pass", 7, "src/a b.py"),
      passage("## not:1 a header", 6, "src/b.ts"),
    ]);
  });

  it("sections that were given are left out one by one", () => {
    const { text, shown } = hideSections(CONTEXT, ({ start }) => start === 0 || start === 6);
    expect(shown).toHaveLength(1);
    expect(text.split("\n\n")).toEqual([
      "## src/a b.py:1-3,8-9 open, close\n````python\n(lines 1-3 shown before)\n...\ndef close():\n  pass\n````",
      "## src/b.ts:7 (shown before)",
      "## Also relevant\n- src/c.ts:3 function read()",
    ]);
  });

  it("sections in another form stay as they are", () => {
    for (const other of [CONTEXT.replace("1-3", "1-4"), CONTEXT.replace("````python", "python")])
      expect(hideSections(other, ({ path }) => path === "src/a b.py").text).toBe(other);
  });
});
