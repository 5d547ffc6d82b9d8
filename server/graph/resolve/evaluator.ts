/** Evaluates names, chains and types to values, from the facts of all files: a simple form of type inference. */

import { type DefinitionFact, FLAG } from "../../contracts/facts.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import { type Binder, createBinder } from "./binder.ts";
import { type ParsedChain, parseChain, type Step, withoutSuperCall } from "./chain.ts";
import { CONSTRUCTORS, classOfConstructor } from "./constructors.ts";
import { elementOf, externalCall, externalMember } from "./containers.ts";
import type { Evaluation, EvaluationDeps } from "./evaluation.ts";
import { assignedToFunction, importedExtensions } from "./extension-functions.ts";
import { Members } from "./members.ts";
import { Names } from "./names.ts";
import { namespaceMember } from "./namespace-members.ts";
import { methodsForReceiver } from "./overloads.ts";
import type { RulesOf } from "./rules.ts";
import { enumCase, returnedSelf, scopeOfType } from "./self-types.ts";
import { parseType, type TypeName } from "./types.ts";
import {
  classesOf,
  definitionValues,
  externalOf,
  isExternal,
  limited,
  type Member,
  type Module,
  NOTHING,
  type ResolvedName,
  toDefinition,
  toInstance,
  type Value,
  type Values,
} from "./values.ts";

/** Deeper evaluation is cut: it is usually a cycle. */
const MAX_DEPTH = 40;

export class Evaluator implements Evaluation {
  readonly from: number;
  readonly project: Project;
  readonly rulesOf: RulesOf;
  readonly importTargets: EvaluationDeps["importTargets"];
  readonly binder: Binder;
  readonly #variables = new Map<string, Values>();
  readonly #returns = new Map<string, Values>();
  readonly #members: Members;
  readonly #names: Names;
  readonly #visiting = new Set<string>();
  #depth = 0;

  constructor(from: number, { project, rulesOf, importTargets }: EvaluationDeps) {
    this.from = from;
    this.project = project;
    this.rulesOf = rulesOf;
    this.importTargets = importTargets;
    this.binder = createBinder(project, rulesOf, this);
    this.#members = new Members(this);
    this.#names = new Names(this);
  }

