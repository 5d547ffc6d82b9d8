/** Says how well scores are calibrated, and what the words strong, weak and chance do to right hits and to nonsense. */

import { isAnswerable, type Kind, type Listed, type ObservedHit } from "./ask.ts";

/** Hits that are counted in the figures, as many as a list shows. */
export const SHOWN = 10;

const BINS = 10;

/** Limits for weak matches that are compared. */
const LIMITS = [0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1, 0.15, 0.2];

/** A list with the scores of its first hits. */
export interface Judged {
  readonly list: Listed;
  readonly scores: readonly number[];
  /** Whether the list comes by chance, or has no hits. */
  readonly isChance: boolean;
}

type IsRight = (hit: ObservedHit) => boolean;
const byPlace: IsRight = ({ isRight }) => isRight;
const byFile: IsRight = ({ isInRightFile }) => isInRightFile;

export function reportOn(judged: readonly Judged[]): string[] {
  const own = of(judged, "own");
  const names = of(judged, "name");
  return [
    `  ECE by place: questions ${ece(own, byPlace).toFixed(4)}, names ${ece(names, byPlace).toFixed(4)},` +
      ` both ${ece([...own, ...names], byPlace).toFixed(4)}; by file: questions ${ece(own, byFile).toFixed(4)}`,
    ...curve(own),
    `  taken for chance: ${(["own", "name", "foreign", "nonsense"] as const).map((kind) => chanceOf(judged, kind)).join(", ")}`,
    ...LIMITS.map((limit) => strengthsAt(limit, judged)),
  ];
}

function of(judged: readonly Judged[], kind: Kind): Judged[] {
  return judged.filter(({ list }) => list.kind === kind);
}

interface Bin {
  count: number;
  score: number;
  right: number;
}

function binsOf(judged: readonly Judged[], isRight: IsRight): Bin[] {
  const bins = Array.from({ length: BINS }, () => ({ count: 0, score: 0, right: 0 }));
  for (const { list, scores } of judged) {
    for (const [i, score] of scores.entries()) {
      const bin = bins[Math.min(BINS - 1, Math.floor(score * BINS))] as Bin;
      bin.count++;
      bin.score += score;
      bin.right += isRight(list.hits[i] as ObservedHit) ? 1 : 0;
    }
  }
  return bins;
}

/** The expected calibration error over the first hits: the mean distance of score and share of right hits, in bins of .1. */
export function ece(judged: readonly Judged[], isRight: IsRight): number {
  const bins = binsOf(judged, isRight);
  const all = bins.reduce((sum, { count }) => sum + count, 0);
  return bins.reduce((sum, { score, right }) => sum + Math.abs(score - right), 0) / all;
}

function curve(judged: readonly Judged[]): string[] {
  const files = binsOf(judged, byFile);
  return binsOf(judged, byPlace).flatMap(({ count, score, right }, i) => {
    if (count === 0) return [];
    const mean = (score / count).toFixed(3);
    const inFile = ((files[i]?.right ?? 0) / count).toFixed(3);
    return [
      `  score ${mean}  right place ${(right / count).toFixed(3)}, file ${inFile}  ${count} hits`,
    ];
  });
}

/** An answerable list counts only if its first hit is right: with the others no answer is lost. */
function chanceOf(judged: readonly Judged[], kind: Kind): string {
  const isAnswered = isAnswerable({ kind });
  const all = of(judged, kind).filter(({ list }) => !isAnswered || isFirstRight(list));
  const chance = all.filter(({ isChance }) => isChance).length;
  return `${kind} ${isAnswered ? "with a right first hit " : ""}${percent(chance, all.length)} of ${all.length}`;
}

function isFirstRight({ hits }: Listed): boolean {
  return hits[0]?.isRight === true;
}

/** The strong hits at a limit for weak matches, of right places and of nonsense. Lists taken for chance have none. */
function strengthsAt(least: number, judged: readonly Judged[]): string {
  const strongIn = ({ scores, isChance }: Judged) =>
    isChance ? 0 : scores.filter((score) => score >= least).length;
  const own = of(judged, "own");
  const strong = own.reduce((sum, each) => sum + strongIn(each), 0) / own.length;
  const right = own.flatMap(({ list, scores, isChance }) =>
    scores.filter((_, i) => list.hits[i]?.isRight === true).map((score) => (isChance ? 0 : score)),
  );
  const weakFirst = (kind: Kind) => {
    const first = of(judged, kind).filter(({ list }) => isFirstRight(list));
    return percent(first.filter((each) => strongIn(each) === 0).length, first.length);
  };
  const answered = (kind: Kind) =>
    percent(of(judged, kind).filter((each) => strongIn(each) > 0).length, of(judged, kind).length);
  return (
    `  strong from ${least}: ${strong.toFixed(1)} hits a list, ${percent(right.filter((score) => score >= least).length, right.length)} of the right ones;` +
    ` right first hits not strong: questions ${weakFirst("own")}, names ${weakFirst("name")};` +
    ` lists with a strong hit: foreign ${answered("foreign")}, nonsense ${answered("nonsense")}`
  );
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
}
