/** The output of commands for hits in published indexes, which have no files here. */

import pc from "picocolors";
import { expect, it } from "vitest";
import { locationTextOf, renderHits } from "../../server/cli/render-hits.ts";
import type { Hit } from "../../server/contracts/model.ts";

const HIT: Hit = {
  index: "host/acme/shop",
  root: "published:host/acme/shop",
  path: "src/scale.py",
  published: {
    repository: "host/acme/shop",
    commit: "0123456789abcdef",
    link: "https://host/acme/shop/blob/0123456789abcdef/src/scale.py#L6-L6",
  },
  lines: { start: 4, end: 6 },
  bestLine: { line: 5, column: 4, text: "def weigh():", lead: "    ", highlights: [] },
  contextRange: { start: 4, end: 6 },
  score: 0.9,
  relevance: "strong",
  matchType: "both",
  languageId: "python",
  text: "class Scale:\n    def weigh():\n        \u001b[2J",
};

const render = (lines: number) =>
  renderHits([HIT], {
    query: "weigh",
    cwd: "/home/me",
    colors: pc.createColors(false),
    lines,
    hasLinks: true,
  });

it("A hit has the place in its repository, its commit and its link, and never a link to a file", () => {
  const text = render(10);
  expect(text.split("\n")[0]).toBe("host/acme/shop/src/scale.py:6:5  0.90 both  at 0123456789");
  expect(text.split("\n").at(-1)).toBe(HIT.published?.link);
  expect(text).not.toContain("\u001b");
});

it("Without lines of code, a hit is one line", () => {
  expect(render(0)).toBe("host/acme/shop/src/scale.py:6:5  0.90 both  at 0123456789");
  expect(locationTextOf(HIT, "/home/me")).toBe("host/acme/shop/src/scale.py:6:5");
});
