/** Classes of Ruby: class methods, `new`, and methods of `Object` that return their receiver. */

import type { DefinitionRef, Project } from "../project/project.ts";
import { methodsForReceiver } from "../resolve/overloads.ts";
import type { Resolver } from "../resolve/rules.ts";
import {
  definitionValues,
  NOTHING,
  toDefinition,
  toInstance,
  type Values,
} from "../resolve/values.ts";

/** A nested module whose methods become class methods of classes that include the enclosing module (ActiveSupport). */
export const CLASS_METHODS = "ClassMethods";

export function isConstant(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}

/** Methods of every object that return the object or a copy. */
const RETURNS_RECEIVER: ReadonlySet<string> = new Set(["tap", "freeze", "dup", "clone", "itself"]);

export class RubyClasses {
  readonly #project: Project;

  constructor(project: Project) {
    this.#project = project;
  }

  /** The instances that `new` creates, even if a base defines the constructor, or the receiver of a method such as `tap`. */
  resultOf(values: Values, name: string, resolver: Resolver): Values {
    if (name === "new")
      return resolver
        .resolved(values)
        .flatMap((value) =>
          value.kind === "definition" && this.#isClass(value) ? [toInstance(value)] : [],
        );
    if (!RETURNS_RECEIVER.has(name)) return NOTHING;
    return resolver
      .resolved(values)
      .filter(
        (value) => value.kind === "instance" && resolver.member(value, name).refs.length === 0,
      );
  }

  /** A member that is called on a class; `new` resolves to `initialize`, or to the class if it has none. */
  member(type: DefinitionRef, name: string, resolver: Resolver): Values {
    if (name !== "new") {
      const found = resolver
        .member(type, name)
        .refs.flatMap((ref) => this.#preferClassMethods(ref, name));
      return methodsForReceiver(this.#project, "class", found).map(toDefinition);
    }
    const constructors = this.#constructorOf(type, resolver, new Set());
    return constructors.length > 0 ? constructors : [toDefinition(type)];
  }

  /** The nested `ClassMethods` of a module. */
  classMethods({ file, index }: DefinitionRef): readonly DefinitionRef[] {
    const inside = this.#project.childrenNamed(file, index, CLASS_METHODS) ?? [];
    return inside.map((each) => ({ file, index: each }));
  }

  #isClass(ref: DefinitionRef): boolean {
    return this.#project.definition(ref)?.kind === "class";
  }

  /** Replaces a method of an included module by the class method of its name in `ClassMethods`, if there is one. */
  #preferClassMethods(ref: DefinitionRef, name: string): readonly DefinitionRef[] {
    const { file } = ref;
    const parent = this.#project.definition(ref)?.parent ?? -1;
    const own = this.classMethods({ file, index: parent }).flatMap(
      ({ index }) => this.#project.childrenNamed(file, index, name) ?? [],
    );
    return own.length > 0 ? own.map((index) => ({ file, index })) : [ref];
  }

  /** The constructor of the class or of a base class; modules are skipped, because they only wrap `new`. */
  #constructorOf(type: DefinitionRef, resolver: Resolver, seen: Set<string>): Values {
    const key = `${type.file}:${type.index}`;
    if (seen.has(key)) return NOTHING;
    seen.add(key);
    for (const name of ["new", "initialize"]) {
      const own = this.#project.childrenNamed(type.file, type.index, name);
      if (own !== undefined) return definitionValues(type.file, own);
    }
    for (const base of resolver.basesOf(type)) {
      if (base.kind !== "instance" || !this.#isClass(base)) continue;
      const constructors = this.#constructorOf(base, resolver, seen);
      if (constructors.length > 0) return constructors;
    }
    return NOTHING;
  }
}
