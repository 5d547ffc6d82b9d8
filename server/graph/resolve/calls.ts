/** Where a call leads, in tiers: what is known for sure first, one reachable method of the name last. */

import { CALL_CONTEXT, type CallFact, type DefinitionFact, FLAG } from "../../contracts/facts.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import { aliasTargets, followRename } from "./aliases.ts";
import { isBuiltInMethod } from "./builtin-methods.ts";
import { parseChain } from "./chain.ts";
import type { Tier } from "./confidence.ts";
import { CONSTRUCTORS } from "./constructors.ts";
import type { NameOrigin } from "./evaluation.ts";
import type { Evaluator } from "./evaluator.ts";
import {
  extensionsOfExternal,
  extensionsOfThis,
  importedExtensions,
  isExtensionFunction,
  isOfTypeParameter,
} from "./extension-functions.ts";
import { overloadsFor } from "./overloads.ts";
import { calledOn } from "./ruby-class.ts";
import { isSeparateField } from "./separate-namespaces.ts";
import { isExternal, type Value, type Values } from "./values.ts";

export type CallTarget =
  | {
      readonly kind: "edge";
      readonly tier: Tier;
      readonly to: readonly DefinitionRef[];
      /** As of `CallEdge`. */
      readonly isLocal?: true;
      readonly real?: readonly DefinitionRef[] | undefined;
    }
  /** Several could be meant, and nothing says which. */
  | { readonly kind: "candidates"; readonly to: readonly DefinitionRef[] }
  | { readonly kind: "none" };

const NONE: CallTarget = { kind: "none" };

/** The method that calling an object calls. */
const INVOKED: ReadonlyMap<string, string> = new Map([
  ["kotlin", "invoke"],
  ["swift", "callAsFunction"],
]);

/** Languages whose compilers know functions in functions by their names; those of others take them for locals. */
const HAVE_INNER_FUNCTIONS: ReadonlySet<string> = new Set(["python", "elixir"]);

/** More candidates say nothing. */
const MAX_CANDIDATES = 20;

export class CallResolver {
  readonly #evaluator: Evaluator;
  /** Files whose methods a file can reach without saying so: what it imports, and what those import. */
  readonly #reachable: (file: number) => ReadonlySet<number>;

  constructor(evaluator: Evaluator, reachable: (file: number) => ReadonlySet<number>) {
    this.#evaluator = evaluator;
    this.#reachable = reachable;
  }

  resolve(file: number, fact: CallFact): CallTarget {
    const target = this.#resolve(file, fact);
    return (fact.context & CALL_CONTEXT.handed) === 0 ? target : this.#handed(target, fact);
  }

