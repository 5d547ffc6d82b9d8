/** Fits the score model, and reports its calibration by cross-validation over repositories. */

import { FEATURE_NAMES, LIST_FEATURES } from "../../server/search/results/features.ts";
import { fallingScores } from "../../server/search/results/score.ts";
import { type Listed, MODES, type Mode } from "./ask.ts";
import { type Coefficients, fitLogistic, probabilityOf, type Row } from "./regression.ts";

/** The weight of unanswerable questions among all, because people mostly ask about the code that they have open. */
const FOREIGN_SHARE = 0.1;

/** Hits that are counted in the figures, as many as a list shows. */
const SHOWN = 10;
const BINS = 10;
const FOLDS = 2;

/** Of the lists that hold a right answer, this many may be taken for chance where the threshold is chosen. */
const MAX_LOST = 0.005;

interface Fitted {
  readonly score: Coefficients;
  readonly chance: Coefficients;
  readonly minChance: number;
}

export function fitModels(lists: readonly Listed[]): { report: string; source: string } {
  const reports: string[] = [];
  const models: [Mode, Fitted][] = [];
  for (const mode of Object.keys(MODES) as Mode[]) {
    const own = lists.filter((list) => list.mode === mode && list.hits.length > 0);
    const empty = lists.filter((list) => list.mode === mode && list.hits.length === 0);
    models.push([mode, fit(own)]);
    reports.push(`${mode}: ${own.length} lists`, ...validate(own, empty));
  }
  return { report: reports.join("\n"), source: sourceOf(models) };
}

function fit(lists: readonly Listed[]): Fitted {
  const score = fitLogistic(rowsOf(lists));
  const chance = fitLogistic(
    lists.map((list) => ({
      features: listFeatures(list),
      isRight: list.kind === "own",
      weight: list.kind === "own" ? 1 : countOf(lists, "own") / countOf(lists, "foreign"),
    })),
  );
  const right = lists
    .filter((list) => list.kind === "own" && hasRight(list))
    .map((list) => probabilityOf(chance, listFeatures(list)))
    .toSorted((a, b) => a - b);
  return { score, chance, minChance: right[Math.floor(MAX_LOST * right.length)] ?? 0 };
}

function rowsOf(lists: readonly Listed[]): Row[] {
  const own = countOf(lists, "own");
  const other = lists.length - own;
  const weight = (FOREIGN_SHARE / (1 - FOREIGN_SHARE)) * (own / Math.max(1, other));
  return lists.flatMap(({ kind, hits }) =>
    hits.map((hit) => ({ ...hit, weight: kind === "own" ? 1 : weight })),
  );
}

function countOf(lists: readonly Listed[], kind: "own" | "foreign"): number {
  return lists.filter((list) => (list.kind === "own") === (kind === "own")).length;
}

const LIST_COLUMNS = LIST_FEATURES.map((name) => FEATURE_NAMES.indexOf(name));

/** Of its first hit: the list's own features are the same in all. */
function listFeatures({ hits }: Listed): number[] {
  const first = hits[0]?.features ?? [];
  return LIST_COLUMNS.map((column) => first[column] ?? 0);
}

function hasRight({ hits }: Listed): boolean {
  return hits.slice(0, SHOWN).some(({ isRight }) => isRight);
}

/** Cross-validation: each half of the repositories is scored with the coefficients of the other. */
function validate(lists: readonly Listed[], empty: readonly Listed[]): string[] {
  const names = [...new Set(lists.map(({ repo }) => repo.split("~")[0] ?? ""))].toSorted();
  const judged = Array.from({ length: FOLDS }, (_, fold) => {
    const isHeldOut = ({ repo }: Listed) =>
      names.indexOf(repo.split("~")[0] ?? "") % FOLDS === fold;
    const model = fit(lists.filter((list) => !isHeldOut(list)));
    return lists.filter(isHeldOut).map((list) => ({
      list,
      scores: scoresOf(list, model),
      isChance: probabilityOf(model.chance, listFeatures(list)) < model.minChance,
    }));
  }).flat();
  const own = judged.filter(({ list }) => list.kind === "own");
  const kinds = ["foreign", "nonsense"] as const;
  const answered = own.filter(({ list }) => hasRight(list));
  const lost = answered.filter(({ isChance }) => isChance).length;
  const rejected = kinds.map((kind) => {
    const all = judged.filter(({ list }) => list.kind === kind);
    const none = empty.filter((list) => list.kind === kind).length;
    const chance = all.filter(({ isChance }) => isChance).length;
    return `${kind} rejected ${percent(chance + none, all.length + none)} of ${all.length + none}`;
  });
  const mixed = judged.filter(({ list }, i) => list.kind === "own" || i % 10 === 0);
  return [
    `  held out: ECE of own questions ${ece(own).toFixed(4)}, of a mix ${ece(mixed).toFixed(4)}`,
    `  right answers lost ${percent(lost, answered.length)} of ${answered.length}; ${rejected.join(", ")}`,
    ...curve(own),
    ...[0.05, 0.1, 0.15, 0.2, 0.25].map((least) => strengthsAt(least, judged)),
  ];
}

