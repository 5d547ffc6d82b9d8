/** Says what names, chains and types of a file are, over the facts of all files: a small part of what a compiler does. */

import type { DefinitionFact } from "../contracts/facts.ts";
import { FLAG } from "../contracts/facts.ts";
import { type Binder, createBinder } from "./binder.ts";
import { parseChain, type Step } from "./chain.ts";
import type { DefinitionRef, Project } from "./project.ts";
import type { Rules } from "./rules.ts";
import { parseType, type TypeName } from "./types.ts";
import { externalOf, NOTHING, type Value, type Values } from "./values.ts";

/** How a name was found. */
export type NameOrigin =
  | "local"
  | "own"
  | "inherited"
  | "file"
  | "import"
  | "package"
  | "wildcard"
  | "none";

export interface Named {
  readonly values: Values;
  readonly origin: NameOrigin;
}

export interface Member {
  readonly refs: readonly DefinitionRef[];
  readonly isInherited: boolean;
  /** False where a base is not known, which might have it. */
  readonly isComplete: boolean;
}

const NO_MEMBER: Member = { refs: [], isInherited: false, isComplete: true };
const UNFOUND: Named = { values: NOTHING, origin: "none" };

/** Deeper chains of values through values are cut: most of them are cycles. */
const MAX_DEPTH = 40;
/** A union of more than so many types says nothing any more. */
const MAX_VALUES = 6;

export class Evaluator {
  readonly project: Project;
  readonly #rulesOf: (file: number) => Rules;
  readonly #binder: Binder;
  readonly #variables = new Map<string, Values>();
  readonly #returns = new Map<string, Values>();
  readonly #members = new Map<string, Member>();
  readonly #busy = new Set<string>();
  readonly #packages = new Map<readonly number[], Map<string, Values>>();
  #depth = 0;

