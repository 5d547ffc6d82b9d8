/** What is called on a class of Ruby itself and not on its objects, and what all of its objects have. */

import { FLAG } from "../../contracts/facts.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import type { Members } from "./members.ts";
import { CLASS_METHODS, hasMixins } from "./mixins.ts";
import { definitionValues, NOTHING, toDefinition, toInstance, type Values } from "./values.ts";

/** What `new` makes is of the class that it is called on, whichever class above says how. Empty for other languages. */
export function madeByNew(project: Project, receivers: Values): Values {
  return receivers.flatMap((value) => {
    if (value.kind !== "definition" || !hasMixins(project.language(value.file))) return [];
    return project.definition(value)?.kind === "class" ? [toInstance(value)] : [];
  });
}

/** `new` is `initialize` from outside; without one, the class itself is what is called. */
export function onRubyClass(
  project: Project,
  members: Members,
  type: DefinitionRef,
  name: string,
): Values {
  if (name !== "new") {
    const found = members.find(type, name).refs.flatMap((ref) => ofClassItself(project, ref, name));
    return calledOn(project, "class", found).map(toDefinition);
  }
  const made = constructorOf(project, members, type, new Set());
  return made.length > 0 ? made : [toDefinition(type)];
}

/**
 * Of methods of one name: those of the class itself, or those of its objects; all where none is of that kind, and in other
 * languages.
 */
export function calledOn(
  project: Project,
  receiver: "class" | "object",
  refs: readonly DefinitionRef[],
): readonly DefinitionRef[] {
  const [first, second] = refs;
  if (first === undefined || second === undefined) return refs;
  if (!hasMixins(project.language(first.file))) return refs;
  const isOfClass = receiver === "class";
  const fitting = refs.filter((ref) => {
    const { flags = 0 } = project.definition(ref) ?? {};
    return ((flags & FLAG.static) !== 0) === isOfClass;
  });
  return fitting.length > 0 ? fitting : refs;
}

/** Of two methods of a name in a module that a class includes, the one that is called on the class. */
function ofClassItself(
  project: Project,
  { file, index }: DefinitionRef,
  name: string,
): readonly DefinitionRef[] {
  const parent = project.definition({ file, index })?.parent ?? -1;
  const inside = project.childrenNamed(file, parent, CLASS_METHODS) ?? [];
  const own = inside.flatMap((each) => project.childrenNamed(file, each, name) ?? []);
  return own.length > 0 ? own.map((each) => ({ file, index: each })) : [{ file, index }];
}

/** Of the class or of one above: what modules add to `new` says nothing of what is made. */
function constructorOf(
  project: Project,
  members: Members,
  type: DefinitionRef,
  seen: Set<string>,
): Values {
  const key = `${type.file}:${type.index}`;
  if (seen.has(key)) return NOTHING;
  seen.add(key);
  for (const name of ["new", "initialize"]) {
    const own = project.childrenNamed(type.file, type.index, name);
    if (own !== undefined) return definitionValues(type.file, own);
  }
  for (const base of members.basesOf(type)) {
    if (base.kind !== "instance" || project.definition(base)?.kind !== "class") continue;
    const made = constructorOf(project, members, base, seen);
    if (made.length > 0) return made;
  }
  return NOTHING;
}

/** Methods of each object that give the object, or one like it. */
const GIVES_ITSELF: ReadonlySet<string> = new Set(["tap", "freeze", "dup", "clone", "itself"]);

/** What `tap` gives: the object that it is called on. Empty for other methods. */
export function itselfOf(
  name: string,
  values: Values,
  resolved: (values: Values) => Values,
  members: Members,
): Values {
  if (!GIVES_ITSELF.has(name)) return NOTHING;
  return resolved(values).filter(
    (value) => value.kind === "instance" && members.find(value, name).refs.length === 0,
  );
}
