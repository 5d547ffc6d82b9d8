/** The members of types: their own, those that extensions add, and those of their bases. */

import { type DefinitionFact, FLAG } from "../../contracts/facts.ts";
import { type DefinitionRef, isSame, type Project } from "../project/project.ts";
import type { Member, Types } from "./evaluation.ts";
import { CLASS_METHODS, hasMixins } from "./mixins.ts";
import { openNames, openParts } from "./namespace-members.ts";
import { otherParts } from "./partial-types.ts";
import { isSeparateField } from "./separate-namespaces.ts";
import { NOTHING, toInstance, type Values } from "./values.ts";

/** Traits of Rust whose associated type has the members that are called on a value: by reference, and by `.await`. */
const BECOMES: ReadonlyMap<string, string> = new Map([
  ["Deref", "Target"],
  ["IntoFuture", "Output"],
  ["Future", "Output"],
]);

/** What a module of Elixir gives to those that use it. */
export const USING = ["__using__", "using"];

/** What the companion of a class of Kotlin is called where it has no name. */
const COMPANION = "Companion";

/** What was found of a type. */
interface Known {
  readonly type: DefinitionRef;
  readonly members: Map<string, Member>;
  bases: Values | undefined;
  /** What may add to it. */
  extensions: readonly DefinitionRef[] | undefined;
}

const NO_REFS: readonly DefinitionRef[] = [];
const NO_MEMBER: Member = { refs: [], isInherited: true };

export class Members {
  readonly #project: Project;
  readonly #types: Types;
  /** By file and index of the type. */
  readonly #known = new Map<number, Map<number, Known>>();

  constructor(project: Project, types: Types) {
    this.#project = project;
    this.#types = types;
  }

  /** A member of a type: its own, one that an extension adds, or one of its bases. */
  find(type: DefinitionRef, name: string): Member {
    const own = this.#of(type);
    const known = own.members.get(name);
    if (known !== undefined) return known;
    // One that is asked for while it is looked for is not there.
    own.members.set(name, NO_MEMBER);
    const found = this.#findMember(own, name);
    own.members.set(name, found);
    return found;
  }

