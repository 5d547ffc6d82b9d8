/** Fits the score model and the test for chance to lists, and judges them on repositories that they were not fitted to. */

import { FEATURE_NAMES, LIST_FEATURES } from "../../server/search/results/features.ts";
import { fallingScores } from "../../server/search/results/score.ts";
import { SCORE_MODELS, type ScoreModel } from "../../server/search/results/score-model.ts";
import { isAnswerable, type Listed, MODES, type Mode } from "./ask.ts";
import { type Judged, reportOn, SHOWN } from "./figures.ts";
import { fitLogistic, probabilityOf, type Row } from "./regression.ts";

/** The weight of unanswerable questions among all, because people mostly ask about the code that they have open. */
const FOREIGN_SHARE = 0.1;

const FOLDS = 6;

/** The greatest fraction of lists with a right answer that the chosen threshold may take for chance. */
const MAX_LOST = 0.005;

/** The parts of the models that can be written alone. */
const PARTS = ["score", "chance"] as const;
type Part = (typeof PARTS)[number];

export function isPart(value: string): value is Part {
  return PARTS.some((part) => part === value);
}

interface Fits {
  readonly report: string;
  /** The source of the models with one part as fitted, and the other as it is. */
  readonly sourceOf: (part: Part) => string;
}

export function fitModels(lists: readonly Listed[]): Fits {
  const reports: string[] = [];
  const models: [Mode, ScoreModel][] = [];
  for (const mode of Object.keys(MODES) as Mode[]) {
    const own = lists.filter((list) => list.mode === mode);
    models.push([mode, fit(own)]);
    reports.push(`${mode}: ${own.length} lists`);
    reports.push(" as the server showed them", ...reportOn(own.map(asShown)));
    reports.push(" fitted without their repositories", ...reportOn(crossValidate(own)));
  }
  const sourceOf = (part: Part) =>
    toSource(models.map(([mode, model]) => [mode, withPart(SCORE_MODELS[mode], part, model)]));
  return { report: reports.join("\n"), sourceOf };
}

function withPart(
  built: ScoreModel,
  part: Part,
  { score, chance, minChance }: ScoreModel,
): ScoreModel {
  return part === "score" ? { ...built, score } : { ...built, chance, minChance };
}

function fit(all: readonly Listed[]): ScoreModel {
  const lists = all.filter(({ hits }) => hits.length > 0);
  const answerable = lists.filter(isAnswerable).length;
  const score = fitLogistic(rowsOf(lists));
  const chance = fitLogistic(
    lists.map((list) => ({
      features: listFeatures(list),
      isRight: isAnswerable(list),
      weight: isAnswerable(list) ? 1 : answerable / countOf(lists, "foreign"),
    })),
  );
  const right = lists
    .filter((list) => isAnswerable(list) && hasRight(list))
    .map((list) => probabilityOf(chance, listFeatures(list)))
    .toSorted((a, b) => a - b);
  return { score, chance, minChance: right[Math.floor(MAX_LOST * right.length)] ?? 0 };
}

function rowsOf(lists: readonly Listed[]): Row[] {
  const answerable = lists.filter(isAnswerable).length;
  const others = Math.max(1, lists.length - answerable);
  const weight = (FOREIGN_SHARE / (1 - FOREIGN_SHARE)) * (answerable / others);
  return lists.flatMap((list) =>
    list.hits.map((hit) => ({ ...hit, weight: isAnswerable(list) ? 1 : weight })),
  );
}

function countOf(lists: readonly Listed[], wanted: Listed["kind"]): number {
  return lists.filter(({ kind }) => kind === wanted).length;
}

const LIST_COLUMNS = LIST_FEATURES.map((name) => FEATURE_NAMES.indexOf(name));

/** The features of the first hit: all hits have the same features of the list. */
function listFeatures({ hits }: Listed): number[] {
  const first = hits[0]?.features ?? [];
  return LIST_COLUMNS.map((column) => first[column] ?? 0);
}

function hasRight({ hits }: Listed): boolean {
  return hits.slice(0, SHOWN).some(({ isRight }) => isRight);
}

function asShown(list: Listed): Judged {
  const scores = list.hits.slice(0, SHOWN).map(({ score }) => score);
  return { list, scores, isChance: list.hits.every(({ relevance }) => relevance === "chance") };
}

/** Each sixth of the repositories is scored by a model of the others. */
function crossValidate(lists: readonly Listed[]): Judged[] {
  const names = [...new Set(lists.map(({ repo }) => repo.split("~")[0] ?? ""))].toSorted();
  return Array.from({ length: FOLDS }, (_, fold) => {
    const isHeldOut = ({ repo }: Listed) =>
      names.indexOf(repo.split("~")[0] ?? "") % FOLDS === fold;
    const model = fit(lists.filter((list) => !isHeldOut(list)));
    return lists.filter(isHeldOut).map((list) => judge(list, model));
  }).flat();
}

function judge(list: Listed, { score, chance, minChance }: ScoreModel): Judged {
  const values = list.hits.map(({ features }) => probabilityOf(score, features));
  return {
    list,
    scores: fallingScores(values).slice(0, SHOWN),
    isChance: list.hits.length === 0 || probabilityOf(chance, listFeatures(list)) < minChance,
  };
}
function toSource(models: readonly [Mode, ScoreModel][]): string {
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
    "  /** A list scoring below this is considered chance. */",
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
