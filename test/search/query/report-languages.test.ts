/** Bug reports with a traceback of other languages, in cases/: the file of the innermost own frame comes first. */

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { search } from "../../../server/search/search.ts";
import { readCases } from "../../support/cases.ts";
import { contextOf, embedded, indexOf, lanesOf } from "../support.ts";

/** One chunk of two thousand lines. */
function fileOf(path: string) {
  return { ...embedded(path, `request load value ${path}`), lines: { start: 0, end: 2000 } };
}

describe.each(readCases(join(import.meta.dirname, "cases")))("%s", (_, cases) => {
  for (const { name, input, expected } of cases) {
    it(`leads from ${name} to the frame's file`, async () => {
      const { first = [], others = [] } = expected;
      expect(first).toHaveLength(1);
      const files = [...first, ...others, "README.md", "test/everything.test.ts"];
      const lanes = lanesOf(...files.map(fileOf));
      const query = `It fails when a value is loaded\n\nSince the last release a request fails:\n\n\`\`\`\n${input}\`\`\`\n\nPlease have a look.`;
      const { hits } = await search(contextOf(indexOf("app", lanes)), { query });
      expect(hits[0]?.path).toBe(first[0]);
    });
  }
});
