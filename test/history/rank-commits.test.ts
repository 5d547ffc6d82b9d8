/** The ranking of commits for a query. */

import { describe, expect, it } from "vitest";
import { runToEnd } from "../../server/common/slices.ts";
import { wordsOf } from "../../server/common/words.ts";
import type { TouchedFile } from "../../server/contracts/history.ts";
import { changesAround } from "../../server/history/co-change.ts";
import { CommitIndex } from "../../server/history/commit-index.ts";
import { digestCommit } from "../../server/history/digest-commit.ts";
import { Postings } from "../../server/history/postings.ts";
import { rankCommits, recencyOf } from "../../server/history/rank-commits.ts";
import { termNumber } from "../../server/search/lanes/term-number.ts";
import { termsOf } from "../../server/search/query/stem.ts";

const DAY = 86_400;
const NOW = 1_700_000_000;

interface Commit {
  readonly sha: string;
  readonly subject: string;
  readonly added?: string;
  readonly removed?: string;
  readonly days?: number;
  readonly files?: readonly TouchedFile[];
}

const tools = {
  termsOf: (text: string) => termsOf(wordsOf(text)),
  termNumber,
  definedOn: (line: string) => /^def (\w+)/.exec(line)?.[1],
  maskSecrets: (text: string) => text,
  isExcluded: () => false,
  embed: undefined,
};

function indexOf(commits: readonly Commit[]): CommitIndex {
  const index = new CommitIndex();
  const rows = commits.map(({ sha, subject, added, removed, days = 0, files }) => {
    const touched = files ?? [{ path: "main.py", status: "modified" }];
    const hunk = { start: 0, lines: 1, oldStart: 0, oldLines: 1, heading: "", textHash: "" };
    const lines = { added: added?.split("\n") ?? [], removed: removed?.split("\n") ?? [] };
    return digestCommit(
      { sha, subject, body: "", author: "Ada", time: NOW - days * DAY, files: touched },
      [{ path: "main.py", hunks: [{ ...hunk, ...lines }] }],
      tools,
    );
  });
  index.add(rows);
  return index;
}

const QUESTION = {
  vector: undefined,
  since: undefined,
  until: undefined,
  author: undefined,
  currentAuthor: (author: string) => author,
  matchesPath: undefined,
  isCode: (path: string) => path.endsWith(".py"),
  without: [],
  picked: [],
  merged: [],
  limit: 10,
  now: NOW,
};
const termsIn = (text: string) => tools.termsOf(text).map(termNumber);

function ranked(index: CommitIndex, text: string, more: object = {}): string[] {
  const found = rankCommits(index, { ...QUESTION, text, terms: termsIn(text), ...more });
  return found.map(({ commit }) => index.facts(commit)?.sha ?? "");
}

