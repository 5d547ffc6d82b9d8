/** Our section in Markdown: at most twelve lines, replaced between its markers, and removed without a trace. */

import { describe, expect, it } from "vitest";
import { SECTION_TEXT } from "../../../server/cli/agents/instructions-text.ts";
import {
  hasSection,
  newSectionFile,
  withoutSection,
  withSection,
} from "../../../server/cli/agents/marked-section.ts";

const [BEGIN, END] = ["<!-- cocosearch:begin -->", "<!-- cocosearch:end -->"];

it("the text names every tool, `terms` and grep in at most twelve lines", () => {
  expect(SECTION_TEXT.split("\n").length).toBeLessThanOrEqual(12);
  const tools = [
    "search_code",
    "get_context",
    "related",
    "impact",
    "find_pattern",
    "explain_change",
  ];
  for (const word of [...tools, "terms"]) expect(SECTION_TEXT).toContain(`\`${word}\``);
  expect(SECTION_TEXT).toContain("grep");
});

describe.each(["", "\n", "# A", "# A\n", "# A\n\n", "# A\r\n\r\ntext\r\n", "a\n<!-- x -->\nb"])(
  "%j",
  (text) => {
    const after = withSection(text, "CLAUDE.md");
    it("gets the section at its end, with its own line endings", () => {
      expect(after.startsWith(text)).toBe(true);
      expect(after.replaceAll("\r\n", "\n")).toContain(`\n${BEGIN}\n${SECTION_TEXT}\n${END}`);
      expect(/[^\r]\n/.test(after) && /\r\n/.test(after)).toBe(false);
    });
    it("is not changed a second time", () => expect(withSection(after, "CLAUDE.md")).toBe(after));
    it("is restored", () => expect(withoutSection(after, "", "CLAUDE.md")).toBe(text));
  },
);

it("a new file is removed as a whole, with another version of the section, too", () => {
  expect(withoutSection(newSectionFile("---\na: b\n---\n"), "---\na: b\n---\n", "x")).toBe(
    undefined,
  );
  expect(withoutSection(`${BEGIN}\nold\n${END}\n`, "", "x")).toBe(undefined);
  expect(withoutSection(`${BEGIN}\nold\n${END}\nmine\n`, "", "x")).toBe("mine\n");
});

it("replaces another version in its place", () => {
  const text = withSection(`a\n\n${BEGIN}\nold\n${END}\n\nb\n`, "x");
  expect(text).toBe(`a\n\n${BEGIN}\n${SECTION_TEXT}\n${END}\n\nb\n`);
});

it("markers inside a line are text", () =>
  expect(hasSection(`the lines \`${BEGIN}\` and \`${END}\`\n`, "x")).toBe(false));

it.each([`${BEGIN}\na\n`, `a\n${END}\n`, `${END}\n${BEGIN}\n`, `${BEGIN}\n${BEGIN}\n${END}\n`])(
  "refuses %j",
  (text) => {
    const message = "CLAUDE.md does not have one of each marker of our section";
    expect(() => withSection(text, "CLAUDE.md")).toThrow(message);
    expect(() => withoutSection(text, "", "CLAUDE.md")).toThrow(message);
  },
);
