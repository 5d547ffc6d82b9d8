/** Extension functions, and functions that JavaScript assigns to other functions. */

import { lastSegment } from "../../common/dotted-name.ts";
import { ANY_TYPE, isTypeParameter } from "../project/package-key.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import type { Evaluation } from "./evaluation.ts";
import { isExternal, NOTHING, toDefinition, type Value, type Values } from "./values.ts";

/** The imported extension functions of a name. */
export function importedExtensions(
  { project, binder }: Evaluation,
  file: number,
  name: string,
): Values {
  if (!project.traits(file).importsExtensions) return NOTHING;
  const bound = binder.binding(file, name) ?? NOTHING;
  return bound.filter((value) => isExtensionFunction(project, value));
}

/** The type names of literals in Kotlin and C#. */
const LITERALS: ReadonlyMap<string, readonly string[]> = new Map([
  ["string", ["string", "String", "CharSequence"]],
  ["number", ["int", "long", "double", "Int", "Long", "Double", "Float", "Number"]],
]);

const BASIC: ReadonlySet<string> = new Set([...LITERALS.values()].flat());

/** The visible extension functions of a name for a receiver of an external type, or for any type. */
export function extensionsOfExternal(
  evaluation: Evaluation,
  file: number,
  name: string,
  receiver: Values,
): Values {
  const { project } = evaluation;
  const language = project.language(file);
  if (!project.traits(file).hasExtensionFunctions) return NOTHING;
  const types = receiver.flatMap((value) =>
    value.kind === "external" ? (LITERALS.get(value.name) ?? [lastSegment(value.name)]) : [],
  );
  const isCandidate = (ref: DefinitionRef) =>
    project.definition(ref)?.name === name &&
    project.language(ref.file) === language &&
    isVisible(evaluation, file, ref.file);
  for (const type of [...types, ANY_TYPE]) {
    const found = project.extensionsOf(type).filter(isCandidate);
    if (found.length > 0) return found.map(toDefinition);
  }
  if (!isExternal(receiver)) return NOTHING;
  // The receiver has an unknown type, which is neither a string nor a number.
  const isOfClass = (ref: DefinitionRef) => !BASIC.has(project.definition(ref)?.owner ?? "");
  const methods = project.methodsNamed(language, name);
  return ofSingleOwner(
    project,
    methods.filter((ref) => isOfClass(ref) && isCandidate(ref)),
  );
}

/** An unbound name that is called: a visible extension function of the type of an implicit receiver. */
export function extensionsOfThis(evaluation: Evaluation, file: number, name: string): Values {
  const { project } = evaluation;
  const { hasImplicitReceivers, builtInMethods } = project.traits(file);
  if (!hasImplicitReceivers || builtInMethods?.has(name)) return NOTHING;
  const seen = project
    .methodsNamed(project.language(file), name)
    .filter(
      (ref) => project.definition(ref)?.parent === -1 && isVisible(evaluation, file, ref.file),
    );
  return ofSingleOwner(project, seen);
}

/** The supertypes of an external type are unknown, so that functions count only if all of them extend the same type. */
function ofSingleOwner(project: Project, refs: readonly DefinitionRef[]): Values {
  const owners = refs.map((ref) => project.definition(ref)?.owner ?? "");
  const [first = ""] = owners;
  const isOne = first !== "" && owners.every((one) => one === first);
  return isOne ? refs.map(toDefinition) : NOTHING;
}

/** Whether the type of a value is a type parameter: a call may then mean an extension function of any type. */
export function isOfTypeParameter(project: Project, file: number, value: Value): boolean {
  if (value.kind !== "external" || !project.traits(file).hasExtensionFunctions) return false;
  return isTypeParameter(value.name);
}

/** Whether the top-level names of `other` are visible in `file`: same package, enclosing namespace, or wildcard import. */
function isVisible({ project, binder }: Evaluation, file: number, other: number): boolean {
  const [own, its] = [project.packageOf(file), project.packageOf(other)];
  if (own === undefined || its === undefined) return false;
  const isAround = project.traits(file).seesOuterPackages && own.startsWith(`${its}.`);
  if (own === its || isAround) return true;
  return binder
    .wildcards(file)
    .some(({ module }) => module.kind === "module" && module.packageKey === its);
}

/** Whether a function is defined outside the type that it belongs to. */
export function isExtensionFunction(project: Project, value: Value): boolean {
  return value.kind === "definition" && project.definition(value)?.owner !== "";
}

/** `Foo.bar = function`, where `Foo` is a function of the same file. */
export function assignedToFunction(
  project: Project,
  { file, index }: DefinitionRef,
  name: string,
): Values {
  const owner = project.definition({ file, index })?.name ?? "";
  return project
    .extensionsOf(owner)
    .filter((ref) => ref.file === file && project.definition(ref)?.name === name)
    .map(toDefinition);
}