  #findMember(own: Known, name: string): Member {
    const refs = this.#ownMembers(own, name);
    const isSwift = this.#project.language(own.type.file) === "swift";
    const isWhole = !isSwift && !isProperty(this.#project, refs);
    if (refs.length > 0 && isWhole) return { refs, isInherited: false };
    const above = this.#findAbove(own, name);
    if (refs.length === 0) return above;
    // The labels of a call say which of them is meant.
    if (isSwift) return { refs: [...refs, ...above.refs], isInherited: false };
    if (refs.every((ref) => isSeparateField(this.#project, ref)))
      return { refs: [...refs, ...above.refs], isInherited: above.refs.length > 0 };
    // A property of Kotlin hides no function of its name: which is meant is said by whether it is called.
    return { refs: [...refs, ...this.#added(own, name), ...above.refs], isInherited: false };
  }

  #findAbove(own: Known, name: string): Member {
    const elsewhere = this.#elsewhere(own.type, name);
    if (elsewhere.length > 0) return { refs: elsewhere, isInherited: false };
    for (const base of this.basesOf(own.type)) {
      if (base.kind === "module" || base.kind === "external") continue;
      const member = this.find(base, name);
      if (member.refs.length > 0) return { ...member, isInherited: true };
    }
    return this.#ofCompanion(own.type, name);
  }

  /** What other parts of a type have, and what other files add to a class of Ruby that they open; those of tests add to doubles. */
  #elsewhere(type: DefinitionRef, name: string): readonly DefinitionRef[] {
    const project = this.#project;
    const ofParts = otherParts(project, type).flatMap(({ file, index }) =>
      (project.childrenNamed(file, index, name) ?? []).map((each) => ({ file, index: each })),
    );
    if (ofParts.length > 0) return ofParts;
    if (!hasMixins(project.language(type.file))) return NO_REFS;
    const kind = project.definition(type)?.kind;
    // Who includes a module sees its constants as well.
    if (kind === "namespace" && /^\p{Lu}/u.test(name)) return openNames(project, type, name);
    if (kind !== "class" && kind !== "namespace") return NO_REFS;
    return openNames(project, type, name).filter(
      (ref) => project.definition(ref)?.kind === "function" && !project.isInTests(ref.file),
    );
  }

  /** A class of Kotlin has the members of its companion. */
  #ofCompanion({ file, index }: DefinitionRef, name: string): Member {
    if (this.#project.language(file) !== "kotlin") return NO_MEMBER;
    const [companion] = this.#project.childrenNamed(file, index, COMPANION) ?? [];
    if (companion === undefined || name === COMPANION) return NO_MEMBER;
    return this.find({ file, index: companion }, name);
  }

  #of({ file, index }: DefinitionRef): Known {
    let types = this.#known.get(file);
    if (types === undefined) {
      types = new Map();
      this.#known.set(file, types);
    }
    let known = types.get(index);
    if (known === undefined) {
      known = {
        type: { file, index },
        members: new Map(),
        bases: undefined,
        extensions: undefined,
      };
      types.set(index, known);
    }
    return known;
  }

  #ownMembers(known: Known, name: string): readonly DefinitionRef[] {
    const { file, index } = known.type;
    const own = this.#project.childrenNamed(file, index, name);
    if (own === undefined) return this.#added(known, name);
    const found = own.map((each) => ({ file, index: each }));
    const declared = found.filter((ref) => this.#isDeclared(ref));
    if (declared.length === found.length) {
      // What a class of C++ declares is defined elsewhere.
      const defined = this.#added(known, name);
      return defined.length > 0 ? defined : found;
    }
    if (declared.length > 0) return found.filter((ref) => !declared.includes(ref));
    const language = this.#project.language(file);
    if (language === "swift") return [...found, ...this.#added(known, name)];
    // A field and a method may have one name: only the method can be called so.
    return language === "rust" ? [...this.#added(known, name), ...found] : found;
  }

  #isDeclared(ref: DefinitionRef): boolean {
    return ((this.#project.definition(ref)?.flags ?? 0) & FLAG.declared) !== 0;
  }

  /** What extensions and receivers of the type's name add, where they mean this type. */
  #added(known: Known, name: string): readonly DefinitionRef[] {
    known.extensions ??= this.#extensionsOf(known.type);
    if (known.extensions.length === 0) return NO_REFS;
    const { type } = known;
    return known.extensions.flatMap((ref) => {
      const extension = this.#project.definition(ref);
      if (extension === undefined) return [];
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

  /** What may add to the type, by its name. */
  #extensionsOf(type: DefinitionRef): readonly DefinitionRef[] {
    const own = this.#project.definition(type);
    if (own === undefined) return NO_REFS;
    const language = this.#project.language(type.file);
    return this.#project
      .extensionsOf(own.name)
      .filter(({ file }) => this.#project.language(file) === language);
  }

  /** In Kotlin a class that is expected in common code is one with those of the platforms: they have its package and name. */
  #isOneType(extended: DefinitionRef | undefined, type: DefinitionRef): boolean {
    const project = this.#project;
    if (extended === undefined || project.language(type.file) !== "kotlin") return false;
    const [one, other] = [project.definition(extended), project.definition(type)];
    if (one?.name !== other?.name || one?.parent !== -1 || other?.parent !== -1) return false;
    return project.packageName(extended.file) === project.packageName(type.file);
  }

  /** Instances of the bases of a type. */
  basesOf(type: DefinitionRef): Values {
    const known = this.#of(type);
    if (known.bases === undefined) {
      // A base that is asked for while it is looked for has none.
      known.bases = NOTHING;
      const parts = [...otherParts(this.#project, type), ...this.#otherModules(type)];
      known.bases = [type, ...parts].flatMap((part) => this.#findBases(part));
    }
    return known.bases;
  }

  /** The other files that open a module of Ruby, which may include more. */
  #otherModules(type: DefinitionRef): readonly DefinitionRef[] {
    const project = this.#project;
    if (!hasMixins(project.language(type.file))) return NO_REFS;
    if (project.definition(type)?.kind !== "namespace") return NO_REFS;
    return openParts(project, type).filter((part) => !isSame(part, type));
  }

  #findBases(type: DefinitionRef): Values {
    const definition = this.#project.definition(type);
    if (definition === undefined) return NOTHING;
    if (this.#project.language(type.file) === "elixir") return this.#used(type, definition);
    const written = [...definition.bases, ...this.#extensionBases(type, definition)];
    // Go's embedding in a type that is another one, and Rust's and Swift's associated types are no bases.
    if (definition.kind === "class" && definition.type !== "") written.push(definition.type);
    const values = written.flatMap((base) => {
      const found = this.#basesNamed(type, definition.parent, base);
      // `include Sorting` of Ruby is in the body of the class, and sees what is there.
      const isInside = found.length === 0 && hasMixins(this.#project.language(type.file));
      return isInside ? this.#basesNamed(type, type.index, base) : found;
    });
    return [...values, ...this.#classMethods(type, definition)];
  }

  #basesNamed(type: DefinitionRef, scope: number, base: string): Values {
    return this.#types
      .type(type.file, scope, base)
      .filter((value) => value.kind === "instance" && !isSame(value, type));
  }

  /** What the modules that are used define in quotes; of such a quote, those of the functions that it calls. */
  #used({ file, index }: DefinitionRef, { bases, parent }: DefinitionFact): Values {
    return bases.flatMap((base) => {
      if (/^[^A-Z]/.test(base)) return this.#instancesNamed(file, parent, base);
      const used = this.#types.named(file, index, base.replaceAll(".", ":"));
      return used.flatMap((value) =>
        value.kind === "definition"
          ? USING.flatMap((name) => this.#instancesNamed(value.file, value.index, name))
          : [],
      );
    });
  }

  #instancesNamed(file: number, parent: number, name: string): Values {
    const found = this.#project.childrenNamed(file, parent, name) ?? [];
    return found.map((index) => toInstance({ file, index }));
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
      if (ref.file !== type.file && !this.#isExtendedAnywhere(type)) return [];
      return [...extension.bases, ...this.#becomes(ref, extension)];
    });
  }

  /** Types of Swift conform to protocols in any file. */
  #isExtendedAnywhere(type: DefinitionRef): boolean {
    return this.#project.language(type.file) === "swift";
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

/** Whether a method of its name may be one of a base. */
function isProperty(project: Project, refs: readonly DefinitionRef[]): boolean {
  return refs.every(
    (ref) =>
      isSeparateField(project, ref) ||
      (project.language(ref.file) === "kotlin" && isPlainProperty(project.definition(ref))),
  );
}

/** Of Kotlin, a property that is no function. */
function isPlainProperty(definition: DefinitionFact | undefined): boolean {
  if (definition?.kind !== "variable") return false;
  const { type, value } = definition;
  return type === "" ? value !== "" : !type.includes("->");
}