describe("a question", () => {
  const index = indexOf([
    { sha: "message", subject: "Retry requests that time out" },
    { sha: "added", subject: "Harden client", added: "def retry_request():" },
    { sha: "removed", subject: "Simplify client", removed: "retry_request()" },
    { sha: "other", subject: "Update docs", added: "Some words" },
  ]);

  it("matches messages, added lines and removed lines by any of its words", () => {
    expect(ranked(index, "retry of a request").toSorted()).toEqual(["added", "message", "removed"]);
  });

  it("skips lanes that are turned off", () => {
    expect(ranked(index, "time out", { without: ["message"] })).toEqual([]);
  });

  it("ranks a commit with all of its words first, in any lane", () => {
    const filler = Array.from({ length: 20 }, (_, i) => ({ sha: `f${i}`, subject: "Nothing" }));
    const several = indexOf([
      { sha: "often", subject: "Jitter, jitter and jitter", added: "jitter = jitter(jitter)" },
      {
        sha: "all",
        subject: "Retry with jitter what failed",
        added: "deadline = 3\nlog(deadline)",
      },
      ...filler,
    ]);
    expect(ranked(several, "a retry with jitter and a deadline")[0]).toBe("all");
  });

  it("lowers a large diff that has a word by accident", () => {
    const filler = Array.from({ length: 40 }, (_, i) => `word${i} and others`).join("\n");
    const several = indexOf([
      { sha: "large", subject: "Jitter", added: `deadline\n${filler}` },
      { sha: "small", subject: "Jitter", added: "deadline" },
      ...Array.from({ length: 9 }, (_, i) => ({ sha: `f${i}`, subject: "Nothing" })),
    ]);
    const found = rankCommits(several, {
      ...QUESTION,
      text: "how is jitter of a deadline done",
      terms: termsIn("jitter deadline"),
    });
    const details = found.map(({ why }) => why.find(({ name }) => name === "coverage")?.detail);
    expect(details[0]).toBe("100 % of the words by weight");
    expect(Number.parseInt(details[1] ?? "", 10)).toBeLessThan(90);
  });

  it("lowers missing words less if it asks for an example", () => {
    const several = indexOf([
      { sha: "all", subject: "Retry with jitter" },
      { sha: "half", subject: "Retry again" },
      ...Array.from({ length: 9 }, (_, i) => ({ sha: `f${i}`, subject: "Nothing" })),
    ]);
    const leadOf = (text: string) => {
      const found = rankCommits(several, { ...QUESTION, text, terms: termsIn("retry jitter") });
      return (found[0]?.score ?? 0) / (found[1]?.score ?? 1);
    };
    expect(leadOf("retry jitter")).toBeGreaterThan(leadOf("how is retry with jitter done"));
  });

  it("ignores coverage if no message has a word of it", () => {
    const [first] = rankCommits(index, {
      ...QUESTION,
      text: "retry",
      terms: termsIn("retry"),
      without: ["message"],
    });
    const coverage = first?.why.find(({ name }) => name === "coverage");
    expect(coverage?.contribution).toBeCloseTo(0);
  });

  it("reports the coverage of a commit, and scores between 0 and 1", () => {
    const [first] = rankCommits(index, {
      ...QUESTION,
      text: "retry requests that time out",
      terms: termsIn("retry requests that time out"),
    });
    expect(first?.score).toBeLessThanOrEqual(1);
    const coverage = first?.why.find(({ name }) => name === "coverage");
    expect(coverage?.detail).toBe("100 % of the words by weight");
    const sum = first?.why.reduce((all, { contribution }) => all + contribution, 0);
    expect(sum).toBeCloseTo(first?.score ?? 0);
  });

  it("finds nothing if no word matches", () => {
    expect(ranked(index, "kubernetes")).toEqual([]);
  });
});

describe("filters hold before ranking", () => {
  const index = indexOf([
    { sha: "new", subject: "Fix cache", days: 1 },
    { sha: "old", subject: "Fix cache", days: 400, files: [{ path: "b.py", status: "modified" }] },
  ]);
  const cases: readonly [string, object, string[]][] = [
    ["since", { since: NOW - 30 * DAY }, ["new"]],
    ["until, which is not included", { until: NOW - 1 * DAY }, ["old"]],
    ["an author who did not", { author: "grace" }, []],
    ["an author in any case", { author: "ADA" }, ["new", "old"]],
    ["paths", { matchesPath: (path: string) => path === "b.py" }, ["old"]],
  ];
  for (const [name, filter, wanted] of cases) {
    it(name, () => expect(ranked(index, "cache", filter)).toEqual(wanted));
  }
});

it("ranks the commits of a named pull request first, behind a hash", () => {
  const index = indexOf([
    { sha: "0123456789", subject: "Fix cache" },
    { sha: "aaaaaaa1", subject: "Unlike" },
    { sha: "aaaaaaa2", subject: "Unlike too" },
  ]);
  const merged = ["aaaaaaa2", "aaaaaaa1"];
  expect(ranked(index, "fix cache of #7", { merged })).toEqual([...merged, "0123456789"]);
  expect(ranked(index, "cache of #7 and 012345678", { merged })).toEqual(["0123456789", ...merged]);
});

