/** Resolves a call to its target, in tiers: bindings and known receiver types first, a single reachable method of the name last. */

import { CALL_CONTEXT, type CallFact, type DefinitionFact, FLAG } from "../../contracts/facts.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import { aliasTargets, followRename } from "./aliases.ts";
import { parseChain } from "./chain.ts";
import type { Tier } from "./confidence.ts";
import { CONSTRUCTORS } from "./constructors.ts";
import type { Evaluator } from "./evaluator.ts";
import {
  extensionsOfExternal,
  extensionsOfThis,
  importedExtensions,
  isExtensionFunction,
  isOfTypeParameter,
} from "./extension-functions.ts";
import { methodsForReceiver, overloadsFor } from "./overloads.ts";
import { isSeparateField } from "./separate-namespaces.ts";
import { isExternal, type NameOrigin, type Value, type Values } from "./values.ts";

export type CallTarget =
  | {
      readonly kind: "edge";
      readonly tier: Tier;
      readonly to: readonly DefinitionRef[];
      /** See `CallEdge`. */
      readonly isLocal?: true;
      readonly aliasOf?: readonly DefinitionRef[] | undefined;
    }
  /** An ambiguous call. */
  | { readonly kind: "candidates"; readonly to: readonly DefinitionRef[] }
  | { readonly kind: "none" };

const NONE: CallTarget = { kind: "none" };

/** Longer lists of candidates are not informative. */
const MAX_CANDIDATES = 20;

export class CallResolver {
  readonly #evaluator: Evaluator;
  /** The files whose methods a call may reach by name alone: imports, their imports, and packages. */
  readonly #reachable: (file: number) => ReadonlySet<number>;

  constructor(evaluator: Evaluator, reachable: (file: number) => ReadonlySet<number>) {
    this.#evaluator = evaluator;
    this.#reachable = reachable;
  }

  resolve(file: number, fact: CallFact): CallTarget {
    const target = this.#resolve(file, fact);
    return (fact.context & CALL_CONTEXT.handed) === 0 ? target : this.#passedFunction(target, fact);
  }

