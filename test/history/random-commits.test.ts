/** The index over commits, on commits made by chance, against what loops over all of them say. */

import { describe, expect, it } from "vitest";
import { runToEnd } from "../../server/common/slices.ts";
import type { CommitLaneRow, TouchedFile } from "../../server/contracts/history.ts";
import { changesAround } from "../../server/history/co-change.ts";
import { CommitIndex } from "../../server/history/commit-index.ts";
import { CommitVectors } from "../../server/history/commit-vectors.ts";
import {
  packEntry,
  type TermCounts,
  toSmall,
  unpackEntry,
} from "../../server/history/lane-entry.ts";
import { type Random, random } from "../support/random.ts";

/** More than go into one segment of postings, and into four of them. */
const COMMITS = 1_100;
const TERMS = 40;
const PATHS = 30;
const DAY = 86_400;
const START = 1_600_000_000;
const LANES = ["message", "diff", "symbols"] as const;

interface Made {
  readonly row: CommitLaneRow;
  /** Per lane the words with how often they occur, and how many words there are. */
  readonly words: Readonly<Record<(typeof LANES)[number], Words>>;
  readonly vector: Float32Array;
}

interface Words {
  readonly times: ReadonlyMap<number, number>;
  readonly length: number;
}

function wordsBy(chance: Random, most: number): Words {
  const times = new Map<number, number>();
  const length = chance.int(most + 1);
  // Some words are in nearly every commit, others in few.
  for (let i = 0; i < length; i++) {
    const term = Math.min(chance.int(TERMS), chance.int(TERMS)) - 5;
    times.set(term, (times.get(term) ?? 0) + 1);
  }
  return { times, length };
}

function countsOf({ times, length }: Words): TermCounts {
  const terms = Int32Array.from(times.keys()).toSorted();
  return { terms, counts: Uint8Array.from(terms, (term) => 4 * (times.get(term) ?? 0)), length };
}

/** The words of both; the words of the first count `weight` times. */
function sum(first: Words, weight: number, second: Words): Words {
  const times = new Map([...first.times].map(([term, count]) => [term, weight * count]));
  for (const [term, count] of second.times) times.set(term, (times.get(term) ?? 0) + count);
  return { times, length: first.length + second.length };
}

const pathBy = (chance: Random) => `src/${chance.int(PATHS)}.py`;

function filesBy(chance: Random): TouchedFile[] {
  return Array.from({ length: 1 + chance.int(4) }, (): TouchedFile => {
    const path = pathBy(chance);
    if (chance.chance(0.05)) return { path, status: "renamed", from: pathBy(chance) };
    return { path, status: chance.chance(0.05) ? "deleted" : "modified" };
  });
}

function makeCommits(seed: number, count = COMMITS): Made[] {
  const chance = random(seed);
  return Array.from({ length: count }, (_, i) => {
    const [subject, body, added, removed, symbols] = [6, 20, 40, 30, 5].map((most) =>
      wordsBy(chance, most),
    ) as [Words, Words, Words, Words, Words];
    const vector = Float32Array.from({ length: 8 }, () => chance.int(201) / 100 - 1);
    const lanes = packEntry({
      texts: {
        subject: countsOf(subject),
        body: countsOf(body),
        added: countsOf(added),
        removed: countsOf(removed),
        symbols: countsOf(symbols),
      },
      vector: toSmall(vector),
    });
    const sha = `${i.toString(16).padStart(4, "0")}${"ab".repeat(18)}`;
    const time = START + DAY * chance.int(500);
    const row = { sha, time, author: chance.pick(["Ada", "Bob"]), files: filesBy(chance), lanes };
    const words = { message: sum(subject, 2, body), diff: sum(added, 1, removed), symbols };
    return { row, words, vector };
  });
}

function indexOf(commits: readonly Made[], batch = commits.length): CommitIndex {
  const index = new CommitIndex();
  for (let at = 0; at < commits.length; at += batch)
    index.add(commits.slice(at, at + batch).map(({ row }) => row));
  return index;
}

