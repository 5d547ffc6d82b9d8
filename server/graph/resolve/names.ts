/** Name resolution: enclosing scopes, then the file, its imports, its package, and the rules of the language. */

import { type DefinitionFact, type DefinitionKind, FLAG } from "../../contracts/facts.ts";
import type { DefinitionRef } from "../project/project.ts";
import type { Traits } from "../project/traits.ts";
import type { Evaluation } from "./evaluation.ts";
import { methodsForReceiver } from "./overloads.ts";
import { callable } from "./separate-namespaces.ts";
import {
  definitionValues,
  externalOf,
  NOTHING,
  type ResolvedName,
  toDefinition,
  toInstance,
  type Value,
  type Values,
} from "./values.ts";

const UNFOUND: ResolvedName = { values: NOTHING, origin: "none" };
/** Names of the current object or type. */
const OWN_NAMES: ReadonlySet<string> = new Set(["this", "self", "Self", "cls", "static"]);

export class Names {
  readonly #evaluation: Evaluation;
  readonly #reached = new Map<number, ReadonlySet<number>>();

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
  }

  /** Resolves a called name in a scope. */
  findCalled(file: number, scope: number, name: string, line: number): ResolvedName {
    const { project } = this.#evaluation;
    const found = this.#find(file, scope, name, line, (named) => callable(project, file, named));
    return found.origin === "none" ? this.find(file, scope, name, line) : found;
  }

  /** Resolves a name in a scope. */
  find(file: number, scope: number, name: string, line: number): ResolvedName {
    return this.#find(file, scope, name, line, (named) => named);
  }

  /** Resolves the name of a type with type arguments. Other files of the package may have a type of its name without them. */
  findGeneric(file: number, scope: number, name: string): Values {
    const { values, origin } = this.find(file, scope, name, Infinity);
    if (origin !== "file" || !this.#traits(file).overloadsTypes) return values;
    const isOther = (other: Value) => other.kind === "definition" && other.file !== file;
    return [...values, ...this.#inPackage(file, name).filter(isOther)];
  }

  #find(
    file: number,
    scope: number,
    name: string,
    line: number,
    accept: (named: ResolvedName) => ResolvedName | undefined,
  ): ResolvedName {
    const { project, rulesOf } = this.#evaluation;
    const traits = project.traits(file);
    const isModule = name === "super" && traits.hasSuperModules;
    const own = isModule ? undefined : this.#selfOrSuper(file, scope, name);
    if (own !== undefined) return own;
    for (let at = scope; at >= 0; at = this.#parentOf(file, at)) {
      const found = this.#inScope(file, at, name, { line, scope, traits });
      const seen = found === undefined ? undefined : accept(found);
      if (seen !== undefined) return seen;
      if (this.#hidesOuterName(file, at, name)) break;
    }
    const top = this.#atTop(file, name);
    if (top.length > 0) {
      const modules = traits.hasModuleNames ? this.#modulesNamed(file, name) : NOTHING;
      return { values: [...definitionValues(file, top), ...modules], origin: "file" };
    }
    const outside = this.#outside(file, scope, name, traits);
    if (outside.origin !== "none") return outside;
    const resolveUnbound = rulesOf(file).resolveUnbound?.({
      file,
      scope,
      name,
      reachable: () => this.#reachedByIncluder(file),
    });
    return resolveUnbound === undefined ? outside : { values: resolveUnbound, origin: "import" };
  }

  #modulesNamed(file: number, name: string): Values {
    const bound = this.#evaluation.binder.binding(file, name) ?? NOTHING;
    return bound.filter(({ kind }) => kind === "module");
  }

  #hidesOuterName(file: number, at: number, name: string): boolean {
    const enclosing = this.#definition(file, at);
    if (enclosing === undefined || !this.#hasMethods(file, enclosing.kind)) return false;
    return this.#traits(file).hidesOuterName?.(enclosing, name) === true;
  }

  /** Top-level definitions of a name, without extensions of a type of this name. */
  #atTop(file: number, name: string): readonly number[] {
    const named = this.#evaluation.project.childrenNamed(file, -1, name) ?? [];
    return named.filter((index) => this.#definition(file, index)?.kind !== "extension");
  }

  #inScope(
    file: number,
    at: number,
    name: string,
    { line, scope, traits }: { line: number; scope: number; traits: Traits },
  ): ResolvedName | undefined {
    const enclosing = this.#definition(file, at);
    if (enclosing === undefined) return undefined;
    const isType = enclosing.kind === "extension" || this.#hasMethods(file, enclosing.kind);
    if (isType && traits.hasImplicitThis)
      return this.#calledOnSelf(
        file,
        scope,
        this.#memberInType({ file, index: at }, enclosing, name),
      );
    // A class body is not a scope for its methods, except for type parameters.
    if (isType && at !== scope) return this.#typeParameter(file, at, name);
    // An object literal is not a scope for its methods.
    const named =
      enclosing.kind === "variable"
        ? undefined
        : this.#evaluation.project.childrenNamed(file, at, name);
    const inside = enclosing.kind === "function" ? this.#declaredBefore(file, named, line) : named;
    if (inside === undefined)
      return traits.hasImplicitThis && !traits.receiverIsParameter
        ? this.#memberOfOwner(file, enclosing, name)
        : undefined;
    const isLocal = enclosing.kind === "function";
    return {
      values: definitionValues(file, isLocal ? this.#nearest(file, inside, line) : inside),
      origin: isLocal ? "local" : "file",
    };
  }

  /** In a class method, class methods take precedence over instance methods; in an instance method, the reverse. */
  #calledOnSelf(
    file: number,
    scope: number,
    named: ResolvedName | undefined,
  ): ResolvedName | undefined {
    if (named === undefined || named.values.length < 2) return named;
    const refs = named.values.flatMap((value) => (value.kind === "definition" ? [value] : []));
    const self = this.#isInClassItself(file, scope) ? "class" : "object";
    return {
      ...named,
      values: methodsForReceiver(this.#evaluation.project, self, refs).map(toDefinition),
    };
  }

  /** Whether a chain begins with `new` in a class method, whose `self` is the class. */
  isImplicitNew(file: number, scope: number, chain: string): boolean {
    if (!/^new(?![\w?!])/.test(chain) || !this.#traits(file).hasClassSelf) return false;
    const isLocal = this.find(file, scope, "new", Infinity).origin === "local";
    return !isLocal && this.#isInClassItself(file, scope);
  }

  /** Whether a scope is a class body or a class method, such as `def self.open` in Ruby. */
  #isInClassItself(file: number, scope: number): boolean {
    for (let at = scope; at >= 0; at = this.#parentOf(file, at)) {
      const enclosing = this.#definition(file, at);
      if (enclosing?.kind !== "function") return true;
      if (enclosing.name !== "") return (enclosing.flags & FLAG.static) !== 0;
    }
    return false;
  }

  /** A member of the enclosing type; in an extension, of the extension and of the extended type. */
  #memberInType(
    ref: DefinitionRef,
    { kind }: DefinitionFact,
    name: string,
  ): ResolvedName | undefined {
    const extended = kind === "extension" ? this.extended(ref) : undefined;
    const own = () => this.#member(ref, name);
    const all = () => (extended === undefined ? undefined : this.#member(extended, name));
    // Decisive labels of a call select among overloads of both.
    return this.#traits(ref.file).hasDecisiveLabels ? (all() ?? own()) : (own() ?? all());
  }

  #typeParameter(file: number, type: number, name: string): ResolvedName | undefined {
    const inside = this.#evaluation.project.childrenNamed(file, type, name) ?? [];
    const named = inside.filter((index) => {
      const { kind, flags = 0 } = this.#definition(file, index) ?? {};
      return kind === "alias" && (flags & FLAG.static) !== 0;
    });
    return named.length === 0
      ? undefined
      : { values: definitionValues(file, named), origin: "local" };
  }

  /** A member of the receiver type, for a method that is defined outside the type. */
  #memberOfOwner(
    file: number,
    { owner, parent }: DefinitionFact,
    name: string,
  ): ResolvedName | undefined {
    const type = owner === "" ? undefined : this.#evaluation.typeNamed(file, parent, owner);
    return type === undefined ? undefined : this.#member(type, name);
  }

  #member(type: DefinitionRef, name: string): ResolvedName | undefined {
    const { refs, isInherited } = this.#evaluation.member(type, name);
    if (refs.length === 0) return undefined;
    return { values: refs.map(toDefinition), origin: isInherited ? "inherited" : "own" };
  }

  /** Resolves `this`, `self`, `super` and the like. */
  #selfOrSuper(file: number, scope: number, name: string): ResolvedName | undefined {
    if (name === "cls" && !this.#isClassParameter(file, scope)) return undefined;
    const object = name === "this" ? this.#enclosingObject(file, scope) : undefined;
    if (object !== undefined) return { values: [toDefinition(object)], origin: "own" };
    if (OWN_NAMES.has(name)) {
      const type = this.enclosingType(file, scope);
      if (type === undefined) return name === "this" ? UNFOUND : undefined;
      const isClass = () => this.#traits(file).hasClassSelf && this.#isInClassItself(file, scope);
      const isObject = name === "this" || (name === "self" && !isClass());
      return { values: [isObject ? toInstance(type) : toDefinition(type)], origin: "own" };
    }
    if (name !== "super") return undefined;
    const type = this.enclosingType(file, scope);
    if (type === undefined) return UNFOUND;
    return { values: this.#evaluation.basesOf(type), origin: "inherited" };
  }

  /** The object literal enclosing a method; undefined if a class is nearer. */
  #enclosingObject(file: number, scope: number): DefinitionRef | undefined {
    const { project } = this.#evaluation;
    if (!this.#traits(file).hasObjectLiterals) return undefined;
    for (const [index, { kind }] of project.enclosing({ file, index: scope })) {
      if (kind === "variable") return { file, index };
      if (kind !== "function") return undefined;
    }
    return undefined;
  }

  /** Whether `cls` is a parameter of an enclosing function in Python; otherwise it is an ordinary name. */
  #isClassParameter(file: number, scope: number): boolean {
    if (this.#traits(file).hasClassParameter !== true) return false;
    for (let at = scope; at >= 0; at = this.#parentOf(file, at)) {
      const named = this.#evaluation.project.childrenNamed(file, at, "cls") ?? [];
      const flags = named.map((index) => this.#definition(file, index)?.flags ?? 0);
      if (flags.some((each) => (each & FLAG.parameter) !== 0)) return true;
    }
    return false;
  }

  /** The type whose members are in scope: the enclosing type, the extended type, or the receiver type. */
  enclosingType(file: number, scope: number): DefinitionRef | undefined {
    for (let at = scope; at >= 0; at = this.#parentOf(file, at)) {
      const enclosing = this.#definition(file, at);
      if (enclosing === undefined) return undefined;
      if (this.#hasMethods(file, enclosing.kind)) return { file, index: at };
      if (enclosing.kind === "extension")
        return this.extended({ file, index: at }) ?? { file, index: at };
      if (enclosing.owner !== "")
        return this.#evaluation.typeNamed(file, enclosing.parent, enclosing.owner);
    }
    return undefined;
  }

  /** The extended type of an extension. */
  extended({ file, index }: DefinitionRef): DefinitionRef | undefined {
    const name = this.#definition(file, index)?.name;
    if (name === undefined) return undefined;
    return this.#evaluation.typeNamed(file, this.#parentOf(file, index), name);
  }

  #outside(file: number, scope: number, name: string, traits: Traits): ResolvedName {
    const bound = this.#evaluation.binder.binding(file, name);
    if (bound !== undefined) return { values: bound, origin: "import" };
    const inPackage = this.#inPackage(file, name);
    if (inPackage.length > 0) return { values: inPackage, origin: "package" };
    for (const { module, scope: enclosing } of this.#evaluation.binder.wildcards(file)) {
      if (!this.#isInside(file, scope, enclosing)) continue;
      const values = this.#exportOf(module, name);
      if (values.length > 0) return { values, origin: "wildcard" };
    }
    return traits.unboundIsExternal ? { values: externalOf(name), origin: "none" } : UNFOUND;
  }

  #isInside(file: number, scope: number, enclosing: number): boolean {
    if (enclosing === -1) return true;
    let at = scope;
    while (at >= 0 && at !== enclosing) at = this.#parentOf(file, at);
    return at === enclosing;
  }

  /** The definitions of a name in any file of the package. */
  #inPackage(file: number, name: string): Values {
    const { project } = this.#evaluation;
    const key = project.packageOf(file);
    return key === undefined ? NOTHING : project.packageNames(key, name).map(toDefinition);
  }

  /** Excludes a variable whose initializer is on the line: in `let pool = pool(1)`, the second `pool` is an outer one. */
  #declaredBefore(file: number, indexes: readonly number[] | undefined, line: number) {
    if (indexes === undefined || this.#traits(file).declaresAfterInitializer !== true)
      return indexes;
    const known = indexes.filter((index) => {
      const one = this.#definition(file, index);
      return one?.line !== line || !isSelfReferential(one);
    });
    return known.length > 0 ? known : undefined;
  }

  /** The last definition of a local name before the line: `url = url.join(path)` reads the previous one. */
  #nearest(file: number, indexes: readonly number[], line: number): readonly number[] {
    if (indexes.length === 1) return indexes;
    const before = indexes.filter((index) =>
      this.#isVisibleAt(this.#definition(file, index), line),
    );
    return (before.length > 0 ? before : indexes).slice(-1);
  }

  #isVisibleAt(definition: DefinitionFact | undefined, line: number): boolean {
    if (definition === undefined) return false;
    return isSelfReferential(definition) ? definition.line < line : definition.line <= line;
  }

  #traits(file: number): Traits {
    return this.#evaluation.project.traits(file);
  }

  /** Whether a definition is a type or a mixin. */
  #hasMethods(file: number, kind: DefinitionKind): boolean {
    if (kind === "namespace") return this.#traits(file).namespacesAreTypes === true;
    return kind === "class" || kind === "interface";
  }

  #parentOf(file: number, index: number): number {
    return this.#definition(file, index)?.parent ?? -1;
  }

  #definition(file: number, index: number): DefinitionFact | undefined {
    return this.#evaluation.project.definition({ file, index });
  }

  /** Whether the resolved file imports a file, directly or indirectly. */
  isReached(file: number): boolean {
    return this.#closure(this.#evaluation.from).has(file);
  }

  /** The files that are visible in a file; a header sees everything that its includer sees. */
  #reachedByIncluder(file: number): ReadonlySet<number> {
    return this.#closure(this.isReached(file) ? this.#evaluation.from : file);
  }

  /** The transitive closure of the imports of a file, including the file. */
  #closure(file: number): ReadonlySet<number> {
    const known = this.#reached.get(file);
    if (known !== undefined) return known;
    const reached = new Set([file]);
    for (const one of reached)
      for (const to of this.#evaluation.importTargets(one)) reached.add(to);
    this.#reached.set(file, reached);
    return reached;
  }

  #exportOf(module: Value, name: string): Values {
    if (module.kind === "module") return this.#evaluation.binder.exportOf(module, name);
    if (module.kind === "external") return NOTHING;
    const found = this.#evaluation.member(module, name).refs;
    return found.filter((ref) => !this.#isPrivate(ref)).map(toDefinition);
  }

  #isPrivate({ file, index }: DefinitionRef): boolean {
    const member = this.#definition(file, index);
    return member !== undefined && this.#traits(file).isPrivate?.(member) === true;
  }
}

/** Whether the initializer of a definition begins with its own name. */
function isSelfReferential({ name, value }: DefinitionFact): boolean {
  return value.startsWith(name) && /^[.([!#]/.test(value.slice(name.length));
}