  /** What is handed on is a function, and one that is known: any value could have the name of a method. */
  #handed(target: CallTarget, { chain }: CallFact): CallTarget {
    if (target.kind !== "edge" || target.tier === "onlyOne") return NONE;
    const { project } = this.#evaluator;
    const isFunction = (ref: DefinitionRef) => {
      const { kind, flags = 0, name = "" } = project.definition(ref) ?? {};
      if (kind === "class") return project.language(ref.file) === "java" && chain.endsWith(name);
      return kind === "function" && (flags & FLAG.property) === 0;
    };
    const to = target.to.filter(isFunction);
    return to.length === 0 ? NONE : { ...target, to };
  }

  #resolve(file: number, fact: CallFact): CallTarget {
    const chain = this.#evaluator.written(file, fact.scope, fact.chain);
    const call = chain === fact.chain ? fact : { ...fact, chain };
    const { steps, head } = parseChain(call.chain);
    const last = steps.at(-1);
    if (last === undefined) return this.#plain(file, call, head);
    // `save!(x)` of Ruby and Elixir.
    if (last.kind === "unwrap" && steps.length === 1) return this.#plain(file, call, `${head}!`);
    if (last.kind !== "member") return NONE;
    return this.#onReceiver(file, call, last.name);
  }

  #plain(file: number, call: CallFact, name: string): CallTarget {
    const { scope, line } = call;
    if (name === "super" || name === "this") {
      // Of Python, `super()` only names the base; of PHP, `$this()` calls the object.
      const language = this.#evaluator.project.language(file);
      if (language === "php")
        return this.#onReceiver(file, { ...call, chain: `${name}.__invoke` }, "__invoke");
      if (language === "python") return NONE;
      if (language === "ruby") return this.#sameMethodAbove(file, call);
      return this.#constructorCall(file, call, name);
    }
    const { values, origin } = this.#evaluator.called(file, scope, name, line);
    if (origin === "local") return this.#localTarget(file, name, line, values);
    if (origin === "none") {
      const { project, binder } = this.#evaluator;
      const added = extensionsOfThis(project, binder, file, name);
      if (added.length > 0) return this.#edge(call, added, "imported");
    }
    return this.#edge(call, values, TIER_OF[origin]);
  }

  /** A function or class that is defined in the function around. */
  #localTarget(file: number, name: string, line: number, values: Values): CallTarget {
    const { project } = this.#evaluator;
    const own = values.flatMap((value) =>
      value.kind === "definition" && value.file === file ? [value] : [],
    );
    const functions = own.filter((ref) => this.#definition(ref)?.kind === "function");
    if (functions.length > 0 && HAVE_INNER_FUNCTIONS.has(project.language(file)))
      return { kind: "edge", tier: "sameFile", to: functions };
    // A method of an object without a name looks alike: `{ strip: (text) => strip(text) }`.
    const isAmbiguous = () => this.#evaluator.name(file, -1, name, line).origin !== "none";
    const to =
      functions.length > 0 && !isAmbiguous()
        ? functions
        : own.filter((ref) => this.#definition(ref)?.kind === "class");
    return to.length === 0 ? NONE : { kind: "edge", tier: "sameFile", to, isLocal: true };
  }

  /** Ruby's `super(...)` calls the method of the base that is called as the one around. */
  #sameMethodAbove(file: number, call: CallFact): CallTarget {
    const name = this.#methodAround(file, call.scope);
    if (name === undefined) return NONE;
    return this.#onReceiver(file, { ...call, chain: `super.${name}` }, name);
  }

  /** Its name; blocks in it have none. */
  #methodAround(file: number, scope: number): string | undefined {
    for (let index = scope; index >= 0; ) {
      const around = this.#definition({ file, index });
      if (around?.kind === "function" && around.name !== "") return around.name;
      index = around?.parent ?? -1;
    }
    return undefined;
  }

  /** `super(...)` calls the constructor of the base, `this(...)` another one of its own. */
  #constructorCall(file: number, { scope, labels }: CallFact, name: string): CallTarget {
    const { values } = this.#evaluator.name(file, scope, name, 0);
    const types = values.flatMap((value) => (value.kind === "instance" ? [value] : []));
    const to = types.flatMap((type): readonly DefinitionRef[] => {
      const constructors = this.#fitting(this.#constructorsOf(type), labels);
      return constructors.length > 0 ? constructors : [{ file: type.file, index: type.index }];
    });
    return to.length === 0
      ? NONE
      : { kind: "edge", tier: name === "super" ? "inherited" : "ownMethod", to };
  }

  #constructorsOf({ file, index: type }: DefinitionRef): readonly DefinitionRef[] {
    const name = this.#definition({ file, index: type })?.name ?? "";
    for (const one of [...CONSTRUCTORS, name]) {
      const found = this.#evaluator.project.childrenNamed(file, type, one) ?? [];
      if (found.length > 0) return found.map((index) => ({ file, index }));
    }
    return [];
  }

  #onReceiver(file: number, call: CallFact, name: string): CallTarget {
    const { scope, chain, line } = call;
    const receiver = this.#evaluator.receiver(file, scope, chain, line);
    const { head, steps } = parseChain(chain);
    const isOwn = isSelf(head) && (steps.length === 1 || head === "super");
    const own = isOwn ? head : undefined;
    const found = receiver.flatMap((value) => this.#memberTargets(value, name, own));
    const { project, binder } = this.#evaluator;
    const added = head === "super" ? [] : importedExtensions(project, binder, file, name);
    // What is imported by its name comes before other functions that extend the type, and behind its methods.
    const isMethod = () =>
      found.some(({ values }) => values.some((one) => !isExtensionFunction(project, one)));
    if (added.length > 0 && !isMethod()) return this.#edge(call, added, "imported");
    if (found.length > 0) {
      const tier =
        found.some((one) => one.tier === "inherited") && isOwn
          ? "inherited"
          : (found[0]?.tier ?? "typedReceiver");
      return this.#edge(
        call,
        found.flatMap(({ values }) => values),
        tier,
      );
    }
    // A class above that is not known has it.
    if (head === "super") return NONE;
    const held = this.#evaluator.resolved(receiver);
    const language = project.language(file);
    if (!isBuiltInMethod(language, name)) {
      const outside = extensionsOfExternal(project, binder, file, { name, receiver: held });
      if (outside.length > 0) return this.#edge(call, outside, "imported");
    }
    if (held.some((value) => isOfTypeParameter(language, value)))
      return this.#byName(file, call, name);
    if (isExternal(held) || this.#isKnownWithout(held)) return NONE;
    return this.#byName(file, call, name);
  }

  #memberTargets(
    value: Value,
    name: string,
    own: string | undefined,
  ): { readonly tier: Tier; readonly values: Values }[] {
    if (value.kind === "external") return [];
    const values = this.#evaluator
      .memberOf([value], name)
      .filter(({ kind }) => kind !== "external");
    if (values.length === 0) return [];
    return [{ tier: this.#memberTier(value, name, own), values }];
  }

  #memberTier(value: Value, name: string, own: string | undefined): Tier {
    if (value.kind === "module") return "moduleMember";
    if (value.kind === "instance" && own !== undefined) {
      const isInherited = own === "super" || this.#evaluator.member(value, name).isInherited;
      return isInherited ? "inherited" : "ownMethod";
    }
    if (value.kind === "instance") return "typedReceiver";
    const kind = this.#definition(value as DefinitionRef)?.kind;
    if (kind === "variable" && own === "this") return "ownMethod";
    return kind === "class" || kind === "interface" || kind === "namespace"
      ? "typeMember"
      : "typedReceiver";
  }

  /** Whether every type that the receiver may have is known as a whole, and has no such member. */
  #isKnownWithout(receiver: Values): boolean {
    return receiver.length > 0 && receiver.every((value) => this.#lacks(value));
  }

  #lacks(value: Value): boolean {
    if (value.kind === "external" || value.kind === "module") return true;
    // Of PHP: what it has not is handed to something else.
    if (value.kind === "instance" && this.#evaluator.member(value, "__call").refs.length > 0)
      return false;
    const definition = this.#definition(value);
    if (definition?.kind === "variable" || definition?.kind === "function") return false;
    return true;
  }

  /** Tier D and G: methods of the name that can be reached from here. */
  #byName(file: number, { chain }: CallFact, name: string): CallTarget {
    const { project } = this.#evaluator;
    const language = project.language(file);
    // `query.from` of Elixir is a field of a map.
    if (language === "elixir") return NONE;
    // A constant of Ruby that the workspace has not is of a library.
    if (language === "ruby" && CALLED_ON_CONSTANT.test(chain)) return NONE;
    if (isBuiltInMethod(language, name) || name.startsWith("__")) return NONE;
    const all = project.methodsNamed(language, name);
    if (all.length === 0) return NONE;
    const reachable = this.#reachable(file);
    const isNear = isCalledAsItsType(project, chain);
    const near = all.filter((ref) => reachable.has(ref.file) || isNear(ref));
    if (near.length === 0) return NONE;
    const owners = new Set(all.map(({ mark }) => mark));
    if (owners.size === 1)
      return { kind: "edge", tier: "onlyOne", to: calledOn(project, "object", near).slice(0, 1) };
    return near.length > MAX_CANDIDATES ? NONE : { kind: "candidates", to: near };
  }

  #edge({ labels }: CallFact, values: Values, tier: Tier | undefined): CallTarget {
    if (tier === undefined) return NONE;
    const refs = values.flatMap((value) => {
      if (value.kind === "definition") return followRename(this.#evaluator, value);
      if (value.kind !== "module") return [];
      // A module that is called is what it exports by default.
      return this.#evaluator
        .exportOf(value, "default")
        .flatMap((one) => (one.kind === "definition" ? followRename(this.#evaluator, one) : []));
    });
    const targets = refs.filter((ref) => this.#isTarget(ref));
    // In C a struct and a function may have one name.
    const functions = targets.filter((ref) => this.#definition(ref)?.kind === "function");
    const all = functions.length > 0 ? functions : targets;
    const to = this.#fitting(all, labels);
    if (to.length === 0) return NONE;
    const real = to.flatMap((ref) => aliasTargets(this.#evaluator, ref));
    return { kind: "edge", tier, to: unique(to), real };
  }

  /** Of functions of one name, those that take what is given. */
  #fitting<T extends DefinitionRef>(all: readonly T[], labels: string): readonly T[] {
    return overloadsFor(all, labels, {
      labelsOf: (ref) => this.#definition(ref)?.labels ?? "",
      isProof: all.every(({ file }) => this.#evaluator.project.language(file) === "swift"),
    });
  }

  /** What is inside a function is its own affair, and parameters and fields of unknown type are no targets. */
  #isTarget({ file, index }: DefinitionRef): boolean {
    const definition = this.#definition({ file, index });
    if (definition === undefined || definition.kind === "return") return false;
    if (isSeparateField(this.#evaluator.project, { file, index })) return false;
    if (this.#isPlainProperty({ file, index })) return false;
    // `String(1)` is no call of what an extension adds to a type of a library.
    if (definition.kind === "extension") return false;
    for (let at = definition.parent; at >= 0; ) {
      const around = this.#definition({ file, index: at });
      if (around === undefined) break;
      // A function in one of Elixir is in a quote: that of the module that uses it.
      const isQuoted = definition.kind === "function" && this.#isElixir(file);
      if (around.kind === "function" && !isQuoted) return false;
      at = around.parent;
    }
    return true;
  }

  /** Of Kotlin and Swift, one whose value cannot be called. */
  #isPlainProperty(ref: DefinitionRef): boolean {
    const invoke = INVOKED.get(this.#evaluator.project.language(ref.file));
    const { kind, flags = 0, type = "" } = this.#definition(ref) ?? {};
    // A case of an enumeration is called with what belongs to it.
    const isCase = (flags & FLAG.static) !== 0 && type === "";
    if (invoke === undefined || kind !== "variable" || isCase || type.includes("->")) return false;
    const held = this.#evaluator.variable(ref);
    const isPlain = (value: Value) =>
      value.kind === "external" ||
      (value.kind === "instance" && this.#evaluator.member(value, invoke).refs.length === 0);
    return held.length > 0 && held.every(isPlain);
  }

  #isElixir(file: number): boolean {
    return this.#evaluator.project.language(file) === "elixir";
  }

  #definition({ file, index }: DefinitionRef): DefinitionFact | undefined {
    return this.#evaluator.project.definition({ file, index });
  }
}

const TIER_OF: Readonly<Record<NameOrigin, Tier | undefined>> = {
  local: undefined,
  own: "ownMethod",
  inherited: "inherited",
  file: "sameFile",
  import: "imported",
  package: "samePackage",
  wildcard: "imported",
  none: undefined,
};

/** Languages in which most variables have no type, and are often called as it is. */
const NAME_BY_TYPE: ReadonlySet<string> = new Set(["ruby", "python", "php", "javascript"]);
const CALLED_ON_CONSTANT = /^(?:\p{Lu}\w*\.)+[^.]+$/u;
/** A shorter name is that of many things. */
const MIN_TYPE_LENGTH = 4;

/** Whether a method belongs to the type that its receiver is called as: `site.publisher.publish?` and Publisher. */
function isCalledAsItsType(project: Project, chain: string): (ref: DefinitionRef) => boolean {
  const { head, steps } = parseChain(chain);
  const before = steps.at(-2);
  const name = before === undefined ? head : before.kind === "member" ? before.name : "";
  const called = plainName(name);
  return (ref) => {
    if (called.length < MIN_TYPE_LENGTH || !NAME_BY_TYPE.has(project.language(ref.file)))
      return false;
    const parent = project.definition(ref)?.parent ?? -1;
    const type = project.definition({ file: ref.file, index: parent });
    return type?.kind === "class" && plainName(type.name).endsWith(called);
  };
}

function plainName(name: string): string {
  return name.replaceAll(/[@$_#]/g, "").toLowerCase();
}

function isSelf(head: string): boolean {
  return (
    head === "this" || head === "self" || head === "cls" || head === "Self" || head === "super"
  );
}

function unique(refs: readonly DefinitionRef[]): DefinitionRef[] {
  const seen = new Map(refs.map((ref) => [`${ref.file}:${ref.index}`, ref]));
  return [...seen.values()];
}