  chain(file: number, scope: number, chain: string, line: number): Values {
    if (chain === "" || chain === "?") return NOTHING;
    const parsed = parseChain(this.normalizeChain(file, scope, chain));
    const { head, steps } = parsed;
    return this.#evaluateSteps(
      file,
      this.#evaluateHead(file, scope, parsed, line),
      withoutSuperCall(head, steps),
    );
  }

  /** The values of the chain without its last step. */
  receiver(file: number, scope: number, chain: string, line: number): Values {
    const parsed = parseChain(this.normalizeChain(file, scope, chain));
    const before = withoutSuperCall(parsed.head, parsed.steps.slice(0, -1));
    return this.#evaluateSteps(file, this.#evaluateHead(file, scope, parsed, line), before);
  }

  #evaluateSteps(file: number, start: Values, steps: readonly Step[]): Values {
    let values = start;
    let receivers = NOTHING;
    let isResult = false;
    const rules = this.rulesOf(file);
    for (const step of steps) {
      if (values.length === 0) return NOTHING;
      const wasResult = isResult;
      isResult = false;
      switch (step.kind) {
        case "member": {
          const result = rules.resultOfMember?.(values, step.name, this) ?? NOTHING;
          isResult = result.length > 0;
          receivers = values;
          values = isResult ? result : this.#visibleMember(file, values, step.name);
          break;
        }
        case "call":
          if (!wasResult) values = this.#called(values, receivers);
          break;
        case "element":
        case "unwrap":
          values = limited(values.flatMap((value) => this.#element(value, step.kind)));
          break;
        case "part":
          values = limited(values.flatMap((value) => this.#destructured(value, step.place)));
          break;
      }
    }
    return values;
  }

  #called(values: Values, receivers: Values): Values {
    const own = () => this.resolved(receivers);
    return limited(
      values.flatMap((value) => returnedSelf(this.project, value, own) ?? this.#call(value)),
    );
  }

  #visibleMember(file: number, values: Values, name: string): Values {
    const found = this.memberOf(values, name);
    if (!isExternal(found)) return found;
    const added = importedExtensions(this, file, name);
    return added.length > 0 ? added : found;
  }

  /** Writes `new` in a class method of Ruby as `self.new`. */
  normalizeChain(file: number, scope: number, chain: string): string {
    return this.#names.isImplicitNew(file, scope, chain) ? `self.${chain}` : chain;
  }

  #evaluateHead(file: number, scope: number, { head, steps }: ParsedChain, line: number): Values {
    if (head === '"') return externalOf("string");
    if (head === "0") return externalOf("number");
    if (head.startsWith(":")) return this.type(file, scope, head.slice(1).replace(/;$/, ""));
    if (steps[0]?.kind === "call") return this.called(file, scope, head, line).values;
    return this.name(file, scope, head, line).values;
  }

  name(file: number, scope: number, name: string, line: number): ResolvedName {
    return this.#names.find(file, scope, name, line);
  }

  /** Resolves a called name in a scope. */
  called(file: number, scope: number, name: string, line: number): ResolvedName {
    return this.#names.findCalled(file, scope, name, line);
  }

  typeNamed(file: number, scope: number, name: string): DefinitionRef | undefined {
    const [value] = this.type(file, scope, name);
    return value?.kind === "instance" ? value : undefined;
  }

  extended(extension: DefinitionRef): DefinitionRef | undefined {
    return this.#names.extended(extension);
  }

  member(type: DefinitionRef, name: string): Member {
    return this.#members.find(type, name);
  }

  basesOf(type: DefinitionRef): Values {
    return this.#members.basesOf(type);
  }

  memberOf(values: Values, name: string): Values {
    const [first] = values;
    if (first === undefined) return NOTHING;
    // The fast path. It is not limited: the labels of a call select among overloads.
    if (values.length === 1) return this.#memberValues(first, name);
    return limited(values.flatMap((value) => this.#memberValues(value, name)));
  }

  #memberValues(value: Value, name: string): Values {
    if (value.kind === "external") return externalMember(value, name);
    if (value.kind === "module") return this.exportOf(value, name);
    if (value.kind === "instance")
      return methodsForReceiver(this.project, "object", this.member(value, name).refs).map(
        toDefinition,
      );
    const definition = this.project.definition(value);
    if (definition === undefined) return NOTHING;
    switch (definition.kind) {
      case "class":
      case "interface":
      case "extension": {
        // `Outer.this` in an inner class, `Base.super` in an interface.
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
        const made = classOfConstructor(this.project, value);
        if (made !== undefined) return this.memberOf([toDefinition(made)], name);
        if (this.#isCalledByName(value, definition))
          return this.memberOf(this.#returned(value), name);
        return assignedToFunction(this.project, value, name);
      }
    }
  }

  /** The values of a variable. */
  variable(ref: DefinitionRef): Values {
    return this.#memoize(this.#variables, ref, () => {
      const definition = this.project.definition(ref);
      if (definition === undefined) return NOTHING;
      const { type, value, parent, line, flags } = definition;
      if (type !== "" && type !== "var" && type !== "auto" && type !== "val") {
        const typed = this.type(ref.file, scopeOfType(this.project, ref.file, definition), type);
        if (typed.length > 0) return typed;
      }
      if ((flags & FLAG.self) !== 0 && type === "") {
        const enclosing = this.#names.enclosingType(ref.file, parent);
        return enclosing === undefined ? NOTHING : [toInstance(enclosing)];
      }
      if ((flags & FLAG.static) !== 0 && type === "" && value === "")
        return enumCase(this.project, { file: ref.file, index: parent });
      return value === "" ? NOTHING : this.resolved(this.chain(ref.file, parent, value, line));
    });
  }

  #classMember(type: DefinitionRef, name: string): Values {
    const ofClass = this.rulesOf(type.file).classMember?.(type, name, this);
    if (ofClass !== undefined) return ofClass;
    const found = this.member(type, name).refs.map(toDefinition);
    return found.length === 0 && this.project.traits(type.file).singletonMember === name
      ? [toInstance(type)]
      : found;
  }

  resolved(values: Values): Values {
    return limited(
      values.flatMap((value) => {
        if (value.kind !== "definition") return [value];
        const definition = this.project.definition(value);
        if (definition?.kind === "variable") {
          const content = this.variable(value);
          return content.length === 0 && this.project.hasChildren(value.file, value.index)
            ? [value]
            : content;
        }
        if (definition?.kind === "function" && this.#isCalledByName(value, definition))
          return this.#returned(value);
        return [value];
      }),
    );
  }

  /** Whether a function is called without parentheses: a getter, or any method in Ruby. */
  #isCalledByName({ file }: DefinitionRef, { flags }: DefinitionFact): boolean {
    return (
      (flags & FLAG.property) !== 0 || this.project.traits(file).callsWithoutParentheses === true
    );
  }

  #call(value: Value): Values {
    if (value.kind === "external") return this.#externalCall(value);
    if (value.kind === "module") {
      if (isPackage(value)) return externalOf(value.name);
      return this.exportOf(value, "default").flatMap((exported) =>
        exported.kind === "module" ? [] : this.#call(exported),
      );
    }
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
          this.variable(value).flatMap((content) =>
            content.kind === "instance" ? this.#call(content) : this.#callUnlessVariable(content),
          ),
        );
      case "namespace":
      case "extension":
      case "return":
        return NOTHING;
    }
  }

  #externalCall(value: Value & { kind: "external" }): Values {
    return this.project.traits(this.from).mayReturnAny?.(value.name)
      ? NOTHING
      : externalCall(value);
  }

  #callUnlessVariable(value: Value): Values {
    const isVariable =
      value.kind === "definition" && this.project.definition(value)?.kind === "variable";
    return isVariable ? NOTHING : this.#call(value);
  }

  /** The result of a function: by its return type, else by its `return` statements. */
  #returned(ref: DefinitionRef): Values {
    return this.#memoize(this.#returns, ref, () => {
      const definition = this.project.definition(ref);
      if (definition === undefined) return NOTHING;
      const { type, parent, name } = definition;
      if (CONSTRUCTORS.has(name)) {
        const enclosing = this.#names.enclosingType(ref.file, parent);
        return enclosing === undefined ? NOTHING : [toInstance(enclosing)];
      }
      const made = classOfConstructor(this.project, ref);
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

  /** The value of the field that `attr_reader :pool` reads in Ruby; nothing for other methods. */
  #attribute({ file, index }: DefinitionRef, name: string): Values {
    const field = this.project.traits(file).fieldOfAccessor?.(name);
    const type = field === undefined ? undefined : this.#names.enclosingType(file, index);
    if (field === undefined || type === undefined) return NOTHING;
    const { refs } = this.member(type, field);
    return limited(refs.flatMap((ref) => this.variable(ref)));
  }

  #element(value: Value, step: "element" | "unwrap"): Values {
    if (value.kind === "definition") {
      const definition = this.project.definition(value);
      // `Foo[int]` is `Foo` with type arguments.
      if (definition?.kind === "class" || definition?.kind === "function") return [value];
      return this.#throughVariable(value, (content) => this.#element(content, step));
    }
    if (value.kind === "instance" && step === "unwrap") return [value];
    if (value.kind === "module") return NOTHING;
    if (value.kind === "instance") {
      const pointsTo = this.project.traits(value.file).arraysArePointers ? [value] : NOTHING;
      return value.args.at(-1) ?? pointsTo;
    }
    return value.args.length > 0 ? elementOf(value) : externalOf(`${value.name}[]`);
  }

  #throughVariable(variable: DefinitionRef, find: (content: Value) => Values): Values {
    const content = this.variable(variable).filter(({ kind }) => kind !== "definition");
    return limited(content.flatMap(find));
  }

  #destructured(value: Value, place: number): Values {
    if (value.kind === "definition")
      return this.#throughVariable(value, (content) => this.#destructured(content, place));
    if (value.kind === "external" && value.name === "tuple") return value.args[place] ?? NOTHING;
    // An instance that is destructured to several names, such as an error result in Go: the first name gets the value.
    if (value.kind === "instance") return place === 0 ? [value] : NOTHING;
    return value.kind === "external" ? externalOf(`${value.name}#`) : NOTHING;
  }

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
      let values =
        args.length > 0
          ? this.#names.findGeneric(file, scope, head)
          : this.name(file, scope, head, Infinity).values;
      const isUnknown = rest.length > 0 && isExternal(values);
      if (!isUnknown) for (const part of rest) values = this.memberOf(values, part);
      const isOfFolders = values.length === 0 && this.project.traits(file).hasFolderNames;
      if (isUnknown || isOfFolders) values = this.name(file, scope, name, Infinity).values;
      return limited(values.flatMap((value) => this.#instanceOf(value, inner)));
    } finally {
      this.#depth--;
    }
  }

  #instanceOf(value: Value, args: () => readonly Values[]): Values {
    if (value.kind === "instance") return [value];
    if (value.kind === "module") return isPackage(value) ? externalOf(value.name) : NOTHING;
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
        const means = this.#memoize(this.#variables, value, () =>
          this.type(value.file, definition.parent, definition.type),
        );
        // `type Result<T> = std::result::Result<T, Error>`: the use of the alias has the type arguments.
        const inner = means.some(({ kind }) => kind === "external") ? args() : [];
        if (inner.length === 0) return means;
        return means.flatMap((one) =>
          one.kind === "external" ? externalOf(one.name, inner) : one,
        );
      }
      case "variable":
        return this.variable(value).flatMap((content) =>
          content.kind === "definition" ? this.#instanceOf(content, args) : [],
        );
      case "namespace":
        return this.project.traits(value.file).namespacesAreTypes ? [toInstance(value)] : NOTHING;
      case "function": {
        const made = classOfConstructor(this.project, value);
        return made === undefined ? NOTHING : [{ kind: "instance", ...made, args: args() }];
      }
      case "extension":
      case "return":
        return NOTHING;
    }
  }

  /** The export of a name from a module. */
  exportOf(module: Value, name: string): Values {
    if (module.kind === "external") return externalMember(module, name);
    if (module.kind !== "module") return this.memberOf([module], name);
    return this.binder.exportOf(module, name);
  }

  #memoize(
    memory: Map<string, Values>,
    { file, index }: DefinitionRef,
    find: () => Values,
  ): Values {
    const key = `${file}:${index}`;
    const known = memory.get(key);
    if (known !== undefined) return known;
    if (this.#visiting.has(key) || this.#depth > MAX_DEPTH) return NOTHING;
    this.#visiting.add(key);
    this.#depth++;
    try {
      const values = find();
      memory.set(key, values);
      return values;
    } finally {
      this.#visiting.delete(key);
      this.#depth--;
    }
  }
}

/** A type or function that is called like a package is outside the workspace. */
function isPackage({ packageKey }: Module): boolean {
  return packageKey !== undefined;
}
