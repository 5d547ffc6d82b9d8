/** Fits the weights of the boost `place-in-file`, and measures their gain by cross-validation over repositories. */

import { average, meanWithError } from "../bench/statistics.ts";
import { chunksByFile, displayed, isFound, type List } from "./list.ts";
import { dot, fitChoices } from "./softmax.ts";

const FOLDS = 6;
const CUTOFFS = [1, 5];

/** A weight for each feature: which of the chunks of a right file answers the question. */
export function fitPlaces(lists: readonly List[]): number[] {
  return fitChoices(
    lists.filter(({ isOpen }) => isOpen).flatMap(({ chunks }) => chunksByFile(chunks)),
  );
}

/** Of one question: whether a right place is among the first k, by the order before the boost and after it. */
interface Outcome {
  readonly style: string;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** Each sixth of the repositories is ordered by the weights of the others. */
export function crossValidate(lists: readonly List[]): Outcome[] {
  const repos = [...new Set(lists.map(({ repo }) => repo))].toSorted();
  return Array.from({ length: Math.min(FOLDS, repos.length) }, (_, fold) => {
    const isHeldOut = ({ repo }: List) => repos.indexOf(repo) % FOLDS === fold;
    const weights = fitPlaces(lists.filter((list) => !isHeldOut(list)));
    return lists.filter(isHeldOut).map((list) => outcomeOf(list, weights));
  }).flat();
}

export function outcomeOf(list: List, weights: readonly number[]): Outcome {
  const [before, after] = [displayed(list), displayed(list, (each) => dot(weights, each))];
  const found = (chunks: typeof before) => CUTOFFS.map((k) => Number(isFound(chunks, k)));
  return { style: list.style, before: found(before), after: found(after) };
}

/** Means over questions, with the difference and its paired standard error; whole, then by style. */
export function reportOutcomes(outcomes: readonly Outcome[]): string {
  const line = (name: string, group: readonly Outcome[]) => {
    const cells = CUTOFFS.map((k, i) => {
      const mean = (of: "before" | "after") => average(group.map((each) => each[of][i] as number));
      const changes = group.map(
        ({ before, after }) => (after[i] as number) - (before[i] as number),
      );
      const { mean: change, error } = meanWithError(changes);
      const sign = change < 0 ? "" : "+";
      const numbers = `${mean("before").toFixed(3)} -> ${mean("after").toFixed(3)}`;
      return `place@${k} ${numbers} (${sign}${change.toFixed(3)} ± ${error.toFixed(3)})`;
    });
    return `  ${`${name} (${group.length})`.padEnd(16)} ${cells.join("  ")}`;
  };
  const styles = [...new Set(outcomes.map(({ style }) => style))].toSorted();
  return [
    line("all", outcomes),
    ...styles.map((name) =>
      line(
        name,
        outcomes.filter(({ style }) => style === name),
      ),
    ),
  ].join("\n");
}
