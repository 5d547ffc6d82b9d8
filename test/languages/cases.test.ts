/** Definitions in the short texts under cases/, from their trees or by patterns. */

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CodeSymbol } from "../../server/contracts/model.ts";
import { createLanguages } from "../../server/languages/languages.ts";
import { readCases } from "../support/cases.ts";
import { filesOf } from "../support/graph.ts";

const languages = createLanguages();

/** `type name first-last`, with 1-based lines. */
const extentOf = ({ type, name, lines }: CodeSymbol) =>
  `${type} ${name} ${lines.start + 1}-${lines.end + 1}`;

/** The line of a definition by section; the definitions of `patterns` are found without a tree. */
const SECTIONS: Readonly<Record<string, (symbol: CodeSymbol) => string>> = {
  definitions: extentOf,
  patterns: extentOf,
  signatures: ({ signature }) => signature,
  "name lines": ({ type, name, nameLine }) => `${type} ${name} ${nameLine + 1}`,
};

async function definitionsIn(input: string, section: string): Promise<(string | undefined)[]> {
  // The path of the only file is the id of its language.
  const [[languageId, text] = ["", ""]] = filesOf(input);
  const options = section === "patterns" ? { unparsed: "not parsed in this test" } : {};
  return await languages.withSyntax(
    text,
    languageId,
    ({ definitions }) => definitions.map(({ symbol }) => SECTIONS[section]?.(symbol)),
    options,
  );
}

describe.each(readCases(join(import.meta.dirname, "cases")))("%s", (_, cases) => {
  for (const { name, input, expected } of cases) {
    it(name, async () => {
      expect(Object.keys(expected)).not.toEqual([]);
      for (const [section, lines] of Object.entries(expected)) {
        expect(Object.keys(SECTIONS)).toContain(section);
        expect(await definitionsIn(input, section)).toEqual(lines);
      }
    });
  }
});