  constructor(project: Project, rulesOf: (file: number) => Rules) {
    this.project = project;
    this.#rulesOf = rulesOf;
    this.#binder = createBinder(project, rulesOf, {
      exportOf: (module, name) => this.exportOf(module, name),
      memberOf: (values, name) => this.memberOf(values, name),
    });
  }

  get binder(): Binder {
    return this.#binder;
  }

  chain(file: number, scope: number, chain: string, line: number): Values {
    if (chain === "" || chain === "?") return NOTHING;
    const { head, steps } = parseChain(chain);
    return this.#walk(this.#head(file, scope, head, line), steps);
  }

  /** What the steps before the last one give. */
  receiver(file: number, scope: number, chain: string, line: number): Values {
    const { head, steps } = parseChain(chain);
    return this.#walk(this.#head(file, scope, head, line), steps.slice(0, -1));
  }

  #walk(start: Values, steps: readonly Step[]): Values {
    let values = start;
    for (const step of steps) {
      if (values.length === 0) return NOTHING;
      switch (step.kind) {
        case "member":
          values = this.memberOf(values, step.name);
          break;
        case "call":
          values = limited(values.flatMap((value) => this.#call(value)));
          break;
        case "element":
        case "unwrap":
          values = limited(values.flatMap((value) => this.#element(value, step.kind)));
          break;
        case "part":
          values = limited(values.flatMap((value) => this.#part(value, step.place)));
          break;
      }
    }
    return values;
  }

  #head(file: number, scope: number, head: string, line: number): Values {
    if (head === '"') return externalOf("string");
    if (head === "0") return externalOf("number");
    if (head.startsWith(":")) return this.type(file, scope, head.slice(1).replace(/;$/, ""));
    return this.name(file, scope, head, line).values;
  }

  /** What a plain name is at a place. */
  name(file: number, scope: number, name: string, line: number): Named {
    const rules = this.#rulesOf(file);
    const own =
      name === "super" && rules.builtIn !== undefined
        ? undefined
        : this.#special(file, scope, name);
    if (own !== undefined) return own;
    for (let at = scope; at >= 0; at = this.#parentOf(file, at)) {
      const found = this.#inScope(file, at, name, { line, scope, rules });
      if (found !== undefined) return found;
    }
    const top = this.project.children(file, -1).get(name);
    if (top !== undefined) return { values: refs(file, top), origin: "file" };
    const outside = this.#outside(file, name, rules);
    if (outside.origin !== "none") return outside;
    const builtIn = rules.builtIn?.(file, scope, name);
    return builtIn === undefined ? outside : { values: builtIn, origin: "import" };
  }

  #inScope(
    file: number,
    at: number,
    name: string,
    { line, scope, rules }: { line: number; scope: number; rules: Rules },
  ): Named | undefined {
    const around = this.#definition(file, at);
    if (around === undefined) return undefined;
    const isType =
      around.kind === "class" || around.kind === "interface" || around.kind === "extension";
    if (isType && rules.hasImplicitThis) {
      const { refs: found, isInherited } = this.member({ file, index: at }, name);
      if (found.length > 0)
        return { values: found.map(toDefinition), origin: isInherited ? "inherited" : "own" };
      return undefined;
    }
    // A class body is no scope for its methods.
    if (isType && at !== scope) return undefined;
    // Neither is an object for the functions in it.
    const inside =
      around.kind === "variable" ? undefined : this.project.children(file, at).get(name);
    if (inside === undefined) return undefined;
    const isLocal = around.kind === "function";
    return {
      values: refs(file, isLocal ? this.#nearest(file, inside, line) : inside),
      origin: isLocal ? "local" : "file",
    };
  }

  /** `this`, `self`, `super`, and what a receiver is called. */
  #special(file: number, scope: number, name: string): Named | undefined {
    if (
      name === "this" ||
      name === "Self" ||
      name === "cls" ||
      name === "self" ||
      name === "static"
    ) {
      const type = this.typeAround(file, scope);
      if (type === undefined) return name === "this" ? UNFOUND : undefined;
      if (name === "Self" || name === "cls" || name === "static")
        return { values: [toDefinition(type)], origin: "own" };
      return { values: [toInstance(type)], origin: "own" };
    }
    if (name !== "super") return undefined;
    const type = this.typeAround(file, scope);
    if (type === undefined) return UNFOUND;
    return { values: this.#basesOf(type).values, origin: "inherited" };
  }

  /** The type whose method a place is in; of an extension, the type that it extends. */
  typeAround(file: number, scope: number): DefinitionRef | undefined {
    for (let at = scope; at >= 0; at = this.#parentOf(file, at)) {
      const around = this.#definition(file, at);
      if (around === undefined) return undefined;
      if (around.kind === "class" || around.kind === "interface") return { file, index: at };
      if (around.kind === "extension")
        return this.extended({ file, index: at }) ?? { file, index: at };
      if (around.owner !== "") return this.#typeNamed(file, -1, around.owner);
    }
    return undefined;
  }

  /** The type that an extension adds to. */
  extended({ file, index }: DefinitionRef): DefinitionRef | undefined {
    const name = this.#definition(file, index)?.name;
    if (name === undefined) return undefined;
    return this.#typeNamed(file, this.#parentOf(file, index), name);
  }

  #typeNamed(file: number, scope: number, name: string): DefinitionRef | undefined {
    const [value] = this.type(file, scope, name);
    return value?.kind === "instance" ? value : undefined;
  }

  #outside(file: number, name: string, rules: Rules): Named {
    const bound = this.#binder.binding(file, name);
    if (bound !== undefined) return { values: bound, origin: "import" };
    const beside = this.#besides(rules.siblings(file)).get(name);
    if (beside !== undefined) return { values: beside, origin: "package" };
    for (const module of this.#binder.wildcards(file)) {
      const values = this.exportOf(module, name);
      if (values.length > 0) return { values, origin: "wildcard" };
    }
    return rules.unboundIsExternal ? { values: externalOf(name), origin: "none" } : UNFOUND;
  }

  /** Files of the same package. */
  siblings(file: number): readonly number[] {
    return this.#rulesOf(file).siblings(file);
  }

  /** The top names of a package's files; made once for each list of files. */
  #besides(files: readonly number[]): ReadonlyMap<string, Values> {
    let names = this.#packages.get(files);
    if (names === undefined) {
      names = new Map();
      for (const file of files) {
        for (const [name, indexes] of this.project.children(file, -1))
          names.set(name, [...(names.get(name) ?? []), ...refs(file, indexes)]);
      }
      this.#packages.set(files, names);
    }
    return names;
  }

  /** Of several definitions of a local name, the last one before the line. */
  #nearest(file: number, indexes: readonly number[], line: number): readonly number[] {
    if (indexes.length === 1) return indexes;
    const before = indexes.filter((index) => (this.#definition(file, index)?.line ?? 0) <= line);
    return (before.length > 0 ? before : indexes).slice(-1);
  }

  #parentOf(file: number, index: number): number {
    return this.#definition(file, index)?.parent ?? -1;
  }

  #definition(file: number, index: number): DefinitionFact | undefined {
    return this.project.facts(file)?.definitions[index];
  }

  memberOf(values: Values, name: string): Values {
    return limited(values.flatMap((value) => this.#memberValues(value, name)));
  }

  #memberValues(value: Value, name: string): Values {
    if (value.kind === "external") return externalMember(value, name);
    if (value.kind === "module") return this.exportOf(value, name);
    if (value.kind === "instance") return this.member(value, name).refs.map(toDefinition);
    const definition = this.project.definition(value);
    if (definition === undefined) return NOTHING;
    switch (definition.kind) {
      case "class":
      case "interface":
      case "extension":
        return this.member(value, name).refs.map(toDefinition);
      case "namespace":
        return refs(value.file, this.project.children(value.file, value.index).get(name) ?? []);
      case "variable":
      case "return": {
        const inside = this.project.children(value.file, value.index).get(name);
        if (inside !== undefined) return refs(value.file, inside);
        return this.memberOf(this.variable(value), name);
      }
      case "alias":
        return this.memberOf(this.type(value.file, definition.parent, definition.type), name);
      case "function": {
        if ((definition.flags & FLAG.property) !== 0)
          return this.memberOf(this.#returned(value), name);
        return this.#ownedBy(definition.name, value.file, name);
      }
    }
  }

  /** `Foo.bar = function` where Foo is a function. */
  #ownedBy(owner: string, file: number, name: string): Values {
    return this.project
      .extensionsOf(owner)
      .filter((ref) => ref.file === file && this.project.definition(ref)?.name === name)
      .map(toDefinition);
  }

  /** What a variable holds. */
  variable(ref: DefinitionRef): Values {
    return this.#once(this.#variables, ref, () => {
      const definition = this.project.definition(ref);
      if (definition === undefined) return NOTHING;
      const { type, value, parent, line, flags } = definition;
      if (type !== "" && type !== "var" && type !== "auto" && type !== "val") {
        const typed = this.type(ref.file, parent, type);
        if (typed.length > 0) return typed;
      }
      if ((flags & FLAG.self) !== 0 && type === "") {
        const around = this.typeAround(ref.file, parent);
        return around === undefined ? NOTHING : [toInstance(around)];
      }
      return value === "" ? NOTHING : this.resolved(this.chain(ref.file, parent, value, line));
    });
  }

  /** Variables replaced by what they hold. */
  resolved(values: Values): Values {
    return limited(
      values.flatMap((value) => {
        if (value.kind !== "definition") return [value];
        const definition = this.project.definition(value);
        if (definition?.kind === "variable") {
          const held = this.variable(value);
          return held.length === 0 && this.#hasChildren(value) ? [value] : held;
        }
        if (definition?.kind === "function" && (definition.flags & FLAG.property) !== 0)
          return this.#returned(value);
        return [value];
      }),
    );
  }

  #hasChildren({ file, index }: DefinitionRef): boolean {
    return this.project.children(file, index).size > 0;
  }

  /** The definition that a variable only renames: `export default foo`. */
  unaliased(ref: DefinitionRef): readonly DefinitionRef[] {
    const definition = this.project.definition(ref);
    if (definition?.kind !== "variable" || definition.value === "") return [ref];
    if (definition.name !== "default" || this.#hasChildren(ref)) return [ref];
    const values = this.chain(ref.file, definition.parent, definition.value, definition.line);
    const found = values.flatMap((value) => (value.kind === "definition" ? [value] : []));
    return found.length > 0 ? found : [ref];
  }

  #call(value: Value): Values {
    if (value.kind === "external") return externalCall(value);
    if (value.kind === "module")
      return this.exportOf(value, "default").flatMap((held) =>
        held.kind === "module" ? [] : this.#call(held),
      );
    if (value.kind === "instance") {
      const called = this.member(value, "__call__").refs;
      return called.flatMap((ref) => this.#returned(ref));
    }
    const definition = this.project.definition(value);
    switch (definition?.kind) {
      case "class":
      case "interface":
        return [toInstance(value)];
      case "function":
        return this.#returned(value);
      case "alias":
        return this.type(value.file, definition.parent, definition.type);
      case "variable":
        return limited(
          this.variable(value).flatMap((held) =>
            held.kind === "instance" ? this.#call(held) : this.#callOnce(held),
          ),
        );
      default:
        return NOTHING;
    }
  }

  #callOnce(value: Value): Values {
    const isVariable =
      value.kind === "definition" && this.project.definition(value)?.kind === "variable";
    return isVariable ? NOTHING : this.#call(value);
  }

  /** What a function returns: as it is written, else what its `return` statements give. */
  #returned(ref: DefinitionRef): Values {
    return this.#once(this.#returns, ref, () => {
      const definition = this.project.definition(ref);
      if (definition === undefined) return NOTHING;
      const { type, parent, name } = definition;
      if (name === "constructor" || name === "__init__") {
        const around = this.typeAround(ref.file, parent);
        return around === undefined ? NOTHING : [toInstance(around)];
      }
      if (type !== "") return this.type(ref.file, ref.index, type);
      const returns = this.project.children(ref.file, ref.index).get("") ?? [];
      return limited(
        returns.flatMap((index) => {
          const one = this.#definition(ref.file, index);
          if (one?.kind !== "return") return [];
          return this.resolved(this.chain(ref.file, ref.index, one.value, one.line));
        }),
      );
    });
  }

  #element(value: Value, step: "element" | "unwrap"): Values {
    if (value.kind === "definition") {
      const definition = this.project.definition(value);
      // `Foo[int]` is still Foo.
      if (definition?.kind === "class" || definition?.kind === "function") return [value];
      return limited(
        this.variable(value).flatMap((held) =>
          held.kind === "definition" ? [] : this.#element(held, step),
        ),
      );
    }
    if (value.kind === "instance" && step === "unwrap") return [value];
    if (value.kind === "module") return NOTHING;
    if (value.kind === "instance") return value.args.at(-1) ?? NOTHING;
    return value.args.length > 0 ? elementOf(value) : externalOf(`${value.name}[]`);
  }

  #part(value: Value, place: number): Values {
    if (value.kind === "definition") {
      return limited(
        this.variable(value).flatMap((held) =>
          held.kind === "definition" ? [] : this.#part(held, place),
        ),
      );
    }
    if (value.kind === "external" && value.name === "tuple") return value.args[place] ?? NOTHING;
    // Several names for one value: it is the first.
    if (value.kind === "instance") return place === 0 ? [value] : NOTHING;
    return value.kind === "external" ? externalOf(`${value.name}#`) : NOTHING;
  }

  /** Objects of a type as it is written. */
  type(file: number, scope: number, text: string): Values {
    if (text === "") return NOTHING;
    return limited(parseType(text).flatMap((one) => this.#typeValues(file, scope, one)));
  }

  #typeValues(file: number, scope: number, { name, args }: TypeName): Values {
    if (name === "") return NOTHING;
    const inner = () => args.map((arg) => this.#typeValues(file, scope, arg));
    if (name === "[]" || name === "tuple" || name === "map") return externalOf(name, inner());
    const isMeta = name === "type" || name === "Type" || name === "typing.Type";
    if (isMeta && args[0] !== undefined) {
      return this.#typeValues(file, scope, args[0]).flatMap((value) =>
        value.kind === "instance" ? [toDefinition(value)] : [],
      );
    }
    if (this.#depth > MAX_DEPTH) return NOTHING;
    this.#depth++;
    try {
      const [head = "", ...rest] = name.split(".");
      let values = this.name(file, scope, head, Infinity).values;
      for (const part of rest) values = this.memberOf(values, part);
      return limited(values.flatMap((value) => this.#instanceOf(value, inner)));
    } finally {
      this.#depth--;
    }
  }

  #instanceOf(value: Value, args: () => readonly Values[]): Values {
    if (value.kind === "instance") return [value];
    if (value.kind === "module") return NOTHING;
    if (value.kind === "external") return externalOf(value.name, args());
    const definition = this.project.definition(value);
    switch (definition?.kind) {
      case "class":
      case "interface": {
        const { file, index } = value;
        return [{ kind: "instance", file, index, args: args() }];
      }
      case "alias":
        return this.#once(this.#variables, value, () =>
          this.type(value.file, definition.parent, definition.type),
        );
      case "variable":
        return this.variable(value).flatMap((held) =>
          held.kind === "definition" ? this.#instanceOf(held, args) : [],
        );
      default:
        return NOTHING;
    }
  }

  /** A member of a type: its own, one that an extension adds, or one of its bases. */
  member(type: DefinitionRef, name: string): Member {
    const key = `${type.file}:${type.index}:${name}`;
    const known = this.#members.get(key);
    if (known !== undefined) return known;
    if (this.#busy.has(key)) return NO_MEMBER;
    this.#busy.add(key);
    const found = this.#findMember(type, name);
    this.#busy.delete(key);
    this.#members.set(key, found);
    return found;
  }

  #findMember(type: DefinitionRef, name: string): Member {
    const own = this.project.children(type.file, type.index).get(name) ?? [];
    const found = own.map((index) => ({ file: type.file, index }));
    if (found.length === 0) found.push(...this.#added(type, name));
    if (found.length > 0) return { refs: found, isInherited: false, isComplete: true };
    const { values, isComplete } = this.#basesOf(type);
    let complete = isComplete;
    for (const base of values) {
      if (base.kind === "module" || base.kind === "external") continue;
      const member = this.member(base, name);
      if (member.refs.length > 0) return { ...member, isInherited: true };
      complete &&= member.isComplete;
    }
    return { refs: [], isInherited: true, isComplete: complete };
  }

  /** What extensions and receivers of the type's name add, where they mean this type. */
  #added(type: DefinitionRef, name: string): DefinitionRef[] {
    const own = this.project.definition(type);
    if (own === undefined) return [];
    const language = this.project.facts(type.file)?.language;
    return this.project.extensionsOf(own.name).flatMap((ref) => {
      const extension = this.project.definition(ref);
      if (extension === undefined || this.project.facts(ref.file)?.language !== language) return [];
      if (extension.kind !== "extension") {
        const isIt =
          extension.name === name &&
          this.#isSame(this.#typeNamed(ref.file, -1, extension.owner), type);
        return isIt ? [ref] : [];
      }
      const inside = this.project.children(ref.file, ref.index).get(name);
      if (inside === undefined || !this.#isSame(this.extended(ref), type)) return [];
      return inside.map((index) => ({ file: ref.file, index }));
    });
  }

  #isSame(a: DefinitionRef | undefined, b: DefinitionRef): boolean {
    return a?.file === b.file && a.index === b.index;
  }

  /** Instances of the bases of a type; incomplete where one of them is of a library or unknown. */
  #basesOf(type: DefinitionRef): { readonly values: Values; readonly isComplete: boolean } {
    const definition = this.project.definition(type);
    if (definition === undefined) return { values: NOTHING, isComplete: true };
    const written = [...definition.bases, ...this.#extensionBases(type, definition)];
    // Go's embedding in a type that is another one, and Rust's and Swift's associated types are no bases.
    if (definition.kind === "class" && definition.type !== "") written.push(definition.type);
    let isComplete = true;
    const values = written.flatMap((base) => {
      const found = this.type(type.file, definition.parent, base).filter(
        (value) => value.kind === "instance" && !this.#isSame(value, type),
      );
      if (found.length === 0) isComplete = false;
      return found;
    });
    return { values, isComplete };
  }

  /** Traits that extensions implement for the type. */
  #extensionBases(type: DefinitionRef, { name }: DefinitionFact): readonly string[] {
    return this.project.extensionsOf(name).flatMap((ref) => {
      const extension = this.project.definition(ref);
      if (extension?.kind !== "extension" || extension.bases.length === 0) return [];
      return ref.file === type.file ? extension.bases : [];
    });
  }

  /** What a module gives to others by a name. */
  exportOf(module: Value, name: string): Values {
    if (module.kind === "external") return externalMember(module, name);
    if (module.kind !== "module") return this.memberOf([module], name);
    return this.#binder.exportOf(module, name);
  }

  #once(memory: Map<string, Values>, { file, index }: DefinitionRef, find: () => Values): Values {
    const key = `${file}:${index}`;
    const known = memory.get(key);
    if (known !== undefined) return known;
    if (this.#busy.has(key) || this.#depth > MAX_DEPTH) return NOTHING;
    this.#busy.add(key);
    this.#depth++;
    try {
      const values = find();
      memory.set(key, values);
      return values;
    } finally {
      this.#busy.delete(key);
      this.#depth--;
    }
  }
}

