/** Says what names, chains and types of a file are, over the facts of all files: a small part of what a compiler does. */

import { type DefinitionFact, FLAG } from "../../contracts/facts.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import { type Binder, createBinder } from "./binder.ts";
import { ofSuper, type ParsedChain, parseChain, type Step } from "./chain.ts";
import { CONSTRUCTORS, madeBy } from "./constructors.ts";
import { elementOf, externalCall, externalMember } from "./containers.ts";
import type { Member, Named } from "./evaluation.ts";
import { assignedToFunction, importedExtensions } from "./extension-functions.ts";
import { Members } from "./members.ts";
import { hasMixins } from "./mixins.ts";
import { Names } from "./names.ts";
import { namespaceMember } from "./namespace-members.ts";
import { calledOn, itselfOf, madeByNew, onRubyClass } from "./ruby-class.ts";
import type { Rules } from "./rules.ts";
import { enumCase, isSingletonInstance, returnedSelf, scopeOfType } from "./self-types.ts";
import { parseType, type TypeName } from "./types.ts";
import {
  classesOf,
  definitionValues,
  externalOf,
  isExternal,
  limited,
  NOTHING,
  toDefinition,
  toInstance,
  type Value,
  type Values,
} from "./values.ts";

/** Deeper chains of values through values are cut: most of them are cycles. */
const MAX_DEPTH = 40;
/** An array of a type is written as a pointer to it is: neither is told from the type. */
const POINTER_LANGUAGES: ReadonlySet<string> = new Set(["c", "cpp"]);

interface EvaluatorDeps {
  /** The file that is looked at. */
  readonly from: number;
  rulesOf(file: number): Rules;
  /** Files that another one imports. */
  importTargets(file: number): readonly number[];
}

export class Evaluator {
  readonly project: Project;
  readonly binder: Binder;
  readonly #variables = new Map<string, Values>();
  readonly #returns = new Map<string, Values>();
  readonly #members: Members;
  readonly #names: Names;
  readonly #busy = new Set<string>();
  #depth = 0;

