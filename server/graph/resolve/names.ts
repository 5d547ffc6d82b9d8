/** What a plain name means at a place: the scopes around it, the file, its imports, its package. */

import { type DefinitionFact, type DefinitionKind, FLAG } from "../../contracts/facts.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import type { Binder } from "./binder.ts";
import type { Named } from "./evaluation.ts";
import type { Members } from "./members.ts";
import { CLASS_METHODS, hasMixins } from "./mixins.ts";
import { calledOn } from "./ruby-class.ts";
import type { Rules } from "./rules.ts";
import { callable } from "./separate-namespaces.ts";
import {
  definitionValues,
  externalOf,
  NOTHING,
  toDefinition,
  toInstance,
  type Value,
  type Values,
} from "./values.ts";

export interface NamesDeps {
  /** The file that is looked at. */
  readonly from: number;
  readonly project: Project;
  readonly binder: Binder;
  readonly members: Members;
  rulesOf(file: number): Rules;
  /** Files that another one imports. */
  importTargets(file: number): readonly number[];
  type(file: number, scope: number, text: string): Values;
}

const UNFOUND: Named = { values: NOTHING, origin: "none" };
/** The object or type that a method belongs to. */
const OWN_NAMES: ReadonlySet<string> = new Set(["this", "self", "Self", "cls", "static"]);

/** Languages in which objects are written with methods, which call them `this`. */
const HAVE_OBJECTS: ReadonlySet<string> = new Set(["javascript", "typescript", "tsx"]);

/** Languages in which a local name is known behind its value, and that of around in it. */
const DECLARES_AFTER_VALUE: ReadonlySet<string> = new Set(["swift", "kotlin", "rust", "go", "lua"]);

export class Names {
  readonly #deps: NamesDeps;
  readonly #reached = new Map<number, ReadonlySet<number>>();

  constructor(deps: NamesDeps) {
    this.#deps = deps;
  }

  /** What a plain name is that is called at a place. */
  findCalled(file: number, scope: number, name: string, line: number): Named {
    const { project } = this.#deps;
    const found = this.#find(file, scope, name, line, (named) => callable(project, file, named));
    return found.origin === "none" ? this.find(file, scope, name, line) : found;
  }

  /** What a plain name is at a place. */
  find(file: number, scope: number, name: string, line: number): Named {
    return this.#find(file, scope, name, line, (named) => named);
  }