it("prefers recent commits for a repair, and hardly for a pattern", () => {
  const weightOf = (text: string) => recencyOf(text).reduce((sum, { weight }) => sum + weight, 0);
  expect(weightOf("fix the crash in the parser")).toBeGreaterThan(1);
  expect(weightOf("follow-up to the retry change")).toBeGreaterThan(1);
  expect(weightOf("how were timeouts added to clients before")).toBeLessThan(0.2);
  expect(weightOf("when was HTTP/2 made optional")).toBeLessThan(0.2);
  const index = indexOf([
    { sha: "old", subject: "Cache parser results for parser speed", days: 2_000 },
    { sha: "new", subject: "Parser cleanup of the whole front end and its tests", days: 1 },
  ]);
  expect(ranked(index, "fix parser")[0]).toBe("new");
});

describe("what a commit changed", () => {
  const docs: TouchedFile[] = [{ path: "CHANGELOG.md", status: "modified" }];
  const index = indexOf([
    { sha: "log", subject: "Cache the parser", files: docs },
    { sha: "code", subject: "Cache the parser and its tables" },
  ]);

  it("ranks lower without code", () => expect(ranked(index, "parser cache")[0]).toBe("code"));

  it("ranks equally for a query about documentation", () =>
    expect(ranked(index, "parser cache in the changelog")[0]).toBe("log"));

  it("is found by the paths it touched", () => {
    const files: TouchedFile[] = [{ path: "net/socket_pool.py", status: "modified" }];
    const touched = indexOf([{ sha: "pool", subject: "Harden it", files }]);
    expect(ranked(touched, "socket pool")).toEqual(["pool"]);
  });
});

describe("the newest commits", () => {
  const index = indexOf([
    { sha: "old", subject: "Add a cache", days: 900 },
    { sha: "middle", subject: "Rework pages", days: 30 },
    { sha: "new", subject: "Rename things", days: 0 },
  ]);

  it("answer a query without words, newest first", () => {
    expect(ranked(index, "")).toEqual(["new", "middle", "old"]);
    expect(ranked(index, "", { until: NOW - DAY, limit: 1 })).toEqual(["middle"]);
  });

  it("are candidates for a query about a regression", () => {
    expect(ranked(index, "fix the kubernetes crash")).toEqual(["new", "middle", "old"]);
  });

  it("have decreasing weights, so that they do not fill the answer", () => {
    const latest = Array.from({ length: 25 }, (_, i) => ({ sha: `n${i}`, subject: "Nothing" }));
    const busy = indexOf([...latest, { sha: "match", subject: "Cache pages", days: 900 }]);
    const found = ranked(busy, "fix the cache in kubernetes", { limit: 30 });
    expect(found[0]).toBe("n0");
    expect(found.indexOf("match")).toBeLessThan(15);
  });

  it("are not candidates for other queries", () => expect(ranked(index, "cache")).toEqual(["old"]));
});

