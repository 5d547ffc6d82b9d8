/** Member look-up on types: own members, members of extensions, and inherited members. */

import { type DefinitionFact, FLAG } from "../../contracts/facts.ts";
import { type DefinitionRef, isSameDefinition, type Project } from "../project/project.ts";
import type { Evaluation } from "./evaluation.ts";
import { openNames, openParts } from "./namespace-members.ts";
import { otherParts } from "./partial-types.ts";
import { isSeparateField } from "./separate-namespaces.ts";
import { type Member, NOTHING, type Values } from "./values.ts";

/** Traits of Rust that give a value the members of an associated type, by dereferencing or by `.await`. */
const DEREFERENCED_TYPES: ReadonlyMap<string, string> = new Map([
  ["Deref", "Target"],
  ["IntoFuture", "Output"],
  ["Future", "Output"],
]);

/** The cached look-ups of a type. */
interface TypeEntry {
  readonly type: DefinitionRef;
  readonly members: Map<string, Member>;
  bases: Values | undefined;
  /** Extensions of types of its name; undefined until looked up. */
  extensions: readonly DefinitionRef[] | undefined;
}

const NO_REFS: readonly DefinitionRef[] = [];
const NO_MEMBER: Member = { refs: [], isInherited: true };

export class Members {
  readonly #project: Project;
  readonly #evaluation: Evaluation;
  /** By file, then by index of the type. */
  readonly #entries = new Map<number, Map<number, TypeEntry>>();

  constructor(evaluation: Evaluation) {
    this.#project = evaluation.project;
    this.#evaluation = evaluation;
  }

  find(type: DefinitionRef, name: string): Member {
    const own = this.#entryOf(type);
    const known = own.members.get(name);
    if (known !== undefined) return known;
    // A recursive look-up finds nothing.
    own.members.set(name, NO_MEMBER);
    const found = this.#findMember(own, name);
    own.members.set(name, found);
    return found;
  }

