/** Which of several functions of one name a call means, by what they take and what it gives; and which are one function. */

import { FLAG, NO_LABELS } from "../../contracts/facts.ts";
import { type DefinitionRef, isSame, type Project } from "../project/project.ts";

/** Begins what is chosen last. */
const LAST = "~ ";

/** Those that take what is given; all of them where nothing is known, or none does and the labels are no proof. */
export function overloadsFor<T>(
  all: readonly T[],
  given: string,
  { labelsOf, isProof }: { labelsOf(one: T): string; readonly isProof: boolean },
): readonly T[] {
  if (given === "" || (all.length < 2 && !isProof)) return all;
  const fitting = all.filter((one) => takes(labelsOf(one).replace(LAST, ""), given));
  const first = fitting.filter((one) => !labelsOf(one).startsWith(LAST));
  if (first.length > 0) return first;
  if (fitting.length > 0) return fitting;
  return isProof && all.every((one) => labelsOf(one) !== "") ? [] : all;
}

/** What a class itself has is another function than what its objects have; so is a getter. */
const TELLING_FLAGS = FLAG.static | FLAG.property;

/** Whether two definitions are one function to those who call it: nothing in a call tells them apart. */
export function isSameFunction(project: Project, a: DefinitionRef, b: DefinitionRef): boolean {
  if (isSame(a, b)) return true;
  const [one, other] = [project.definition(a), project.definition(b)];
  if (a.file !== b.file || one?.kind !== "function" || other?.kind !== "function") return false;
  if (one.name === "" || one.name !== other.name || one.owner !== other.owner) return false;
  if (one.parent !== other.parent || one.labels !== other.labels) return false;
  return ((one.flags ^ other.flags) & TELLING_FLAGS) === 0;
}

/** The first of each function. */
export function uniqueFunctions(
  project: Project,
  refs: readonly DefinitionRef[],
): readonly DefinitionRef[] {
  return refs.filter(
    (ref, i) => refs.findIndex((other) => isSameFunction(project, other, ref)) === i,
  );
}

const BLOCK = "{";
const NONE = "_";

/** Labels as `languages/facts/labels.ts` writes them. */
function takes(taken: string, given: string): boolean {
  if (taken === "") return false;
  const parameters = splitLabels(taken);
  const all = splitLabels(given);
  const labels = all.filter((label) => label !== BLOCK);
  const blocks = all.length - labels.length;
  if (parameters.every((label) => label.startsWith(NONE) && !label.endsWith("*"))) {
    const least = parameters.filter((label) => !label.endsWith("?")).length;
    const isPlain = labels.every((label) => label === NONE);
    return isPlain && all.length >= least && all.length <= parameters.length;
  }
  let [at, required, open] = [0, 0, 0];
  for (const parameter of parameters) {
    const label = parameter.replace(/[?*]$/, "");
    if (labels[at] === label) {
      at++;
      while (parameter.endsWith("*") && labels[at] === NONE) at++;
    } else {
      open++;
      if (parameter === label) required++;
    }
  }
  // A block is the last argument, without its label.
  return at === labels.length && required <= blocks && blocks <= open;
}

function splitLabels(labels: string): readonly string[] {
  return labels === NO_LABELS ? [] : labels.split(" ");
}
