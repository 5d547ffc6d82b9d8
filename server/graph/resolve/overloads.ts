/** Overload resolution by argument labels, and by argument counts in languages without labels. */

import { FLAG, NO_LABELS } from "../../contracts/facts.ts";
import { type DefinitionRef, isSameDefinition, type Project } from "../project/project.ts";

/** The prefix of labels of a low-priority overload. */
const LOW_PRIORITY = "~ ";

/**
 * The overloads that accept the labels of a call. All of them if the labels are unknown, or if none accepts them and the labels
 * are not decisive.
 */
export function overloadsFor<T>(
  all: readonly T[],
  labels: string,
  {
    labelsOf,
    areLabelsDecisive,
  }: { labelsOf(one: T): string; readonly areLabelsDecisive: boolean },
): readonly T[] {
  if (labels === "" || (all.length < 2 && !areLabelsDecisive)) return all;
  const fitting = all.filter((one) => accepts(labelsOf(one).replace(LOW_PRIORITY, ""), labels));
  const first = fitting.filter((one) => !labelsOf(one).startsWith(LOW_PRIORITY));
  if (first.length > 0) return first;
  if (fitting.length > 0) return fitting;
  return areLabelsDecisive && all.every((one) => labelsOf(one) !== "") ? [] : all;
}

/** Definitions of one name that differ in these flags are different functions. */
const DISTINGUISHING_FLAGS = FLAG.static | FLAG.property;

/** Whether calls cannot distinguish two definitions, such as the signatures of one function. */
export function isSameFunction(project: Project, a: DefinitionRef, b: DefinitionRef): boolean {
  if (isSameDefinition(a, b)) return true;
  const [one, other] = [project.definition(a), project.definition(b)];
  if (a.file !== b.file || one?.kind !== "function" || other?.kind !== "function") return false;
  if (one.name === "" || one.name !== other.name || one.owner !== other.owner) return false;
  if (one.parent !== other.parent || one.labels !== other.labels) return false;
  return ((one.flags ^ other.flags) & DISTINGUISHING_FLAGS) === 0;
}

/** The first definition of each function; see `isSameFunction`. */
export function uniqueFunctions(
  project: Project,
  refs: readonly DefinitionRef[],
): readonly DefinitionRef[] {
  return refs.filter(
    (ref, i) => refs.findIndex((other) => isSameFunction(project, other, ref)) === i,
  );
}

/** Selects class methods or instance methods, by the kind of receiver. All methods if none matches. */
export function methodsForReceiver(
  project: Project,
  receiver: "class" | "object",
  refs: readonly DefinitionRef[],
): readonly DefinitionRef[] {
  const [first, second] = refs;
  if (first === undefined || second === undefined) return refs;
  if (!project.traits(first.file).separatesClassMethods) return refs;
  const isOfClass = receiver === "class";
  const matching = refs.filter((ref) => {
    const { flags = 0 } = project.definition(ref) ?? {};
    return ((flags & FLAG.static) !== 0) === isOfClass;
  });
  return matching.length > 0 ? matching : refs;
}

const BLOCK = "{";
const NONE = "_";

/** Whether parameters accept arguments; both in the syntax of `languages/facts/labels.ts`. */
function accepts(parameterLabels: string, callLabels: string): boolean {
  if (parameterLabels === "") return false;
  const parameters = splitLabels(parameterLabels);
  const all = splitLabels(callLabels);
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
  // A trailing block fills the last parameter, without its label.
  return at === labels.length && required <= blocks && blocks <= open;
}

function splitLabels(labels: string): readonly string[] {
  return labels === NO_LABELS ? [] : labels.split(" ");
}
