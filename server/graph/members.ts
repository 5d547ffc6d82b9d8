/** The members of types: their own, those that extensions add, and those of their bases. */

import { type DefinitionFact, FLAG } from "../contracts/facts.ts";
import type { Member, Types } from "./evaluation.ts";
import { CLASS_METHODS, hasMixins } from "./mixins.ts";
import { type DefinitionRef, isSame, type Project } from "./project.ts";
import { NOTHING, toInstance, type Values } from "./values.ts";

/** Traits of Rust whose associated type has the members that are called on a value: by reference, and by `.await`. */
const BECOMES: ReadonlyMap<string, string> = new Map([
  ["Deref", "Target"],
  ["IntoFuture", "Output"],
  ["Future", "Output"],
]);

const NO_MEMBER: Member = { refs: [], isInherited: false, isComplete: true };

/** Instances of the bases of a type; incomplete where one of them is of a library or unknown. */
interface Bases {
  readonly values: Values;
  readonly isComplete: boolean;
}

export class Members {
  readonly #project: Project;
  readonly #types: Types;
  readonly #known = new Map<string, Member>();
  readonly #busy = new Set<string>();
  readonly #bases = new Map<string, Bases>();

  constructor(project: Project, types: Types) {
    this.#project = project;
    this.#types = types;
  }

  /** A member of a type: its own, one that an extension adds, or one of its bases. */
  find(type: DefinitionRef, name: string): Member {
    const key = `${type.file}:${type.index}:${name}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#busy.has(key)) return NO_MEMBER;
    this.#busy.add(key);
    const found = this.#findMember(type, name);
    this.#busy.delete(key);
    this.#known.set(key, found);
    return found;
  }

  #findMember(type: DefinitionRef, name: string): Member {
    const own = this.#project.childrenNamed(type.file, type.index, name) ?? [];
    let found = own.map((index) => ({ file: type.file, index }));
    const declared = found.filter((ref) => this.#isDeclared(ref));
    if (declared.length === found.length) {
      // What a class of C++ declares is defined elsewhere.
      const added = this.#added(type, name);
      if (added.length > 0) found = added;
    } else if (declared.length > 0) found = found.filter((ref) => !declared.includes(ref));
    else if (this.#project.language(type.file) === "rust") {
      // A field and a method may have one name: only the method can be called so.
      found = [...this.#added(type, name), ...found];
    }
    if (found.length > 0) return { refs: found, isInherited: false, isComplete: true };
    const { values, isComplete } = this.basesOf(type);
    let complete = isComplete;
    for (const base of values) {
      if (base.kind === "module" || base.kind === "external") continue;
      const member = this.find(base, name);
      if (member.refs.length > 0) return { ...member, isInherited: true };
      complete &&= member.isComplete;
    }
    return { refs: [], isInherited: true, isComplete: complete };
  }

  #isDeclared(ref: DefinitionRef): boolean {
    return ((this.#project.definition(ref)?.flags ?? 0) & FLAG.declared) !== 0;
  }

  /** What extensions and receivers of the type's name add, where they mean this type. */
  #added(type: DefinitionRef, name: string): DefinitionRef[] {
    const own = this.#project.definition(type);
    if (own === undefined) return [];
    const language = this.#project.language(type.file);
    return this.#project.extensionsOf(own.name).flatMap((ref) => {
      const extension = this.#project.definition(ref);
      if (extension === undefined || this.#project.language(ref.file) !== language) return [];
      if (extension.kind !== "extension") {
        if (extension.name !== name) return [];
        const extended = this.#types.typeNamed(ref.file, extension.parent, extension.owner);
        // One that is inside of something must be brought into view first.
        const isSeen = extension.parent === -1 && this.#isOneType(extended, type);
        return isSeen || isSame(extended, type) ? [ref] : [];
      }
      const inside = this.#project.childrenNamed(ref.file, ref.index, name);
      if (inside === undefined || !isSame(this.#types.extended(ref), type)) return [];
      return inside.map((index) => ({ file: ref.file, index }));
    });
  }

  /** In Kotlin a class that is expected in common code is one with those of the platforms: they have its package and name. */
  #isOneType(extended: DefinitionRef | undefined, type: DefinitionRef): boolean {
    const project = this.#project;
    if (extended === undefined || project.language(type.file) !== "kotlin") return false;
    const [one, other] = [project.definition(extended), project.definition(type)];
    if (one?.name !== other?.name || one?.parent !== -1 || other?.parent !== -1) return false;
    return project.packageName(extended.file) === project.packageName(type.file);
  }

  basesOf(type: DefinitionRef): Bases {
    const key = `${type.file}:${type.index}`;
    let bases = this.#bases.get(key);
    if (bases === undefined) {
      // A base that is asked for while it is looked for has none.
      this.#bases.set(key, { values: NOTHING, isComplete: true });
      bases = this.#findBases(type);
      this.#bases.set(key, bases);
    }
    return bases;
  }

  #findBases(type: DefinitionRef): Bases {
    const definition = this.#project.definition(type);
    if (definition === undefined) return { values: NOTHING, isComplete: true };
    const written = [...definition.bases, ...this.#extensionBases(type, definition)];
    // Go's embedding in a type that is another one, and Rust's and Swift's associated types are no bases.
    if (definition.kind === "class" && definition.type !== "") written.push(definition.type);
    let isComplete = true;
    const values = written.flatMap((base) => {
      const found = this.#types
        .type(type.file, definition.parent, base)
        .filter((value) => value.kind === "instance" && !isSame(value, type));
      if (found.length === 0) isComplete = false;
      return found;
    });
    return { values: [...values, ...this.#classMethods(type, definition)], isComplete };
  }

  #classMethods({ file, index }: DefinitionRef, { kind }: DefinitionFact): Values {
    if (kind !== "namespace" || !hasMixins(this.#project.language(file))) return NOTHING;
    const inside = this.#project.childrenNamed(file, index, CLASS_METHODS) ?? [];
    return inside.map((each) => toInstance({ file, index: each }));
  }

  /** Traits that extensions implement for the type, and what a value of it becomes by them. */
  #extensionBases(type: DefinitionRef, { name }: DefinitionFact): readonly string[] {
    return this.#project.extensionsOf(name).flatMap((ref) => {
      const extension = this.#project.definition(ref);
      if (extension?.kind !== "extension" || extension.bases.length === 0) return [];
      if (ref.file !== type.file) return [];
      return [...extension.bases, ...this.#becomes(ref, extension)];
    });
  }

  /** The types behind `impl Deref for A { type Target = B; }` and the like. */
  #becomes(ref: DefinitionRef, { bases }: DefinitionFact): readonly string[] {
    return bases.flatMap((base) => {
      const name = BECOMES.get(base.replace(/<.*$/s, "").replace(/^.*(?:::|\.)/s, ""));
      const aliases =
        name === undefined ? [] : this.#project.childrenNamed(ref.file, ref.index, name);
      return (aliases ?? []).flatMap((index) => {
        const type = this.#project.definition({ file: ref.file, index })?.type ?? "";
        return type === "" ? [] : [type];
      });
    });
  }
}