function refs(file: number, indexes: readonly number[]): Values {
  return indexes.map((index) => ({ kind: "definition", file, index }));
}

function toDefinition({ file, index }: DefinitionRef): Value {
  return { kind: "definition", file, index };
}

function toInstance({ file, index }: DefinitionRef): Value {
  return { kind: "instance", file, index, args: [] };
}

/** Of a container, methods that give what is in it. */
const ELEMENT_METHODS: ReadonlySet<string> = new Set(
  "get pop shift at find first last peek poll remove next unwrap expect unwrap_or unwrap_or_else unwrap_or_default orElse orElseThrow orElseGet getOrDefault as_ref as_mut as_deref clone cloned borrow borrow_mut lock read write iter into_iter values items take".split(
    " ",
  ),
);

function externalMember(value: Value & { kind: "external" }, name: string): Values {
  const { args } = value;
  if (args.length > 0 && ELEMENT_METHODS.has(name)) return externalOf(ELEMENT, [elementOf(value)]);
  return externalOf(`${value.name}.${name}`);
}

const ELEMENT = "<element>";

function externalCall(value: Value & { kind: "external" }): Values {
  if (value.name === ELEMENT) return value.args[0] ?? NOTHING;
  return externalOf(`${value.name}()`, value.args);
}

/** What is in a container: the value of a map, what a `Result` or `Optional` holds. */
function elementOf({ name, args }: Value & { kind: "external" }): Values {
  return (/map|dict|record/i.test(name) ? args.at(-1) : args[0]) ?? NOTHING;
}

function limited(values: Values): Values {
  return values.length > MAX_VALUES ? values.slice(0, MAX_VALUES) : values;
}
