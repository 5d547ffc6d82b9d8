/** Class methods of Ruby, `new`, and methods of `Object` that return their receiver. */

import { FLAG } from "../../contracts/facts.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import type { Evaluation } from "./evaluation.ts";
import { CLASS_METHODS } from "./mixins.ts";
import { definitionValues, NOTHING, toDefinition, toInstance, type Values } from "./values.ts";

/** The instances that `new` creates: of its receiver, even if a base defines the constructor. Empty for other languages. */
export function newInstances(project: Project, receivers: Values): Values {
  return receivers.flatMap((value) => {
    if (value.kind !== "definition" || project.traits(value.file).hasMixins !== true) return [];
    return project.definition(value)?.kind === "class" ? [toInstance(value)] : [];
  });
}

/** A member that is called on a class; `new` resolves to `initialize`, or to the class if it has none. */
export function rubyClassMember(evaluation: Evaluation, type: DefinitionRef, name: string): Values {
  const { project } = evaluation;
  if (name !== "new") {
    const found = evaluation
      .member(type, name)
      .refs.flatMap((ref) => preferClassMethods(project, ref, name));
    return methodsForReceiver(project, "class", found).map(toDefinition);
  }
  const constructors = constructorOf(evaluation, type, new Set());
  return constructors.length > 0 ? constructors : [toDefinition(type)];
}

/** Selects class methods or instance methods, by the kind of receiver; all methods if none matches, and in other languages. */
export function methodsForReceiver(
  project: Project,
  receiver: "class" | "object",
  refs: readonly DefinitionRef[],
): readonly DefinitionRef[] {
  const [first, second] = refs;
  if (first === undefined || second === undefined) return refs;
  if (project.traits(first.file).hasMixins !== true) return refs;
  const isOfClass = receiver === "class";
  const matching = refs.filter((ref) => {
    const { flags = 0 } = project.definition(ref) ?? {};
    return ((flags & FLAG.static) !== 0) === isOfClass;
  });
  return matching.length > 0 ? matching : refs;
}

/** Replaces a method of an included module by the class method of its name in `ClassMethods`, if there is one. */
function preferClassMethods(
  project: Project,
  { file, index }: DefinitionRef,
  name: string,
): readonly DefinitionRef[] {
  const parent = project.definition({ file, index })?.parent ?? -1;
  const inside = project.childrenNamed(file, parent, CLASS_METHODS) ?? [];
  const own = inside.flatMap((each) => project.childrenNamed(file, each, name) ?? []);
  return own.length > 0 ? own.map((each) => ({ file, index: each })) : [{ file, index }];
}

/** The constructor of the class or of a base class; modules are skipped, because they only wrap `new`. */
function constructorOf(evaluation: Evaluation, type: DefinitionRef, seen: Set<string>): Values {
  const { project } = evaluation;
  const key = `${type.file}:${type.index}`;
  if (seen.has(key)) return NOTHING;
  seen.add(key);
  for (const name of ["new", "initialize"]) {
    const own = project.childrenNamed(type.file, type.index, name);
    if (own !== undefined) return definitionValues(type.file, own);
  }
  for (const base of evaluation.basesOf(type)) {
    if (base.kind !== "instance" || project.definition(base)?.kind !== "class") continue;
    const constructors = constructorOf(evaluation, base, seen);
    if (constructors.length > 0) return constructors;
  }
  return NOTHING;
}

/** Methods of every object that return the object or a copy. */
const RETURNS_RECEIVER: ReadonlySet<string> = new Set(["tap", "freeze", "dup", "clone", "itself"]);

/** The receiver, for a method such as `tap` that returns it; empty for other methods. */
export function receiverItself(name: string, values: Values, evaluation: Evaluation): Values {
  if (!RETURNS_RECEIVER.has(name)) return NOTHING;
  return evaluation
    .resolved(values)
    .filter(
      (value) => value.kind === "instance" && evaluation.member(value, name).refs.length === 0,
    );
}