/** BM25 with the rarity raised to 1.5; also how far each commit covers the term. */
function scoresOf(commits: readonly Made[], lane: (typeof LANES)[number], term: number) {
  const all = commits.map(({ words }) => words[lane]);
  const average = all.reduce((total, { length }) => total + length, 0) / all.length;
  const frequency = all.filter(({ times }) => times.has(term)).length;
  const weight = Math.log(1 + (all.length - frequency + 0.5) / (frequency + 0.5)) ** 1.5;
  const shares = all.map(({ times, length }) => {
    const count = times.get(term) ?? 0;
    return count === 0
      ? 0
      : count / (1.5 * (0.25 + (0.75 * Math.max(1, length)) / average) + count);
  });
  return { weight, shares };
}

const questions = Array.from({ length: 12 }, (_, seed) => {
  const chance = random(100 + seed);
  const terms = Array.from({ length: 1 + chance.int(4) }, () => chance.int(TERMS) - 5);
  return { terms, limit: chance.pick([1, 7, 50, COMMITS]), share: chance.pick([1, 0.5, 0.02]) };
});

describe("a question of words", () => {
  const commits = makeCommits(1);
  const index = indexOf(commits, 97);
  it.each(questions)("$terms, the first $limit of $share", ({ terms, limit, share }) => {
    const chance = random(limit);
    const allowed = Uint8Array.from(commits, () => Number(chance.chance(share)));
    const found = index.rank({ terms, vector: undefined, allowed, limit, without: [] });
    const distinct = [...new Set(terms)];
    const scored = LANES.map((lane) => ({
      lane,
      terms: distinct.map((term) => scoresOf(commits, lane, term)),
    }));
    for (const { lane, terms: each } of scored) {
      const attainable = each.reduce((total, { weight }) => total + weight, 0);
      const scores = commits.map((_, i) =>
        each.reduce((total, one) => total + one.weight * (one.shares[i] ?? 0), 0),
      );
      const ranking = found.lanes[lane] ?? [];
      const possible = scores.filter((score, i) => score > 0 && allowed[i] === 1);
      expect(ranking).toHaveLength(Math.min(limit, possible.length));
      const best = possible.toSorted((a, b) => b - a).slice(0, limit);
      expect(ranking.every(({ commit }) => allowed[commit] === 1)).toBe(true);
      ranking.forEach(({ commit, score }, place) => {
        expect(score).toBeCloseTo((best[place] ?? 0) / attainable, 4);
        expect(score).toBeCloseTo((scores[commit] ?? 0) / attainable, 4);
        const next = ranking[place + 1];
        expect(next?.score === score && next.commit < commit).toBe(false);
      });
    }
    // The rarity of a word is that in messages.
    const weights = scored[0]?.terms.map(({ weight }) => weight) ?? [];
    const total = weights.reduce((all, weight) => all + weight, 0);
    const covered = (lanes: readonly string[], commit: number) =>
      distinct.reduce((all, _, i) => {
        const shares = scored
          .filter(({ lane }) => lanes.includes(lane))
          .map(({ lane, terms: each }) => {
            const one = each[i]?.shares[commit] ?? 0;
            return one === 0 ? 0 : Math.min(1, one * (lane === "diff" ? 1.5 : Infinity));
          });
        return all + (weights[i] ?? 0) * Math.max(...shares);
      }, 0) / total;
    for (let commit = 0; commit < commits.length; commit += 50) {
      expect(found.coverage.of(commit)).toBeCloseTo(covered(LANES, commit), 4);
      expect(found.messageCoverage.of(commit)).toBeCloseTo(covered(["message"], commit), 4);
    }
  });

  it("skips lanes that are turned off", () => {
    const allowed = index.allowed(undefined);
    const without = ["diff", "vector"];
    const vector = new Float32Array(8).fill(1);
    const { lanes } = index.rank({ terms: [1], vector, allowed, limit: 5, without });
    expect(Object.keys(lanes).toSorted()).toEqual(["message", "symbols"]);
  });

  it("finds nothing for words that no commit has", () => {
    const allowed = index.allowed(undefined);
    const { lanes } = index.rank({
      terms: [999],
      vector: undefined,
      allowed,
      limit: 5,
      without: [],
    });
    expect(lanes).toEqual({ message: [], diff: [], symbols: [] });
  });
});