interface Judged {
  readonly list: Listed;
  readonly scores: readonly number[];
  readonly isChance: boolean;
}

function scoresOf({ hits }: Listed, { score }: Fitted): number[] {
  return fallingScores(hits.map(({ features }) => probabilityOf(score, features))).slice(0, SHOWN);
}

interface Bin {
  count: number;
  score: number;
  right: number;
}

function binsOf(judged: readonly Judged[]): Bin[] {
  const bins = Array.from({ length: BINS }, () => ({ count: 0, score: 0, right: 0 }));
  for (const { list, scores } of judged) {
    for (const [i, score] of scores.entries()) {
      const bin = bins[Math.min(BINS - 1, Math.floor(score * BINS))] as Bin;
      bin.count++;
      bin.score += score;
      bin.right += list.hits[i]?.isRight === true ? 1 : 0;
    }
  }
  return bins;
}

function ece(judged: readonly Judged[]): number {
  const bins = binsOf(judged);
  const all = bins.reduce((sum, { count }) => sum + count, 0);
  return bins.reduce((sum, { score, right }) => sum + Math.abs(score - right), 0) / all;
}

function curve(judged: readonly Judged[]): string[] {
  return binsOf(judged)
    .filter(({ count }) => count > 0)
    .map(({ count, score, right }) => {
      const mean = (score / count).toFixed(3);
      return `  score ${mean}  right ${(right / count).toFixed(3)}  ${count} hits`;
    });
}

/** What a threshold for weak matches would do. */
function strengthsAt(least: number, judged: readonly Judged[]): string {
  const of = (kind: Listed["kind"]) => judged.filter(({ list }) => list.kind === kind);
  const strong = (all: readonly Judged[]) =>
    all.reduce((sum, { scores }) => sum + scores.filter((score) => score >= least).length, 0);
  const own = of("own");
  const right = own.flatMap(({ list, scores }) =>
    scores.filter((_, i) => list.hits[i]?.isRight === true),
  );
  const kept = right.filter((score) => score >= least).length;
  const without = (kind: Listed["kind"]) =>
    percent(of(kind).filter(({ scores }) => (scores[0] ?? 0) < least).length, of(kind).length);
  return (
    `  from ${least}: ${(strong(own) / own.length).toFixed(1)} strong per list, ${percent(kept, right.length)} of the right ones;` +
    ` no strong one in ${without("own")} own, ${without("foreign")} foreign, ${without("nonsense")} nonsense lists`
  );
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
}

function sourceOf(models: readonly [Mode, Fitted][]): string {
  const numbers = (values: readonly number[]) =>
    values.map((value) => String(Number(value.toFixed(4)))).join(", ");
  const entries = models.map(
    ([mode, { score, chance, minChance }]) =>
      `  ${mode}: {\n    score: [${numbers(score)}],\n    chance: [${numbers(chance)}],\n    minChance: ${minChance.toFixed(4)},\n  },`,
  );
  return [
    "/** The coefficients of the score, written by `npm run calibrate`: an intercept, then one for each feature. */",
    "",
    "export interface ScoreModel {",
    "  /** For the features of features.ts, in their order. */",
    "  readonly score: readonly number[];",
    "  /** For the features of the list, in the order of LIST_FEATURES. */",
    "  readonly chance: readonly number[];",
    "  /** Lists below this are no better than chance. */",
    "  readonly minChance: number;",
    "}",
    "",
    "// biome-ignore format: written by a program",
    "export const SCORE_MODELS = {",
    ...entries,
    "} as const satisfies Record<string, ScoreModel>;",
    "",
  ].join("\n");
}