  #findMember(own: TypeEntry, name: string): Member {
    const refs = this.#ownMembers(own, name);
    const hasDecisiveLabels = this.#evaluation.project.traits(own.type.file).hasDecisiveLabels;
    const isComplete = !hasDecisiveLabels && !isProperty(this.#project, refs);
    if (refs.length > 0 && isComplete) return { refs, isInherited: false };
    const inherited = this.#findInherited(own, name);
    if (refs.length === 0) return inherited;
    // The labels of a call select among overloads.
    if (hasDecisiveLabels) return { refs: [...refs, ...inherited.refs], isInherited: false };
    if (refs.every((ref) => isSeparateField(this.#project, ref)))
      return { refs: [...refs, ...inherited.refs], isInherited: inherited.refs.length > 0 };
    // A property does not hide a function of its name: a call means the function.
    return {
      refs: [...refs, ...this.#extensionMembers(own, name), ...inherited.refs],
      isInherited: false,
    };
  }

  #findInherited(own: TypeEntry, name: string): Member {
    const reopened = this.#openMembers(own.type, name);
    if (reopened.length > 0) return { refs: reopened, isInherited: false };
    for (const base of this.basesOf(own.type)) {
      if (base.kind === "module" || base.kind === "external") continue;
      const member = this.find(base, name);
      if (member.refs.length > 0) return { ...member, isInherited: true };
    }
    return this.#companionMember(own.type, name);
  }

  /** Members in other parts of a partial type, or in other files that reopen a Ruby class; without test doubles. */
  #openMembers(type: DefinitionRef, name: string): readonly DefinitionRef[] {
    const project = this.#project;
    const ofParts = otherParts(project, type).flatMap(({ file, index }) =>
      (project.childrenNamed(file, index, name) ?? []).map((each) => ({ file, index: each })),
    );
    if (ofParts.length > 0) return ofParts;
    if (!this.#project.traits(type.file).hasOpenClasses) return NO_REFS;
    const kind = project.definition(type)?.kind;
    // Including a module makes its constants visible.
    if (kind === "namespace" && /^\p{Lu}/u.test(name)) return openNames(project, type, name);
    if (kind !== "class" && kind !== "namespace") return NO_REFS;
    return openNames(project, type, name).filter(
      (ref) => project.definition(ref)?.kind === "function" && !project.isInTests(ref.file),
    );
  }

  /** A class has the members of its companion object. */
  #companionMember({ file, index }: DefinitionRef, name: string): Member {
    const written = this.#project.traits(file).companion;
    if (written === undefined || written === name) return NO_MEMBER;
    const [companion] = this.#project.childrenNamed(file, index, written) ?? [];
    if (companion === undefined) return NO_MEMBER;
    return this.find({ file, index: companion }, name);
  }

  #entryOf({ file, index }: DefinitionRef): TypeEntry {
    let types = this.#entries.get(file);
    if (types === undefined) {
      types = new Map();
      this.#entries.set(file, types);
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

  #ownMembers(known: TypeEntry, name: string): readonly DefinitionRef[] {
    const { file, index } = known.type;
    const own = this.#project.childrenNamed(file, index, name);
    if (own === undefined) return this.#extensionMembers(known, name);
    const found = own.map((each) => ({ file, index: each }));
    const declared = found.filter((ref) => this.#isDeclared(ref));
    if (declared.length === found.length) {
      // A class of C++ only declares the member; its definition is elsewhere.
      const defined = this.#extensionMembers(known, name);
      return defined.length > 0 ? defined : found;
    }
    if (declared.length > 0) return found.filter((ref) => !declared.includes(ref));
    if (this.#evaluation.project.traits(file).hasDecisiveLabels)
      return [...found, ...this.#extensionMembers(known, name)];
    return this.#project.traits(file).putsMethodsFirst
      ? [...this.#extensionMembers(known, name), ...found]
      : found;
  }

  #isDeclared(ref: DefinitionRef): boolean {
    return ((this.#project.definition(ref)?.flags ?? 0) & FLAG.declared) !== 0;
  }

  /** The members of a name from extensions and extension functions that resolve to this type. */
  #extensionMembers(known: TypeEntry, name: string): readonly DefinitionRef[] {
    known.extensions ??= this.#extensionsOf(known.type);
    if (known.extensions.length === 0) return NO_REFS;
    const { type } = known;
    return known.extensions.flatMap((ref) => {
      const extension = this.#project.definition(ref);
      if (extension === undefined) return [];
      if (extension.kind !== "extension") {
        if (extension.name !== name) return [];
        const extended = this.#evaluation.typeNamed(ref.file, extension.parent, extension.owner);
        // A nested extension function has to be imported.
        const isSeen = extension.parent === -1 && this.#isSameMultiplatformType(extended, type);
        return isSeen || isSameDefinition(extended, type) ? [ref] : [];
      }
      const inside = this.#project.childrenNamed(ref.file, ref.index, name);
      if (inside === undefined || !isSameDefinition(this.#evaluation.extended(ref), type))
        return [];
      return inside.map((index) => ({ file: ref.file, index }));
    });
  }

  /** The extensions of types with the name of this type. */
  #extensionsOf(type: DefinitionRef): readonly DefinitionRef[] {
    const own = this.#project.definition(type);
    if (own === undefined) return NO_REFS;
    const language = this.#project.language(type.file);
    return this.#project
      .extensionsOf(own.name)
      .filter(({ file }) => this.#project.language(file) === language);
  }

  /** Whether types are an `expect` class and its `actual` classes, which share package and name. */
  #isSameMultiplatformType(extended: DefinitionRef | undefined, type: DefinitionRef): boolean {
    const project = this.#project;
    if (extended === undefined || !project.traits(type.file).hasMultiplatformTypes) return false;
    const [one, other] = [project.definition(extended), project.definition(type)];
    if (one?.name !== other?.name || one?.parent !== -1 || other?.parent !== -1) return false;
    return project.packageName(extended.file) === project.packageName(type.file);
  }

  basesOf(type: DefinitionRef): Values {
    const known = this.#entryOf(type);
    if (known.bases === undefined) {
      // A recursive look-up finds no bases.
      known.bases = NOTHING;
      const parts = [...otherParts(this.#project, type), ...this.#otherModules(type)];
      known.bases = [type, ...parts].flatMap((part) => this.#findBases(part));
    }
    return known.bases;
  }

  /** The other files that reopen a Ruby module, which may include further modules. */
  #otherModules(type: DefinitionRef): readonly DefinitionRef[] {
    const project = this.#project;
    if (!project.traits(type.file).namespacesAreTypes) return NO_REFS;
    if (project.definition(type)?.kind !== "namespace") return NO_REFS;
    return openParts(project, type).filter((part) => !isSameDefinition(part, type));
  }

  #findBases(type: DefinitionRef): Values {
    const definition = this.#project.definition(type);
    if (definition === undefined) return NOTHING;
    const rules = this.#evaluation.rulesOf(type.file);
    const written = () => this.#writtenBases(type, definition);
    return rules.basesOf?.(type, written, this.#evaluation) ?? written();
  }

  /** The bases that a definition and extensions of it name. */
  #writtenBases(type: DefinitionRef, definition: DefinitionFact): Values {
    const written = [...definition.bases, ...this.#extensionBases(type, definition)];
    // The type of `type A B` in Go has the members of B. Associated types of Rust and Swift are not bases.
    if (definition.kind === "class" && definition.type !== "") written.push(definition.type);
    return written.flatMap((base) => {
      const found = this.#basesNamed(type, definition.parent, base);
      // `include Sorting` in Ruby is resolved in the body of the class.
      const isInside = found.length === 0 && this.#project.traits(type.file).hasInnerBases;
      return isInside ? this.#basesNamed(type, type.index, base) : found;
    });
  }

  #basesNamed(type: DefinitionRef, scope: number, base: string): Values {
    return this.#evaluation
      .type(type.file, scope, base)
      .filter((value) => value.kind === "instance" && !isSameDefinition(value, type));
  }

  /** Traits and protocols that extensions implement for the type, and types that it dereferences to. */
  #extensionBases(type: DefinitionRef, { name }: DefinitionFact): readonly string[] {
    const { extendsBasesAnywhere } = this.#project.traits(type.file);
    return this.#project.extensionsOf(name).flatMap((ref) => {
      const extension = this.#project.definition(ref);
      if (extension?.kind !== "extension" || extension.bases.length === 0) return [];
      if (ref.file !== type.file && !extendsBasesAnywhere) return [];
      return [...extension.bases, ...this.#dereferencedTypes(ref, extension)];
    });
  }

  /** The associated types of `impl Deref for A { type Target = B; }` and similar traits. */
  #dereferencedTypes(ref: DefinitionRef, { bases }: DefinitionFact): readonly string[] {
    return bases.flatMap((base) => {
      const name = DEREFERENCED_TYPES.get(base.replace(/<.*$/s, "").replace(/^.*(?:::|\.)/s, ""));
      const aliases =
        name === undefined ? [] : this.#project.childrenNamed(ref.file, ref.index, name);
      return (aliases ?? []).flatMap((index) => {
        const type = this.#project.definition({ file: ref.file, index })?.type ?? "";
        return type === "" ? [] : [type];
      });
    });
  }
}

/** Whether definitions are properties, which do not hide an inherited method. */
function isProperty(project: Project, refs: readonly DefinitionRef[]): boolean {
  return refs.every(
    (ref) =>
      isSeparateField(project, ref) ||
      (project.traits(ref.file).separatesProperties && isPlainProperty(project.definition(ref))),
  );
}

/** A property that does not hold a function. */
function isPlainProperty(definition: DefinitionFact | undefined): boolean {
  if (definition?.kind !== "variable") return false;
  const { type, value } = definition;
  return type === "" ? value !== "" : !type.includes("->");
}