it("ranks by the vector of the query", () => {
  const commits = makeCommits(2, 300);
  const index = indexOf(commits, 100);
  const query = Float32Array.from({ length: 8 }, (_, i) => (i - 4) / 5);
  const allowed = index.allowed(undefined);
  const { lanes } = index.rank({ terms: [], vector: query, allowed, limit: 40, without: [] });
  const dots = commits.map(({ vector }) =>
    vector.reduce((all, one, i) => all + one * (query[i] ?? 0), 0),
  );
  const best = dots.filter((dot) => dot > 0).toSorted((a, b) => b - a);
  expect(lanes.vector).toHaveLength(40);
  lanes.vector?.forEach(({ commit, score }, place) => {
    expect(Math.abs(score - (best[place] ?? 0))).toBeLessThan(0.06);
    expect(Math.abs(score - (dots[commit] ?? 0))).toBeLessThan(0.06);
  });
});

it("has no cosine for commits without a vector, and drops vectors of another dimension", () => {
  const vectors = new CommitVectors();
  vectors.set(3, toSmall(Float32Array.of(1, 0)));
  vectors.set(1_500, toSmall(Float32Array.of(0, -2)));
  const cosines = vectors.cosines(Float32Array.of(0.5, 0.5), 1_600);
  expect([0, 3, 1_500].map((at) => Number(cosines[at]?.toFixed(2)))).toEqual([0, 0.5, -1]);
  expect(vectors.cosines(Float32Array.of(1, 1, 1), 2)).toEqual(Float32Array.of(0, 0));
  vectors.set(0, toSmall(Float32Array.of(1, 1, 1)));
  expect([...vectors.cosines(Float32Array.of(1, 0, 0), 4)].map(Math.round)).toEqual([1, 0, 0, 0]);
});

it("packs and unpacks lane entries", () => {
  for (const { row, vector } of makeCommits(3, 50)) {
    const entry = unpackEntry(row.lanes);
    expect(packEntry(entry)).toBe(row.lanes);
    expect(entry.vector?.values).toEqual(toSmall(vector).values);
    const { scale = 0, values = [] } = entry.vector ?? {};
    vector.forEach((value, i) =>
      expect(Math.abs((values[i] ?? 0) * scale - value)).toBeLessThan(0.005),
    );
  }
});

it("is independent of the batches of added commits", () => {
  const commits = makeCommits(4);
  const [whole, parts] = [indexOf(commits), indexOf(commits, 13)];
  parts.add(commits.slice(0, 20).map(({ row }) => row));
  expect(parts.size).toBe(COMMITS);
  const answer = (index: CommitIndex) => {
    const allowed = index.allowed(undefined);
    return index.rank({ terms: [1, 2, 30], vector: undefined, allowed, limit: 100, without: [] })
      .lanes;
  };
  expect(answer(parts)).toEqual(answer(whole));
  expect(parts.changes.all()).toEqual(whole.changes.all());
});

describe("the allowed commits", () => {
  const commits = makeCommits(5, 200);
  const gone = new Set(commits.filter((_, i) => i % 7 === 3).map(({ row }) => row.sha));
  const index = indexOf(commits);
  index.remove([...gone, "unknown"]);
  const left = commits.flatMap(({ row }, i) => (gone.has(row.sha) ? [] : [i]));

  it("exclude removed commits", () => {
    expect(index.size).toBe(left.length);
    expect([...index.all()]).toEqual(left);
    expect([...index.allowed(undefined)]).toEqual(
      commits.map(({ row }) => Number(!gone.has(row.sha))),
    );
    expect(commits.map((_, i) => index.facts(i)?.sha)).toEqual(
      commits.map(({ row }) => (gone.has(row.sha) ? undefined : row.sha)),
    );
    expect(index.changes.all()).toHaveLength(left.length);
  });

  it("are limited by a filter on the author", () => {
    const allowed = index.allowed(({ author }) => author === "Bob");
    expect([...allowed]).toEqual(
      commits.map(({ row }) => Number(!gone.has(row.sha) && row.author === "Bob")),
    );
    const newest = left
      .filter((i) => commits[i]?.row.author === "Bob")
      .toSorted((a, b) => (commits[b]?.row.time ?? 0) - (commits[a]?.row.time ?? 0) || a - b);
    for (const limit of [1, 2, 10, 1_000])
      expect(index.newest(limit, allowed)).toEqual(newest.slice(0, limit));
  });

  it("are found by a prefix of their hash", () => {
    const allowed = index.allowed(undefined);
    const first = left.filter((i) => i < 16);
    expect(index.withHashes(["0001", "000", "zz"], allowed)).toEqual([
      1,
      ...first.filter((i) => i !== 1),
    ]);
    allowed[1] = 0;
    expect(index.withHashes(["0001"], allowed)).toEqual([]);
  });
});