describe("a question that names a commit", () => {
  const index = indexOf([
    { sha: "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567", subject: "Cache pages", days: 900 },
    { sha: "deadbeefdeadbeefdeadbeefdeadbeefdeadbeef", subject: "Add words", days: 900 },
    { sha: "new", subject: "Fix the cache of pages after all", days: 1 },
  ]);
  const [named, worded] = ["0a1b2c3d4e5f60718293a4b5c6d7e8f901234567", "deadbeef".repeat(5)];

  it("ranks that commit first, also by a prefix of its hash", () => {
    expect(ranked(index, "fix the cache after 0a1b2c3")).toEqual([named, "new", worded]);
    expect(ranked(index, named)).toEqual([named]);
    expect(ranked(index, named.slice(0, 12).toUpperCase())).toEqual([named]);
  });
  it("ignores a hash that is too short or a word", () => {
    expect(ranked(index, "0a1b2c")).toEqual([]);
    expect(ranked(index, "deadbeef words")).toEqual([worded]);
    expect(ranked(index, "fix the cache, deadbeef")[0]).toBe("new");
  });
  it("ranks commits that added or removed its names before similar ones", () => {
    const picked = [worded];
    expect(ranked(index, "cache", { picked })[0]).toBe(worded);
    expect(ranked(index, "0a1b2c3 cache", { picked }).slice(0, 2)).toEqual([named, worded]);
    expect(ranked(index, "cache", { picked, since: NOW - 30 * DAY })).toEqual(["new"]);
  });
  it("respects the filters", () => {
    expect(ranked(index, "0a1b2c3 cache", { since: NOW - 30 * DAY })).toEqual(["new"]);
  });
});

it("keeps the best of many that match, newest first among equals", () => {
  const many = Array.from({ length: 700 }, (_, i) => ({
    sha: `c${i}`,
    subject: i % 7 === 3 ? "cache cache cache" : "cache of some pages and of more words",
    days: i,
  }));
  const wanted = many.filter((_, i) => i % 7 === 3).map(({ sha }) => sha);
  expect(ranked(indexOf(many), "how is cache used", { limit: 60 })).toEqual(wanted.slice(0, 60));
});

it("skips removed commits, and adds none twice", () => {
  const index = indexOf([
    { sha: "a", subject: "Cache" },
    { sha: "b", subject: "Cache again" },
  ]);
  index.remove(["a"]);
  expect(ranked(index, "cache")).toEqual(["b"]);
  expect(index.size).toBe(1);
});

it("gives the same answers from merged segments", () => {
  const commits = Array.from({ length: 3_000 }, (_, i) => ({
    sha: `c${i}`,
    subject: i === 1_234 ? "A needle in it" : "Some hay",
    days: i,
  }));
  expect(ranked(indexOf(commits), "needle")).toEqual(["c1234"]);
});

it("follows files through renames", () => {
  const index = indexOf([
    { sha: "b", subject: "x", days: 10, files: [{ path: "c", from: "b", status: "renamed" }] },
    { sha: "a", subject: "x", days: 20, files: [{ path: "b", from: "a", status: "renamed" }] },
    { sha: "d", subject: "x", days: 5, files: [{ path: "gone", status: "deleted" }] },
  ]);
  expect(index.changes.pathNow("a", NOW - 30 * DAY)).toBe("c");
  expect(index.changes.pathNow("a", NOW - 15 * DAY)).toBe("a");
  expect(index.changes.deletedBy("gone")).toBe("d");
});

it("treats a file as new that replaces one moved in the same commit", () => {
  const index = indexOf([
    {
      sha: "swap",
      subject: "x",
      days: 10,
      files: [
        { path: "b", from: "a", status: "renamed" },
        { path: "a", status: "added" },
      ],
    },
  ]);
  expect(index.changes.pathNow("a", NOW - 10 * DAY)).toBe("a");
  expect(index.changes.pathNow("a", NOW - 11 * DAY)).toBe("b");
});

it("keeps the score of a current commit, and lowers older ones by age", () => {
  const index = indexOf([
    { sha: "now", subject: "Cache" },
    { sha: "old", subject: "Cache", days: 300 },
  ]);
  const found = rankCommits(index, { ...QUESTION, text: "fix cache", terms: termsIn("fix cache") });
  const recency = found.map(({ why }) => why.find(({ name }) => name === "recency")?.contribution);
  expect(recency[0]).toBeCloseTo(0);
  expect(recency[1]).toBeLessThan(0);
});