  /** For a function that is passed as an argument: only known functions, because any value may have the name of a method. */
  #passedFunction(target: CallTarget, { chain }: CallFact): CallTarget {
    if (target.kind !== "edge" || target.tier === "onlyOne") return NONE;
    const { project } = this.#evaluator;
    const isFunction = (ref: DefinitionRef) => {
      const { kind, flags = 0, name = "" } = project.definition(ref) ?? {};
      if (kind === "class")
        return project.traits(ref.file).passesConstructors === true && chain.endsWith(name);
      return kind === "function" && (flags & FLAG.property) === 0;
    };
    const to = target.to.filter(isFunction);
    return to.length === 0 ? NONE : { ...target, to };
  }

  #resolve(file: number, fact: CallFact): CallTarget {
    const chain = this.#evaluator.normalizeChain(file, fact.scope, fact.chain);
    const call = chain === fact.chain ? fact : { ...fact, chain };
    const { steps, head } = parseChain(call.chain);
    const last = steps.at(-1);
    if (last === undefined) return this.#plain(file, call, head);
    // `save!(x)` in Ruby and Elixir.
    if (last.kind === "unwrap" && steps.length === 1) return this.#plain(file, call, `${head}!`);
    if (last.kind !== "member") return NONE;
    return this.#onReceiver(file, call, last.name);
  }

  #plain(file: number, call: CallFact, name: string): CallTarget {
    const { scope, line } = call;
    if (name === "super" || name === "this") {
      const { selfCall } = this.#evaluator.project.traits(file);
      if (selfCall === "base") return NONE;
      if (selfCall === "sameMethod") return this.#superMethod(file, call);
      if (selfCall === "invoke")
        return this.#onReceiver(file, { ...call, chain: `${name}.__invoke` }, "__invoke");
      return this.#constructorCall(file, call, name);
    }
    const { values, origin } = this.#evaluator.called(file, scope, name, line);
    if (origin === "local") return this.#localTarget(file, name, line, values);
    if (origin === "none") {
      const extensions = extensionsOfThis(this.#evaluator, file, name);
      if (extensions.length > 0) return this.#edge(call, extensions, "imported");
    }
    return this.#edge(call, values, TIER_OF[origin]);
  }

  /** A function or class that is defined in an enclosing function. */
  #localTarget(file: number, name: string, line: number, values: Values): CallTarget {
    const { project } = this.#evaluator;
    const own = values.flatMap((value) =>
      value.kind === "definition" && value.file === file ? [value] : [],
    );
    const functions = own.filter((ref) => this.#definition(ref)?.kind === "function");
    if (functions.length > 0 && project.traits(file).hasNamedInnerFunctions)
      return { kind: "edge", tier: "sameFile", to: functions };
    // A method of an anonymous object looks the same: `{ strip: (text) => strip(text) }`.
    const isAmbiguous = () => this.#evaluator.name(file, -1, name, line).origin !== "none";
    const to =
      functions.length > 0 && !isAmbiguous()
        ? functions
        : own.filter((ref) => this.#definition(ref)?.kind === "class");
    return to.length === 0 ? NONE : { kind: "edge", tier: "sameFile", to, isLocal: true };
  }

  /** Ruby's `super(...)` calls the method of the same name in a base. */
  #superMethod(file: number, call: CallFact): CallTarget {
    const name = this.#enclosingMethod(file, call.scope);
    if (name === undefined) return NONE;
    return this.#onReceiver(file, { ...call, chain: `super.${name}` }, name);
  }

  /** The name of the enclosing method; blocks have no name. */
  #enclosingMethod(file: number, scope: number): string | undefined {
    for (let index = scope; index >= 0; ) {
      const enclosing = this.#definition({ file, index });
      if (enclosing?.kind === "function" && enclosing.name !== "") return enclosing.name;
      index = enclosing?.parent ?? -1;
    }
    return undefined;
  }

  /** `super(...)` calls the constructor of the base, `this(...)` another constructor of the class. */
  #constructorCall(file: number, { scope, labels }: CallFact, name: string): CallTarget {
    const { values } = this.#evaluator.name(file, scope, name, 0);
    const types = values.flatMap((value) => (value.kind === "instance" ? [value] : []));
    const to = types.flatMap((type): readonly DefinitionRef[] => {
      const constructors = this.#matchingOverloads(this.#constructorsOf(type), labels);
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
    const { project } = this.#evaluator;
    const extensions = head === "super" ? [] : importedExtensions(this.#evaluator, file, name);
    // Methods take precedence over imported extension functions, and these over other extension functions.
    const isMethod = () =>
      found.some(({ values }) => values.some((one) => !isExtensionFunction(project, one)));
    if (extensions.length > 0 && !isMethod()) return this.#edge(call, extensions, "imported");
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
    // An external base has the method.
    if (head === "super") return NONE;
    const receiverValues = this.#evaluator.resolved(receiver);
    if (!project.traits(file).builtInMethods?.has(name)) {
      const outside = extensionsOfExternal(this.#evaluator, file, name, receiverValues);
      if (outside.length > 0) return this.#edge(call, outside, "imported");
    }
    if (receiverValues.some((value) => isOfTypeParameter(project, file, value)))
      return this.#byName(file, call, name);
    if (isExternal(receiverValues) || this.#allLackMember(receiverValues)) return NONE;
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

  /** Whether all possible types of the receiver are known, and lack the member. */
  #allLackMember(receiver: Values): boolean {
    return receiver.length > 0 && receiver.every((value) => this.#lacksMember(value));
  }

  #lacksMember(value: Value): boolean {
    if (value.kind === "external" || value.kind === "module") return true;
    // PHP: `__call` handles missing methods.
    if (value.kind === "instance" && this.#evaluator.member(value, "__call").refs.length > 0)
      return false;
    const definition = this.#definition(value);
    if (definition?.kind === "variable" || definition?.kind === "function") return false;
    return true;
  }

  /** Tier D, or candidates: the reachable methods of the name. */
  #byName(file: number, { chain }: CallFact, name: string): CallTarget {
    const { project } = this.#evaluator;
    const { builtInMethods, mayMeanAnyMethod } = project.traits(file);
    if (mayMeanAnyMethod?.(chain) === false) return NONE;
    if (builtInMethods?.has(name) || name.startsWith("__")) return NONE;
    const all = project.methodsNamed(project.language(file), name);
    if (all.length === 0) return NONE;
    const reachable = this.#reachable(file);
    const isNamedLikeReceiver = ownerMatchesReceiverName(project, chain);
    const near = all.filter((ref) => reachable.has(ref.file) || isNamedLikeReceiver(ref));
    if (near.length === 0) return NONE;
    const owners = new Set(all.map(({ mark }) => mark));
    if (owners.size === 1)
      return {
        kind: "edge",
        tier: "onlyOne",
        to: methodsForReceiver(project, "object", near).slice(0, 1),
      };
    return near.length > MAX_CANDIDATES ? NONE : { kind: "candidates", to: near };
  }

  #edge({ labels }: CallFact, values: Values, tier: Tier | undefined): CallTarget {
    if (tier === undefined) return NONE;
    const refs = values.flatMap((value) => {
      if (value.kind === "definition") return followRename(this.#evaluator, value);
      if (value.kind !== "module") return [];
      // Calling a module calls its default export.
      return this.#evaluator
        .exportOf(value, "default")
        .flatMap((one) => (one.kind === "definition" ? followRename(this.#evaluator, one) : []));
    });
    const targets = refs.filter((ref) => this.#isTarget(ref));
    // In C, a struct and a function can share a name.
    const functions = targets.filter((ref) => this.#definition(ref)?.kind === "function");
    const all = functions.length > 0 ? functions : targets;
    const to = this.#matchingOverloads(all, labels);
    if (to.length === 0) return NONE;
    const aliasOf = to.flatMap((ref) => aliasTargets(this.#evaluator, ref));
    return { kind: "edge", tier, to: unique(to), aliasOf };
  }

  /** The overloads that accept the labels of a call. */
  #matchingOverloads<T extends DefinitionRef>(all: readonly T[], labels: string): readonly T[] {
    return overloadsFor(all, labels, {
      labelsOf: (ref) => this.#definition(ref)?.labels ?? "",
      areLabelsDecisive: all.every(
        ({ file }) => this.#evaluator.project.traits(file).hasDecisiveLabels,
      ),
    });
  }

  /** Whether a call can lead to a definition: not to local definitions, and not to fields that hold no function. */
  #isTarget({ file, index }: DefinitionRef): boolean {
    const definition = this.#definition({ file, index });
    if (definition === undefined || definition.kind === "return") return false;
    if (isSeparateField(this.#evaluator.project, { file, index })) return false;
    if (this.#isPlainProperty({ file, index })) return false;
    // `String(1)` does not call an extension of the external type `String`.
    if (definition.kind === "extension") return false;
    const { quotesInnerFunctions } = this.#evaluator.project.traits(file);
    for (let at = definition.parent; at >= 0; ) {
      const enclosing = this.#definition({ file, index: at });
      if (enclosing === undefined) break;
      const isQuoted = definition.kind === "function" && quotesInnerFunctions;
      if (enclosing.kind === "function" && !isQuoted) return false;
      at = enclosing.parent;
    }
    return true;
  }

  /** A property of Kotlin or Swift whose value cannot be called. */
  #isPlainProperty(ref: DefinitionRef): boolean {
    const invoke = this.#evaluator.project.traits(ref.file).invokeMethod;
    const { kind, flags = 0, type = "" } = this.#definition(ref) ?? {};
    // An enum case with associated values is called.
    const isCase = (flags & FLAG.static) !== 0 && type === "";
    if (invoke === undefined || kind !== "variable" || isCase || type.includes("->")) return false;
    const values = this.#evaluator.variable(ref);
    const isPlain = (value: Value) =>
      value.kind === "external" ||
      (value.kind === "instance" && this.#evaluator.member(value, invoke).refs.length === 0);
    return values.length > 0 && values.every(isPlain);
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

/** Shorter names match too many types. */
const MIN_TYPE_LENGTH = 4;

/** Whether the owner of a method has the name of the receiver: `site.publisher.publish?` and `Publisher`. */
function ownerMatchesReceiverName(
  project: Project,
  chain: string,
): (ref: DefinitionRef) => boolean {
  const { head, steps } = parseChain(chain);
  const before = steps.at(-2);
  const name = before === undefined ? head : before.kind === "member" ? before.name : "";
  const called = plainName(name);
  return (ref) => {
    if (called.length < MIN_TYPE_LENGTH || !project.traits(ref.file).namesVariablesByType)
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