describe("current paths", () => {
  const commits = makeCommits(6, 300).map(({ row }) => row);
  const index = new CommitIndex();
  index.add(commits);
  const renames = commits.flatMap(({ time, files }) =>
    files.flatMap(({ from, path }) => (from === undefined ? [] : [{ from, to: path, time }])),
  );

  /** The next rename of the name after the moment, again and again. */
  function nameNow(path: string, time: number): string {
    let [name, since] = [path, time];
    for (let i = 0; i < 20; i++) {
      const next = renames
        .filter((one) => one.from === name && one.time > since)
        .toSorted((a, b) => a.time - b.time)[0];
      if (next === undefined) break;
      [name, since] = [next.to, next.time];
    }
    return name;
  }

  it("follow renames", () => {
    expect(renames.length).toBeGreaterThan(10);
    for (let i = 0; i < PATHS; i++)
      for (const time of [0, ...renames.map((one) => one.time)])
        expect(index.changes.pathNow(`src/${i}.py`, time)).toBe(nameNow(`src/${i}.py`, time));
  });

  it("are listed for files that changed together", () => {
    expect(index.changes.all()).toEqual(
      commits.map(({ time, files }) => ({
        time,
        paths: [...new Set(files.map(({ path }) => nameNow(path, time)))],
      })),
    );
  });

  it("know the last commit that deleted a file", () => {
    const deletions = commits.flatMap(({ sha, time, files }) =>
      files.flatMap(({ path, status }) => (status === "deleted" ? [{ path, sha, time }] : [])),
    );
    expect(deletions.length).toBeGreaterThan(10);
    for (let i = 0; i <= PATHS; i++) {
      const path = `src/${i}.py`;
      const [last] = deletions
        .filter((one) => one.path === path)
        .toSorted((a, b) => b.time - a.time);
      expect(index.changes.deletedBy(path)).toBe(last?.sha);
    }
  });

  it("are counted by how often and how recently files change together", () => {
    const changed = ["src/1.py", "src/2.py"];
    const all = index.changes.all();
    const newest = Math.max(...all.map(({ time }) => time));
    const halvedIn = (years: number, time: number) =>
      0.5 ** ((newest - time) / (years * 365 * DAY));
    const { together, busy } = runToEnd(changesAround(index.changes, changed));
    expect(together.map(({ path }) => path)).not.toContain("src/1.py");
    expect(together.map(({ score }) => score)).toEqual(
      together.map(({ score }) => score).toSorted((a, b) => b - a),
    );
    for (let i = 0; i < PATHS; i++) {
      const path = `src/${i}.py`;
      const own = all.filter(({ paths }) => paths.includes(path));
      expect(busy.get(path) ?? 0).toBeCloseTo(
        own.reduce((sum_, { time }) => sum_ + halvedIn(1, time), 0),
        6,
      );
      if (changed.includes(path)) continue;
      let [score, recent] = [0, 0];
      for (const other of changed) {
        const others = all
          .filter(({ paths }) => paths.includes(other))
          .toSorted((a, b) => b.time - a.time);
        others.forEach(({ paths, time }, place) => {
          if (!paths.includes(path)) return;
          score += 1 / (paths.length - 1) / Math.sqrt(others.length * own.length);
          recent += (halvedIn(3, time) * 0.95 ** place) / (paths.length - 1);
        });
      }
      const found = together.find((one) => one.path === path);
      expect(found?.score ?? 0).toBeCloseTo(score, 6);
      expect(found?.recent ?? 0).toBeCloseTo(recent, 6);
    }
  });
});