  #find(
    file: number,
    scope: number,
    name: string,
    line: number,
    wanted: (named: Named) => Named | undefined,
  ): Named {
    const rules = this.#deps.rulesOf(file);
    const isModule = name === "super" && rules.hasSuperModules === true;
    const own = isModule ? undefined : this.#special(file, scope, name);
    if (own !== undefined) return own;
    for (let at = scope; at >= 0; at = this.#parentOf(file, at)) {
      const found = this.#inScope(file, at, name, { line, scope, rules });
      const seen = found === undefined ? undefined : wanted(found);
      if (seen !== undefined) return seen;
      if (this.#endsMethods(file, at, name)) break;
    }
    const top = this.#atTop(file, name);
    if (top.length > 0) {
      const modules = rules.hasModuleNames === true ? this.#modulesNamed(file, name) : NOTHING;
      return { values: [...definitionValues(file, top), ...modules], origin: "file" };
    }
    const outside = this.#outside(file, scope, name, rules);
    if (outside.origin !== "none") return outside;
    const resolveUnbound = rules.resolveUnbound?.({
      file,
      scope,
      name,
      reached: () => this.#reachedWith(file),
    });
    return resolveUnbound === undefined ? outside : { values: resolveUnbound, origin: "import" };
  }

  #modulesNamed(file: number, name: string): Values {
    const bound = this.#deps.binder.binding(file, name) ?? NOTHING;
    return bound.filter(({ kind }) => kind === "module");
  }

  /** A class of Ruby sees the constants of the modules around it, and none of their methods. */
  #endsMethods(file: number, at: number, name: string): boolean {
    const around = this.#definition(file, at);
    if (around === undefined || !this.#hasMethods(file, around.kind)) return false;
    if (!hasMixins(this.#deps.project.language(file)) || /^\p{Lu}/u.test(name)) return false;
    return around.name !== CLASS_METHODS;
  }

  /** A block that adds to a type is not that type, which may be defined elsewhere. */
  #atTop(file: number, name: string): readonly number[] {
    const named = this.#deps.project.childrenNamed(file, -1, name) ?? [];
    return named.filter((index) => this.#definition(file, index)?.kind !== "extension");
  }

  #inScope(
    file: number,
    at: number,
    name: string,
    { line, scope, rules }: { line: number; scope: number; rules: Rules },
  ): Named | undefined {
    const around = this.#definition(file, at);
    if (around === undefined) return undefined;
    const isType = around.kind === "extension" || this.#hasMethods(file, around.kind);
    if (isType && rules.hasImplicitThis)
      return this.#calledOnSelf(file, scope, this.#ofType({ file, index: at }, around, name));
    // A class body is no scope for its methods, but for the names of its type parameters.
    if (isType && at !== scope) return this.#typeParameter(file, at, name);
    // Neither is an object for the functions in it.
    const named =
      around.kind === "variable" ? undefined : this.#deps.project.childrenNamed(file, at, name);
    const inside = around.kind === "function" ? this.#declared(file, named, line) : named;
    if (inside === undefined)
      return this.#seesOwner(file, rules) ? this.#ofOwner(file, around, name) : undefined;
    const isLocal = around.kind === "function";
    return {
      values: definitionValues(file, isLocal ? this.#nearest(file, inside, line) : inside),
      origin: isLocal ? "local" : "file",
    };
  }

  /** In a method of a class itself, those of the class before those of its objects. */
  #calledOnSelf(file: number, scope: number, named: Named | undefined): Named | undefined {
    if (named === undefined || named.values.length < 2) return named;
    const refs = named.values.flatMap((value) => (value.kind === "definition" ? [value] : []));
    const self = this.#isInClassItself(file, scope) ? "class" : "object";
    return { ...named, values: calledOn(this.#deps.project, self, refs).map(toDefinition) };
  }

  #isClass(file: number, scope: number): boolean {
    return hasMixins(this.#deps.project.language(file)) && this.#isInClassItself(file, scope);
  }

  /** Whether a chain of Ruby begins with `new` in a method of the class itself. */
  isOwnNew(file: number, scope: number, chain: string): boolean {
    if (!/^new(?![\w?!])/.test(chain) || !hasMixins(this.#deps.project.language(file)))
      return false;
    const isLocal = this.find(file, scope, "new", Infinity).origin === "local";
    return !isLocal && this.#isInClassItself(file, scope);
  }

  /** Whether a place of Ruby is in a body of a class, or in `def self.open`. */
  #isInClassItself(file: number, scope: number): boolean {
    for (let at = scope; at >= 0; at = this.#parentOf(file, at)) {
      const around = this.#definition(file, at);
      if (around?.kind !== "function") return true;
      if (around.name !== "") return (around.flags & FLAG.static) !== 0;
    }
    return false;
  }

  /** In an extension, what it adds and what the type has. */
  #ofType(ref: DefinitionRef, { kind }: DefinitionFact, name: string): Named | undefined {
    const extended = kind === "extension" ? this.extended(ref) : undefined;
    const own = () => this.#member(ref, name);
    const all = () => (extended === undefined ? undefined : this.#member(extended, name));
    // Of functions of one name, the labels of a call say which is meant.
    return this.#deps.project.language(ref.file) === "swift" ? (all() ?? own()) : (own() ?? all());
  }

  #typeParameter(file: number, type: number, name: string): Named | undefined {
    const inside = this.#deps.project.childrenNamed(file, type, name) ?? [];
    const named = inside.filter((index) => {
      const { kind, flags = 0 } = this.#definition(file, index) ?? {};
      return kind === "alias" && (flags & FLAG.static) !== 0;
    });
    return named.length === 0
      ? undefined
      : { values: definitionValues(file, named), origin: "local" };
  }

  /** A function of C# that extends a type names its members by way of its first parameter. */
  #seesOwner(file: number, { hasImplicitThis }: Rules): boolean {
    return hasImplicitThis && this.#deps.project.language(file) !== "csharp";
  }

  /** What a method sees of its class that is written outside of it. */
  #ofOwner(file: number, { owner, parent }: DefinitionFact, name: string): Named | undefined {
    const type = owner === "" ? undefined : this.typeNamed(file, parent, owner);
    return type === undefined ? undefined : this.#member(type, name);
  }

  #member(type: DefinitionRef, name: string): Named | undefined {
    const { refs, isInherited } = this.#deps.members.find(type, name);
    if (refs.length === 0) return undefined;
    return { values: refs.map(toDefinition), origin: isInherited ? "inherited" : "own" };
  }

  /** `this`, `self`, `super`, and what a receiver is called. */
  #special(file: number, scope: number, name: string): Named | undefined {
    if (name === "cls" && !this.#isClassParameter(file, scope)) return undefined;
    const object = name === "this" ? this.#objectAround(file, scope) : undefined;
    if (object !== undefined) return { values: [toDefinition(object)], origin: "own" };
    if (OWN_NAMES.has(name)) {
      const type = this.typeAround(file, scope);
      if (type === undefined) return name === "this" ? UNFOUND : undefined;
      const isObject = name === "this" || (name === "self" && !this.#isClass(file, scope));
      return { values: [isObject ? toInstance(type) : toDefinition(type)], origin: "own" };
    }
    if (name !== "super") return undefined;
    const type = this.typeAround(file, scope);
    if (type === undefined) return UNFOUND;
    return { values: this.#deps.members.basesOf(type), origin: "inherited" };
  }

  /** The object of JavaScript in whose literal a method is; undefined where a class is nearer. */
  #objectAround(file: number, scope: number): DefinitionRef | undefined {
    const { project } = this.#deps;
    if (!HAVE_OBJECTS.has(project.language(file))) return undefined;
    for (const [index, { kind }] of project.around({ file, index: scope })) {
      if (kind === "variable") return { file, index };
      if (kind !== "function") return undefined;
    }
    return undefined;
  }

  /** Python's `cls` is a name like others where no function around takes it. */
  #isClassParameter(file: number, scope: number): boolean {
    if (this.#deps.project.language(file) !== "python") return false;
    for (let at = scope; at >= 0; at = this.#parentOf(file, at)) {
      const named = this.#deps.project.childrenNamed(file, at, "cls") ?? [];
      const flags = named.map((index) => this.#definition(file, index)?.flags ?? 0);
      if (flags.some((each) => (each & FLAG.parameter) !== 0)) return true;
    }
    return false;
  }

  /** The type whose method a place is in; of an extension, the type that it extends. */
  typeAround(file: number, scope: number): DefinitionRef | undefined {
    for (let at = scope; at >= 0; at = this.#parentOf(file, at)) {
      const around = this.#definition(file, at);
      if (around === undefined) return undefined;
      if (this.#hasMethods(file, around.kind)) return { file, index: at };
      if (around.kind === "extension")
        return this.extended({ file, index: at }) ?? { file, index: at };
      if (around.owner !== "") return this.typeNamed(file, around.parent, around.owner);
    }
    return undefined;
  }

  /** The type that an extension adds to. */
  extended({ file, index }: DefinitionRef): DefinitionRef | undefined {
    const name = this.#definition(file, index)?.name;
    if (name === undefined) return undefined;
    return this.typeNamed(file, this.#parentOf(file, index), name);
  }

  typeNamed(file: number, scope: number, name: string): DefinitionRef | undefined {
    const [value] = this.#deps.type(file, scope, name);
    return value?.kind === "instance" ? value : undefined;
  }

  #outside(file: number, scope: number, name: string, rules: Rules): Named {
    const bound = this.#deps.binder.binding(file, name);
    if (bound !== undefined) return { values: bound, origin: "import" };
    const beside = this.#beside(file, name);
    if (beside.length > 0) return { values: beside, origin: "package" };
    for (const { module, scope: around } of this.#deps.binder.wildcards(file)) {
      if (!this.#isInside(file, scope, around)) continue;
      const values = this.#exportOf(module, name);
      if (values.length > 0) return { values, origin: "wildcard" };
    }
    return rules.unboundIsExternal ? { values: externalOf(name), origin: "none" } : UNFOUND;
  }

  #isInside(file: number, scope: number, around: number): boolean {
    if (around === -1) return true;
    let at = scope;
    while (at >= 0 && at !== around) at = this.#parentOf(file, at);
    return at === around;
  }

  /** What the file's package defines by a name, in whichever of its files. */
  #beside(file: number, name: string): Values {
    const { project } = this.#deps;
    const key = project.packageOf(file);
    return key === undefined ? NOTHING : project.packageNames(key, name).map(toDefinition);
  }

  /** Without what its own value is asked for: in `let pool = pool(1)`, the second is one of around. */
  #declared(file: number, indexes: readonly number[] | undefined, line: number) {
    if (indexes === undefined || !DECLARES_AFTER_VALUE.has(this.#deps.project.language(file)))
      return indexes;
    const known = indexes.filter((index) => {
      const one = this.#definition(file, index);
      return one?.line !== line || !isOfItself(one);
    });
    return known.length > 0 ? known : undefined;
  }

  /** Of several definitions of a local name, the last one before the line: what `url = url.join(path)` reads is older. */
  #nearest(file: number, indexes: readonly number[], line: number): readonly number[] {
    if (indexes.length === 1) return indexes;
    const before = indexes.filter((index) => this.#isBefore(this.#definition(file, index), line));
    return (before.length > 0 ? before : indexes).slice(-1);
  }

  #isBefore(definition: DefinitionFact | undefined, line: number): boolean {
    if (definition === undefined) return false;
    return isOfItself(definition) ? definition.line < line : definition.line <= line;
  }

  /** Whether a definition has methods of its objects, or of those that include it. */
  #hasMethods(file: number, kind: DefinitionKind): boolean {
    if (kind === "namespace") return hasMixins(this.#deps.project.language(file));
    return kind === "class" || kind === "interface";
  }

  #parentOf(file: number, index: number): number {
    return this.#definition(file, index)?.parent ?? -1;
  }

  #definition(file: number, index: number): DefinitionFact | undefined {
    return this.#deps.project.definition({ file, index });
  }

  /** Whether the file that is looked at imports a file, or something that does. */
  isReached(file: number): boolean {
    return this.#reach(this.#deps.from).has(file);
  }

  /** A header sees what the file sees that includes it. */
  #reachedWith(file: number): ReadonlySet<number> {
    return this.#reach(this.isReached(file) ? this.#deps.from : file);
  }

  /** A file, what it imports, what those import, and so on. */
  #reach(file: number): ReadonlySet<number> {
    const known = this.#reached.get(file);
    if (known !== undefined) return known;
    const reached = new Set([file]);
    for (const one of reached) for (const to of this.#deps.importTargets(one)) reached.add(to);
    this.#reached.set(file, reached);
    return reached;
  }

  #exportOf(module: Value, name: string): Values {
    if (module.kind === "module") return this.#deps.binder.exportOf(module, name);
    if (module.kind === "external") return NOTHING;
    const found = this.#deps.members.find(module, name).refs;
    return found.filter((ref) => !this.#isPrivate(ref)).map(toDefinition);
  }

  /** `defp` of Elixir. */
  #isPrivate({ file, index }: DefinitionRef): boolean {
    if (this.#deps.project.language(file) !== "elixir") return false;
    return ((this.#definition(file, index)?.flags ?? 0) & FLAG.static) !== 0;
  }
}

function isOfItself({ name, value }: DefinitionFact): boolean {
  return value.startsWith(name) && /^[.([!#]/.test(value.slice(name.length));
}