  constructor(project: Project, { from, rulesOf, importTargets }: EvaluatorDeps) {
    this.project = project;
    this.binder = createBinder(project, rulesOf, {
      exportOf: (module, name) => this.exportOf(module, name),
      memberOf: (values, name) => this.memberOf(values, name),
    });
    this.#members = new Members(project, {
      type: (file, scope, text) => this.type(file, scope, text),
      extended: (extension) => this.#names.extended(extension),
      named: (file, scope, name) => this.name(file, scope, name, Infinity).values,
      typeNamed: (file, scope, name) => this.#names.typeNamed(file, scope, name),
    });
    this.#names = new Names({
      project,
      binder: this.binder,
      members: this.#members,
      from,
      rulesOf,
      importTargets,
      type: (file, scope, text) => this.type(file, scope, text),
    });
  }

  chain(file: number, scope: number, chain: string, line: number): Values {
    if (chain === "" || chain === "?") return NOTHING;
    const parsed = parseChain(this.written(file, scope, chain));
    const { head, steps } = parsed;
    return this.#walk(file, this.#head(file, scope, parsed, line), ofSuper(head, steps));
  }

  /** What the steps before the last one give. */
  receiver(file: number, scope: number, chain: string, line: number): Values {
    const parsed = parseChain(this.written(file, scope, chain));
    const before = ofSuper(parsed.head, parsed.steps.slice(0, -1));
    return this.#walk(file, this.#head(file, scope, parsed, line), before);
  }

  #walk(file: number, start: Values, steps: readonly Step[]): Values {
    let values = start;
    let receivers = NOTHING;
    let isMade = false;
    for (const step of steps) {
      if (values.length === 0) return NOTHING;
      const wasMade = isMade;
      isMade = false;
      switch (step.kind) {
        case "member": {
          const made = this.#givenByRuby(file, values, step.name);
          isMade = made.length > 0;
          receivers = values;
          values = isMade ? made : this.#memberSeen(file, values, step.name);
          break;
        }
        case "call":
          if (!wasMade) values = this.#called(values, receivers);
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

  /** What `new` of Ruby makes, also without parentheses, and what `tap` gives. */
  #givenByRuby(file: number, values: Values, name: string): Values {
    if (!hasMixins(this.project.language(file))) return NOTHING;
    if (name === "new") return madeByNew(this.project, this.resolved(values));
    return itselfOf(name, values, (all) => this.resolved(all), this.#members);
  }

  #called(values: Values, receivers: Values): Values {
    const own = () => this.resolved(receivers);
    return limited(
      values.flatMap((value) => returnedSelf(this.project, value, own) ?? this.#call(value)),
    );
  }

  #memberSeen(file: number, values: Values, name: string): Values {
    const found = this.memberOf(values, name);
    if (!isExternal(found)) return found;
    const added = importedExtensions(this.project, this.binder, file, name);
    return added.length > 0 ? added : found;
  }

  /** `new` in a method of a class of Ruby itself is `self.new`. */
  written(file: number, scope: number, chain: string): string {
    return this.#names.isOwnNew(file, scope, chain) ? `self.${chain}` : chain;
  }

  #head(file: number, scope: number, { head, steps }: ParsedChain, line: number): Values {
    if (head === '"') return externalOf("string");
    if (head === "0") return externalOf("number");
    if (head.startsWith(":")) return this.type(file, scope, head.slice(1).replace(/;$/, ""));
    if (steps[0]?.kind === "call") return this.called(file, scope, head, line).values;
    return this.name(file, scope, head, line).values;
  }

  /** What a plain name is at a place. */
  name(file: number, scope: number, name: string, line: number): Named {
    return this.#names.find(file, scope, name, line);
  }

  /** What a plain name is that is called at a place. */
  called(file: number, scope: number, name: string, line: number): Named {
    return this.#names.findCalled(file, scope, name, line);
  }

  member(type: DefinitionRef, name: string): Member {
    return this.#members.find(type, name);
  }

  memberOf(values: Values, name: string): Values {
    const [first] = values;
    if (first === undefined) return NOTHING;
    // As a rule there is one; which of its methods of a name is meant is said by the call.
    if (values.length === 1) return this.#memberValues(first, name);
    return limited(values.flatMap((value) => this.#memberValues(value, name)));
  }

  #memberValues(value: Value, name: string): Values {
    if (value.kind === "external") return externalMember(value, name);
    if (value.kind === "module") return this.exportOf(value, name);
    if (value.kind === "instance")
      return calledOn(this.project, "object", this.member(value, name).refs).map(toDefinition);
    const definition = this.project.definition(value);
    if (definition === undefined) return NOTHING;
    switch (definition.kind) {
      case "class":
      case "interface":
      case "extension": {
        // `Outer.this` of an inner class, `Base.super` of an interface.
        const isObject = name === "this" || name === "super";
        return isObject ? [toInstance(value)] : this.#classMember(value, name);
      }
      case "namespace":
        return namespaceMember(this.project, value, name, (one) => this.#names.isReached(one));
      case "variable":
      case "return": {
        const inside = this.project.childrenNamed(value.file, value.index, name);
        if (inside !== undefined) return definitionValues(value.file, inside);
        return this.memberOf(this.variable(value), name);
      }
      case "alias":
        return this.memberOf(this.type(value.file, definition.parent, definition.type), name);
      case "function": {
        const made = madeBy(this.project, value);
        if (made !== undefined) return this.memberOf([toDefinition(made)], name);
        if (this.#isRead(value, definition)) return this.memberOf(this.#returned(value), name);
        return assignedToFunction(this.project, value, name);
      }
    }
  }

  /** What a variable holds. */
  variable(ref: DefinitionRef): Values {
    return this.#once(this.#variables, ref, () => {
      const definition = this.project.definition(ref);
      if (definition === undefined) return NOTHING;
      const { type, value, parent, line, flags } = definition;
      if (type !== "" && type !== "var" && type !== "auto" && type !== "val") {
        const typed = this.type(ref.file, scopeOfType(this.project, ref.file, definition), type);
        if (typed.length > 0) return typed;
      }
      if ((flags & FLAG.self) !== 0 && type === "") {
        const around = this.#names.typeAround(ref.file, parent);
        return around === undefined ? NOTHING : [toInstance(around)];
      }
      if ((flags & FLAG.static) !== 0 && type === "" && value === "")
        return enumCase(this.project, { file: ref.file, index: parent });
      return value === "" ? NOTHING : this.resolved(this.chain(ref.file, parent, value, line));
    });
  }

  #classMember(type: DefinitionRef, name: string): Values {
    if (hasMixins(this.project.language(type.file)))
      return onRubyClass(this.project, this.#members, type, name);
    const found = this.member(type, name).refs.map(toDefinition);
    return found.length === 0 && isSingletonInstance(this.project, type, name)
      ? [toInstance(type)]
      : found;
  }

  /** Variables replaced by what they hold. */
  resolved(values: Values): Values {
    return limited(
      values.flatMap((value) => {
        if (value.kind !== "definition") return [value];
        const definition = this.project.definition(value);
        if (definition?.kind === "variable") {
          const held = this.variable(value);
          return held.length === 0 && this.project.hasChildren(value.file, value.index)
            ? [value]
            : held;
        }
        if (definition?.kind === "function" && this.#isRead(value, definition))
          return this.#returned(value);
        return [value];
      }),
    );
  }

  /** Whether a function is called by its name alone: a getter, and each method of Ruby. */
  #isRead({ file }: DefinitionRef, { flags }: DefinitionFact): boolean {
    return (flags & FLAG.property) !== 0 || hasMixins(this.project.language(file));
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
    if (definition === undefined) return NOTHING;
    switch (definition.kind) {
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
      case "namespace":
      case "extension":
      case "return":
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
      if (CONSTRUCTORS.has(name)) {
        const around = this.#names.typeAround(ref.file, parent);
        return around === undefined ? NOTHING : [toInstance(around)];
      }
      const made = madeBy(this.project, ref);
      if (made !== undefined) return [toInstance(made)];
      if (type !== "") return this.type(ref.file, ref.index, type);
      const returns = this.project.childrenNamed(ref.file, ref.index, "") ?? [];
      if (returns.length === 0) return this.#attribute(ref, name);
      return limited(
        returns.flatMap((index) => {
          const one = this.project.definition({ file: ref.file, index });
          if (one?.kind !== "return") return [];
          return this.resolved(this.chain(ref.file, ref.index, one.value, one.line));
        }),
      );
    });
  }

  /** What `attr_reader :pool` of Ruby reads; nothing for other methods. */
  #attribute({ file, index }: DefinitionRef, name: string): Values {
    const type = this.#names.typeAround(file, index);
    if (type === undefined || !hasMixins(this.project.language(file))) return NOTHING;
    const fields = this.member(type, `@${name}`).refs;
    return limited(fields.flatMap((field) => this.variable(field)));
  }

  #element(value: Value, step: "element" | "unwrap"): Values {
    if (value.kind === "definition") {
      const definition = this.project.definition(value);
      // `Foo[int]` is still Foo.
      if (definition?.kind === "class" || definition?.kind === "function") return [value];
      return this.#ofHeld(value, (held) => this.#element(held, step));
    }
    if (value.kind === "instance" && step === "unwrap") return [value];
    if (value.kind === "module") return NOTHING;
    if (value.kind === "instance") {
      const pointsTo = POINTER_LANGUAGES.has(this.project.language(value.file)) ? [value] : NOTHING;
      return value.args.at(-1) ?? pointsTo;
    }
    return value.args.length > 0 ? elementOf(value) : externalOf(`${value.name}[]`);
  }

  #ofHeld(variable: DefinitionRef, find: (held: Value) => Values): Values {
    const held = this.variable(variable).filter(({ kind }) => kind !== "definition");
    return limited(held.flatMap(find));
  }

  #part(value: Value, place: number): Values {
    if (value.kind === "definition") return this.#ofHeld(value, (held) => this.#part(held, place));
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
    if (isMeta && args[0] !== undefined) return classesOf(this.#typeValues(file, scope, args[0]));
    if (this.#depth > MAX_DEPTH) return NOTHING;
    this.#depth++;
    try {
      const [head = "", ...rest] = name.split(".");
      let values = this.name(file, scope, head, Infinity).values;
      const isUnknown = rest.length > 0 && isExternal(values);
      if (!isUnknown) for (const part of rest) values = this.memberOf(values, part);
      const isOfFolders = values.length === 0 && hasMixins(this.project.language(file));
      if (isUnknown || isOfFolders) values = this.name(file, scope, name, Infinity).values;
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
    if (definition === undefined) return NOTHING;
    switch (definition.kind) {
      case "class":
      case "interface": {
        const { file, index } = value;
        return [{ kind: "instance", file, index, args: args() }];
      }
      case "alias": {
        const means = this.#once(this.#variables, value, () =>
          this.type(value.file, definition.parent, definition.type),
        );
        // `type Result<T> = std::result::Result<T, Error>`: what it holds is said where it is used.
        const inner = means.some(({ kind }) => kind === "external") ? args() : [];
        if (inner.length === 0) return means;
        return means.flatMap((one) =>
          one.kind === "external" ? externalOf(one.name, inner) : one,
        );
      }
      case "variable":
        return this.variable(value).flatMap((held) =>
          held.kind === "definition" ? this.#instanceOf(held, args) : [],
        );
      case "namespace":
        return hasMixins(this.project.language(value.file)) ? [toInstance(value)] : NOTHING;
      case "function": {
        const made = madeBy(this.project, value);
        return made === undefined ? NOTHING : [{ kind: "instance", ...made, args: args() }];
      }
      case "extension":
      case "return":
        return NOTHING;
    }
  }

  /** What a module gives to others by a name. */
  exportOf(module: Value, name: string): Values {
    if (module.kind === "external") return externalMember(module, name);
    if (module.kind !== "module") return this.memberOf([module], name);
    return this.binder.exportOf(module, name);
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
