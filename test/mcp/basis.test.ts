/** The footer of an answer, and the reason in an answer without results. */

import { describe, expect, it } from "vitest";
import type { HistoryStatus } from "../../server/contracts/history.ts";
import type { IndexStatus } from "../../server/contracts/session.ts";
import { basisOf, outcomeOf, withBasis } from "../../server/mcp/basis.ts";
import { INDEX } from "../cli/run-cli.ts";

type Known = Parameters<typeof basisOf>[0];

const EMPTY: Partial<IndexStatus> = { files: 0, indexed: 0, total: 0, excluded: {} };

function known(more: Partial<Known> = {}, index: Partial<IndexStatus> = {}): Known {
  const counts = { state: "ready" as const, indexed: 12, total: 12, warnings: [], omitted: 0 };
  return { ...counts, indexes: [{ ...INDEX, ...index }], ...more };
}

const history = (state: HistoryStatus["state"], commits = 0, reason?: string): Partial<Known> => ({
  history: { state, commits, total: 9, ...(reason === undefined ? {} : { reason }) },
});

const none = { indexed: 0, total: 0 };

describe("an answer without results", () => {
  it.each<[string, Known, outcome: string, text: RegExp]>([
    ["of a whole index", known(), "nothing", /^No results\.\n\n\[index ready, /],
    [
      "during the first pass",
      known({ state: "indexing", indexed: 3 }),
      "partial",
      /^\[index indexing, 3 of 12 .*\]\n\nNo results so far; indexing is not finished\.$/,
    ],
    [
      "before the first file is read",
      known({ state: "indexing", indexed: 0, total: 9 }, EMPTY),
      "not-indexed",
      /^\[index indexing, 0 of 9 .*\]\n\nNot indexed: no file is read yet; call again/,
    ],
    [
      "at the start of a pass over a stored index",
      known({ state: "indexing", indexed: 0 }),
      "partial",
      /\n\nNo results so far/,
    ],
    [
      "of an index without files",
      known(none, EMPTY),
      "not-indexed",
      /^\[index ready, 0 of 0 .*\]\n\nNot indexed: the index has no files\.$/,
    ],
    [
      "without a folder",
      known({ state: "no-root", ...none, indexes: [] }),
      "not-indexed",
      /\n\nNot indexed: no folder is open\.$/,
    ],
    [
      "where indexing is off",
      known({ state: "paused", ...none }, { ...EMPTY, reason: "indexing.enabled is false" }),
      "not-indexed",
      /\n\nNot indexed: indexing.enabled is false\.$/,
    ],
    [
      "while the database is down",
      known({ state: "unavailable" }, { reason: "postgres: start it" }),
      "not-indexed",
      /\n\nNot indexed: postgres: start it\.$/,
    ],
    [
      "while a service is down",
      known({ state: "degraded" }),
      "partial",
      /^\[index degraded, .*\n\nNo results in a part of the index, which is degraded\.$/,
    ],
    ["of a whole history", known(history("ready", 9)), "nothing", /^No results\.\n\n\[/],
    ["of a part of the history", known(history("reading", 4)), "partial", /\n\nNo results so far/],
    ["of no history yet", known(history("waiting")), "not-indexed", /is not read yet; call again/],
    [
      "of no history",
      known(history("off", 0, "no git")),
      "not-indexed",
      /history off, 0 of 9 commits: no git\]\n\nNot indexed: no git\.$/,
    ],
  ])("%s says so", (_name, state, outcome, text) => {
    const basis = basisOf(state, []);
    expect(outcomeOf(basis, 0)).toBe(outcome);
    expect(withBasis("", basis)).toMatch(text);
  });
});

it.each<[Known, string]>([
  [known(), "found"],
  [known({ state: "indexing", indexed: 3 }), "partial"],
  // The rows are older than the pass.
  [known({ state: "unavailable" }), "partial"],
  [known(history("reading", 4)), "partial"],
])("an answer with results %#", (state, outcome) => {
  expect(outcomeOf(basisOf(state, []), 1)).toBe(outcome);
});

describe("the footer", () => {
  const footer = (state: Known, more: readonly string[] = []) => basisOf(state, more).text;

  it("names the commit, unread commits and excluded paths", () => {
    const index = { behind: 1, pending: 3, secrets: 1, excluded: { minified: 2 } };
    expect(footer(known({ omitted: 4 }, index), ["a remark"])).toBe(
      "[index ready, 12 of 12 files at 0123456789 (main); 1 commit behind; 3 chunks without vectors yet; " +
        "2 paths excluded (minified); 1 chunk redacted for secrets; no history; 4 results omitted by maxTokens; a remark]",
    );
  });

  it("says that the built-in model answers for chunks without vectors", () => {
    const index = { pending: 3, substitute: "builtin:small:f1" };
    expect(footer(known({}, index))).toContain(
      "3 chunks without vectors yet: the built-in model answers",
    );
  });

  it("is one line of at most 400 characters, for long names and warnings", () => {
    const long = "x".repeat(500);
    const index = { name: long, branch: long, reason: long, excluded: { [long]: 1, b: 2 } };
    const state = known({ state: "indexing", warnings: [long, long, long], omitted: 9 }, index);
    for (const more of [[], [long, long]])
      for (const each of [state, { ...state, ...history("reading", 1, long) }])
        for (const indexes of [each.indexes, [...each.indexes, ...each.indexes, ...each.indexes]]) {
          const text = footer({ ...each, indexes }, more);
          expect(text.length).toBeLessThanOrEqual(400);
          expect(text).toMatch(/^\[index indexing, 12 of 12 files.*\]$/);
        }
  });

  const since = Date.UTC(2014, 2, 2) / 1_000;
  const shallow = { state: "ready" as const, commits: 3, total: 3, since, reason: "it is shallow" };

  it.each<[string, HistoryStatus, string]>([
    ["all of it", { state: "ready", commits: 9, total: 9, since }, "; history since 2014-03-02]"],
    ["a part that git has not", shallow, "; history since 2014-03-02; it is shallow]"],
    [
      "a part that is read",
      { state: "reading", commits: 3, total: 9, since },
      "; history since 2014-03-02 so far]",
    ],
    ["none yet", { state: "waiting", commits: 0, total: 0 }, "; history not read yet]"],
    ["none", { state: "off", commits: 0, total: 0 }, "; no history]"],
    [
      "dates beyond JavaScript's",
      { ...shallow, since: 1e15, reason: "" },
      "history since +275760-09-13; ]",
    ],
  ])("says how far the history goes: %s", (_name, status, expected) => {
    expect(footer(known({}, { history: status })).endsWith(expected)).toBe(true);
  });

  it("names the folders of several histories", () => {
    const { indexes } = known();
    const [index] = indexes;
    if (index === undefined) return;
    const two = [
      { ...index, name: "api", history: shallow },
      { ...index, name: "web", history: { ...shallow, since: 0, reason: "" } },
    ];
    expect(footer(known({ indexes: [...two, index] }))).toContain(
      "; history since 2014-03-02 (api), 1970-01-01 (web); it is shallow]",
    );
  });

  it("names the oldest indexed commit below answers from commits, unless git itself reads the commits", () => {
    expect(footer(known({ history: shallow }))).toContain(
      "history ready, 3 of 3 commits since 2014-03-02: it is shallow",
    );
    const text = footer(known({ history: "git" }, { history: shallow }), ["history from git"]);
    expect(text).toMatch(/; history from git\]$/);
    expect(text).not.toContain("since");
  });

  it("cuts a long warning, and drops one that has no room", () => {
    const text = footer(known({ warnings: ["w".repeat(300), "short"] }));
    expect(text).toMatch(/www\.\.\.\]$/);
    expect(footer(known({ warnings: ["short", "w".repeat(300)] }))).toMatch(/; short; w+\.\.\.\]$/);
  });
});
