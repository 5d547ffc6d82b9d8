/** What is called on a class of Ruby itself, and not on its objects. */

import type { Step } from "./chain.ts";
import type { Members } from "./members.ts";
import { CLASS_METHODS, hasMixins } from "./mixins.ts";
import type { DefinitionRef, Project } from "./project.ts";
import { definitionsOf, NOTHING, toDefinition, toInstance, type Values } from "./values.ts";

export function isNew(step: Step | undefined): boolean {
  return step?.kind === "member" && step.name === "new";
}

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
  if (name !== "new")
    return members.find(type, name).refs.flatMap((ref) => ofClassItself(project, ref, name));
  const made = constructorOf(project, members, type, new Set());
  return made.length > 0 ? made : [toDefinition(type)];
}

/** Of two methods of a name in a module that a class includes, the one that is called on the class. */
function ofClassItself(project: Project, { file, index }: DefinitionRef, name: string): Values {
  const parent = project.definition({ file, index })?.parent ?? -1;
  const inside = project.childrenNamed(file, parent, CLASS_METHODS) ?? [];
  const own = inside.flatMap((each) => project.childrenNamed(file, each, name) ?? []);
  return definitionsOf(file, own.length > 0 ? own : [index]);
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
    if (own !== undefined) return definitionsOf(type.file, own);
  }
  for (const base of members.basesOf(type)) {
    if (base.kind !== "instance" || project.definition(base)?.kind !== "class") continue;
    const made = constructorOf(project, members, base, seen);
    if (made.length > 0) return made;
  }
  return NOTHING;
}
