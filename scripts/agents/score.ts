/** Compares the places of an answer with the right ones. */

import type { AnsweredPlace } from "./outcome.ts";
import type { Kind, Place, Task } from "./tasks.ts";

interface Score {
  readonly isRight: boolean;
  readonly recall: number;
  readonly precision: number;
}

/** How many places count: an answer that names everything finds nothing. A list may have any length. */
const MOST: Readonly<Record<Kind, number>> = {
  find: 3,
  why: 1,
  list: Number.POSITIVE_INFINITY,
  breaks: Number.POSITIVE_INFINITY,
  pattern: 12,
};

/** The least precision of a right answer. Files that a change may break are a matter of judgment, uses are not. */
const PRECISION: Readonly<Record<Kind, number>> = {
  find: 0,
  why: 1,
  list: 1,
  breaks: 0.5,
  pattern: 0,
};

export function score(task: Task, places: readonly AnsweredPlace[]): Score {
  if (task.kind === "why") return scoreCommit(task.commit ?? "", places);
  const counted = places.slice(0, MOST[task.kind]);
  const isFound = (place: Place) => counted.some((each) => meets(each, place, task.kind));
  const wanted = groupsOf(task.places);
  const found = wanted.filter((group) => group.some(isFound));
  const judged = counted.filter(
    (each) => !(task.neutral ?? []).some((place) => meets(each, place, task.kind)),
  );
  const right = judged.filter((each) => task.places.some((place) => meets(each, place, task.kind)));
  const recall = found.length / wanted.length;
  const precision = judged.length === 0 ? 0 : right.length / judged.length;
  return { isRight: recall === 1 && precision >= PRECISION[task.kind], recall, precision };
}

/** Places of one group together, each other place by itself. */
function groupsOf(places: readonly Place[]): Place[][] {
  const groups = new Map<string | Place, Place[]>();
  for (const place of places) {
    const key = place.group ?? place;
    groups.set(key, [...(groups.get(key) ?? []), place]);
  }
  return [...groups.values()];
}

/** Digits that distinguish a commit from all others. */
const SHORTEST_HASH = 7;

function scoreCommit(commit: string, places: readonly AnsweredPlace[]): Score {
  const [first] = places;
  const hash = first?.commit?.toLowerCase() ?? "";
  const isRight = hash.length >= SHORTEST_HASH && commit.startsWith(hash);
  return { isRight, recall: isRight ? 1 : 0, precision: isRight ? 1 : 0 };
}

/** A file is compared by its path alone. A list needs each line; elsewhere an overlap is enough. */
function meets(answered: AnsweredPlace, wanted: Place, kind: Kind): boolean {
  if (normalPath(answered.path) !== wanted.path) return false;
  if (kind === "breaks" || wanted.startLine === undefined) return true;
  const { startLine, endLine = startLine } = answered;
  if (startLine === undefined || endLine === undefined) return false;
  if (kind === "list" && endLine !== startLine) return false;
  return endLine >= wanted.startLine && startLine <= (wanted.endLine ?? wanted.startLine);
}

function normalPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, "");
}