it("weighs a rare word more than two that half of the commits have", () => {
  const postings = new Postings();
  for (let commit = 0; commit < 256; commit++) {
    const terms = Int32Array.from(commit === 0 ? [3] : commit % 2 === 0 ? [1, 2] : [4]);
    postings.add(commit, { terms, counts: new Uint8Array(terms.length).fill(4), length: 2 });
  }
  const [common, rare] = [postings.find(1).weight, postings.find(3).weight];
  expect(rare).toBeGreaterThan(12 * common);
});

it("lowers long commits", () => {
  const postings = new Postings();
  const terms = (count: number) => Int32Array.from({ length: count }, (_, i) => i);
  for (const [commit, length] of [10, 40].entries())
    postings.add(commit, { terms: terms(length), counts: new Uint8Array(length).fill(4), length });
  const scores = new Float32Array(2);
  postings.score(postings.find(1), scores, [], 1);
  expect(scores[0]).toBeGreaterThan(1.5 * (scores[1] ?? 0));
});

it("counts files that changed together, with a lower weight for files that always change", () => {
  const touched = (...paths: string[]) =>
    paths.map((path) => ({ path, status: "modified" }) as const);
  const index = indexOf([
    { sha: "1", subject: "x", files: touched("a", "b", "log") },
    { sha: "2", subject: "x", files: touched("a", "b", "log") },
    { sha: "3", subject: "x", files: touched("c", "log") },
    { sha: "4", subject: "x", files: touched("d", "log") },
  ]);
  const paths = (...changed: string[]) =>
    runToEnd(changesAround(index.changes, changed)).together.map(({ path }) => path);
  expect(paths("a")).toEqual(["b", "log"]);
  expect(paths("a", "c")).toEqual(["log", "b"]);
  expect(paths("nothing")).toEqual([]);
});

it("counts files that changed together under their present names", () => {
  const modified = (path: string) => ({ path, status: "modified" }) as const;
  const index = indexOf([
    { sha: "3", subject: "x", days: 1, files: [{ path: "new", from: "old", status: "renamed" }] },
    { sha: "2", subject: "x", days: 2, files: [modified("a"), modified("old")] },
    { sha: "1", subject: "x", days: 3, files: [modified("a"), modified("old")] },
  ]);
  expect(runToEnd(changesAround(index.changes, ["a"])).together.map(({ path }) => path)).toEqual([
    "new",
  ]);
});

it("counts a change of a year ago as half", () => {
  const touched = (path: string) => [{ path, status: "modified" } as const];
  const index = indexOf([
    { sha: "1", subject: "x", files: touched("a") },
    { sha: "2", subject: "x", files: touched("a") },
    { sha: "3", subject: "x", days: 365, files: touched("b") },
  ]);
  const { busy } = runToEnd(changesAround(index.changes, []));
  expect(busy).toEqual(
    new Map([
      ["a", 2],
      ["b", 0.5],
    ]),
  );
});

it("counts recent co-changes separately, and follows added and removed commits", () => {
  const touched = (...paths: string[]) =>
    paths.map((path) => ({ path, status: "modified" }) as const);
  const index = indexOf([
    { sha: "new", subject: "x", files: touched("a", "late") },
    { sha: "old", subject: "x", days: 365, files: touched("a", "early") },
    { sha: "older", subject: "x", days: 365, files: touched("a", "early") },
  ]);
  const found = () =>
    runToEnd(changesAround(index.changes, ["a"])).together.map(({ path, score, recent }) => [
      path,
      score,
      recent,
    ]);
  const [both, one] = [2 / Math.sqrt(3 * 2), 1 / Math.sqrt(3)];
  const year = 0.5 ** (1 / 3);
  expect(found()).toEqual([
    ["early", both, expect.closeTo((0.95 + 0.95 ** 2) * year)],
    ["late", one, 1],
  ]);
  index.remove(["old"]);
  expect(found().map(([, , recent]) => recent)).toEqual([expect.closeTo(0.95 * year), 1]);
});
