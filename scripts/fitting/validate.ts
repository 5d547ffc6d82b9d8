/** Fits the weights of the boosts `place-in-file` and `file-order`, and measures their gain by cross-validation over repositories. */

import { fileFeaturesOf, logShareOf } from "../../server/search/boosts/file-features.ts";
import { average, meanWithError } from "../bench/statistics.ts";
import { COMMIT } from "./commit-subjects.ts";
import { type Chunk, chunksByFile, displayed, isFound, type List } from "./list.ts";
import { dot, fitChoices } from "./softmax.ts";

const FOLDS = 6;
/** The first files of each list: the features hardly ever make a further one the first. */
const FITTED_FILES = 25;
const CUTOFFS = [1, 5];

/** A weight for each feature: which of the chunks of a right file answers the question. Commits name files only. */
export function fitPlaces(lists: readonly List[]): number[] {
  const open = lists.filter(({ isOpen, style }) => isOpen && style !== COMMIT);
  return fitChoices(open.flatMap(({ chunks }) => chunksByFile(chunks)));
}

/** A weight for each feature: which of the files of a list answers the question, given the scores so far. */
export function fitFiles(lists: readonly List[], places: readonly number[]): number[] {
  const choices = lists
    .filter(({ isOpen }) => isOpen)
    .map(({ chunks }) =>
      chunksByFile(chunks)
        .slice(0, FITTED_FILES)
        .map((file) => ({
          features: [logShareOf(file.map(({ features }) => features)), ...featuresOf(file, places)],
          isRight: file.some(({ isInRightFile }) => isInRightFile),
        })),
    );
  const [score = 1, ...weights] = fitChoices(choices);
  return weights.map((weight) => weight / score);
}

function featuresOf(file: readonly Chunk[], places: readonly number[]): readonly number[] {
  const rows = file.map(({ features }) => features);
  return fileFeaturesOf(rows, file[0]?.wordsInFile ?? 0, (place) => dot(places, place));
}

/** Whether a right place of one question is among the first k, before the boost and after it. */
interface Outcome {
  readonly style: string;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** Each sixth of the repositories is ordered by the weights of the others; `part` says which weights are judged. */
export function crossValidate(
  lists: readonly List[],
  part: "places" | "files" = "places",
): Outcome[] {
  const repos = [...new Set(lists.map(({ repo }) => repo))].toSorted();
  return Array.from({ length: Math.min(FOLDS, repos.length) }, (_, fold) => {
    const isHeldOut = ({ repo }: List) => repos.indexOf(repo) % FOLDS === fold;
    const others = lists.filter((list) => !isHeldOut(list));
    const places = fitPlaces(others);
    const files = part === "files" ? fitFiles(others, places) : undefined;
    return lists.filter(isHeldOut).map((list) => outcomeOf(list, places, files));
  }).flat();
}

/** With weights of files, the order with the weights of places alone is the one before. */
export function outcomeOf(
  list: List,
  places: readonly number[],
  files?: readonly number[],
): Outcome {
  const byPlaces = displayed(list, (each) => dot(places, each));
  const found = (chunks: readonly Chunk[]) => CUTOFFS.map((k) => Number(isFound(chunks, k)));
  const { style } = list;
  if (files === undefined) return { style, before: found(displayed(list)), after: found(byPlaces) };
  const byBoth = displayed(
    list,
    (each) => dot(places, each),
    (file) => dot(files, featuresOf(file, places)),
  );
  return { style, before: found(byPlaces), after: found(byBoth) };
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
