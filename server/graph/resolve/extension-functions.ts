/** Functions that extend what they are called on: of Kotlin by an import, of JavaScript by an assignment. */

import { ANY_TYPE, isTypeParameter } from "../project/package-key.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import type { Binder } from "./binder.ts";
import { isBuiltInMethod } from "./builtin-methods.ts";
import { isExternal, NOTHING, toDefinition, type Value, type Values } from "./values.ts";

export function importedExtensions(
  project: Project,
  binder: Binder,
  file: number,
  name: string,
): Values {
  if (project.language(file) !== "kotlin") return NOTHING;
  const bound = binder.binding(file, name) ?? NOTHING;
  return bound.filter((value) => isExtensionFunction(project, value));
}

/** Languages whose functions may extend a type that they do not own, for who sees their package. */
const EXTEND_TYPES: ReadonlySet<string> = new Set(["kotlin", "csharp"]);
/** What literals are, as Kotlin and C# name it. */
const LITERALS: Readonly<Record<string, readonly string[]>> = {
  string: ["string", "String", "CharSequence"],
  number: ["int", "long", "double", "Int", "Long", "Double", "Float", "Number"],
};

const BASIC: ReadonlySet<string> = new Set(Object.values(LITERALS).flat());

/** Functions of a name that a file sees and that extend a type of a library, or any type. */
export function extensionsOfExternal(
  project: Project,
  binder: Binder,
  file: number,
  { name, receiver }: { readonly name: string; readonly receiver: Values },
): Values {
  const language = project.language(file);
  if (!EXTEND_TYPES.has(language)) return NOTHING;
  const types = receiver.flatMap((value) =>
    value.kind === "external" ? (LITERALS[value.name] ?? [lastOf(value.name)]) : [],
  );
  const isMeant = (ref: DefinitionRef) =>
    project.definition(ref)?.name === name &&
    project.language(ref.file) === language &&
    isSeen(project, binder, file, ref.file);
  for (const type of [...types, ANY_TYPE]) {
    const found = project.extensionsOf(type).filter(isMeant);
    if (found.length > 0) return found.map(toDefinition);
  }
  if (!isExternal(receiver)) return NOTHING;
  // A value of another type is no text, and no number.
  const isOfClass = (ref: DefinitionRef) => !BASIC.has(project.definition(ref)?.owner ?? "");
  const methods = project.methodsNamed(language, name);
  return theOnlyOne(
    project,
    methods.filter((ref) => isOfClass(ref) && isMeant(ref)),
  );
}

/** What a plain name calls in Kotlin that nothing else has: a function that extends the type of an object around, where one is seen. */
export function extensionsOfThis(
  project: Project,
  binder: Binder,
  file: number,
  name: string,
): Values {
  if (project.language(file) !== "kotlin" || isBuiltInMethod("kotlin", name)) return NOTHING;
  const seen = project
    .methodsNamed("kotlin", name)
    .filter(
      (ref) => project.definition(ref)?.parent === -1 && isSeen(project, binder, file, ref.file),
    );
  return theOnlyOne(project, seen);
}

/** Of which types a type of a library is, is not known: what extends only one type is meant. */
function theOnlyOne(project: Project, refs: readonly DefinitionRef[]): Values {
  const owners = refs.map((ref) => project.definition(ref)?.owner ?? "");
  const [first = ""] = owners;
  const isOne = first !== "" && owners.every((one) => one === first);
  return isOne ? refs.map(toDefinition) : NOTHING;
}

/** Whether nothing is known of a value but that it is of a type parameter, of which functions of the workspace extend some. */
export function isOfTypeParameter(language: string, value: Value): boolean {
  return value.kind === "external" && EXTEND_TYPES.has(language) && isTypeParameter(value.name);
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** Whether what a file has at its top is visible in another one. */
function isSeen(project: Project, binder: Binder, file: number, other: number): boolean {
  const [own, its] = [project.packageOf(file), project.packageOf(other)];
  if (own === undefined || its === undefined) return false;
  const isAround = project.language(file) === "csharp" && own.startsWith(`${its}.`);
  if (own === its || isAround) return true;
  return binder
    .wildcards(file)
    .some(({ module }) => module.kind === "module" && module.packageKey === its);
}

/** Whether a function stands outside of the type that it extends. */
export function isExtensionFunction(project: Project, value: Value): boolean {
  return value.kind === "definition" && project.definition(value)?.owner !== "";
}

/** `Foo.bar = function` where Foo is a function. */
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
