/** Resolves the imports, calls and types of one file. A view keeps no state of other files, so that results are reproducible. */

import { CALL_CONTEXT, type CallFact } from "../../contracts/facts.ts";
import type { EdgeOccurrence } from "../project/file-edges.ts";
import { outerPackageKeys } from "../project/package-key.ts";
import type { DefinitionRef } from "../project/project.ts";
import { followRename } from "./aliases.ts";
import { CallResolver, type CallTarget } from "./calls.ts";
import { lastNameOf } from "./chain.ts";
import { TIERS, tierConfidence } from "./confidence.ts";
import type { EvaluationDeps } from "./evaluation.ts";
import { Evaluator } from "./evaluator.ts";
import type { Resolution } from "./rules.ts";
import { scopeOfType } from "./self-types.ts";
import type { Module, Values } from "./values.ts";

export interface CallEdge {
  readonly file: number;
  readonly line: number;
  readonly column: number;
  /** The calling definition; -1 at the top level. */
  readonly scope: number;
  readonly name: string;
  readonly to: DefinitionRef;
  readonly confidence: number;
  readonly how: string;
  readonly context: number;
  /** The definitions that the target is an alias of. */
  readonly aliasOf: readonly DefinitionRef[];
  /** Whether it is one of several possible targets of an ambiguous call. */
  readonly isCandidate: boolean;
  /** A call of a local function or class: listed among callers, but not an edge of the file graph. */
  readonly isLocal: boolean;
}

/** For overloads in several files: in googletest, half of 1,290 such calls meant the first overload. */
const SEVERAL_FILES_CONFIDENCE = 0.5;

export class FileView {
  readonly #file: number;
  readonly #deps: EvaluationDeps;
  readonly #evaluator: Evaluator;
  readonly #calls: CallResolver;
  #reachableCache: ReadonlySet<number> | undefined;

  constructor(file: number, deps: EvaluationDeps) {
    this.#file = file;
    this.#deps = deps;
    this.#evaluator = new Evaluator(file, deps);
    this.#calls = new CallResolver(this.#evaluator, () => this.#reachableFiles());
  }

  /** The resolved imports, in the order of the facts. */
  resolutions(): readonly Resolution[] {
    return this.#evaluator.binder.resolutions(this.#file);
  }

  /** The edge of a call, or an edge per candidate of an ambiguous call. */
  callEdges(call: CallFact): CallEdge[] {
    const target = this.#calls.resolve(this.#file, call);
    if (target.kind === "none") return [];
    const common = this.#location(call);
    if (target.kind === "edge") {
      const found = this.#resolvedEdge(target);
      if (found === undefined) return [];
      const { isLocal = false, aliasOf = [] } = target;
      const isPassed = (call.context & CALL_CONTEXT.handed) !== 0;
      const how = isPassed ? `${found.how}, passed as an argument` : found.how;
      return [{ ...common, ...found, how, aliasOf, isCandidate: false, isLocal }];
    }
    const confidence = 1 / (target.to.length + 1);
    const how = `one of ${target.to.length} methods of that name`;
    return target.to.map(({ file, index }) => ({
      ...common,
      to: { file, index },
      confidence,
      how,
      aliasOf: [],
      isCandidate: true,
      isLocal: false,
    }));
  }

  /** The targets of a call, without candidates. */
  occurrencesOf(call: CallFact): EdgeOccurrence[] {
    const target = this.#calls.resolve(this.#file, call);
    const found = target.kind === "edge" ? this.#resolvedEdge(target) : undefined;
    if (target.kind !== "edge" || found === undefined) return [];
    const { confidence } = found;
    return [found.to, ...(target.aliasOf ?? [])].map((to) => {
      const isRenamed = lastNameOf(call.chain) !== this.#deps.project.definition(to)?.name;
      return { to: to.file, type: "call", line: call.line, confidence, isRenamed };
    });
  }

  #location({ line, column, scope, context, chain }: CallFact) {
    return { file: this.#file, line, column, scope, name: lastNameOf(chain), context };
  }

  #resolvedEdge({
    tier,
    to,
  }: CallTarget & { readonly kind: "edge" }):
    | Pick<CallEdge, "to" | "confidence" | "how">
    | undefined {
    // Overloads are one target.
    const first = this.#deps.project.firstOutsideTests(to);
    if (first === undefined) return undefined;
    const ofTier = tierConfidence(this.#deps.project.language(this.#file), tier);
    const isInOneFile = to.every(({ file }) => file === first.file);
    const confidence = isInOneFile ? ofTier : Math.min(ofTier, SEVERAL_FILES_CONFIDENCE);
    return { to: { file: first.file, index: first.index }, confidence, how: TIERS[tier] };
  }

  /** References of a definition to types in other files. */
  referencesOf(index: number): EdgeOccurrence[] {
    const { line = 0 } = this.#deps.project.definition({ file: this.#file, index }) ?? {};
    return this.typesOf(index)
      .filter(({ file }) => file !== this.#file)
      .map(({ file }) => ({ to: file, type: "reference", line }));
  }

  /** The definitions that a chain refers to in a scope; a module file has the index -1. */
  meaningOf(scope: number, chain: string, line: number): DefinitionRef[] {
    return this.#definitionsIn(this.#evaluator.chain(this.#file, scope, chain, line));
  }

  /** The definitions that the file exports under a name. */
  exportedAs(name: string): DefinitionRef[] {
    const module: Module = { kind: "module", files: [this.#file], name: "", inside: -1 };
    return this.#definitionsIn(this.#evaluator.exportOf(module, name));
  }

  #definitionsIn(values: Values): DefinitionRef[] {
    return values.flatMap((value) => {
      if (value.kind === "definition") return [...followRename(this.#evaluator, value)];
      if (value.kind !== "module") return [];
      return value.files.map((file) => ({ file, index: value.inside }));
    });
  }

  /** The types that the declared type and the bases of a definition refer to. */
  typesOf(index: number): DefinitionRef[] {
    const one = this.#deps.project.definition({ file: this.#file, index });
    if (one === undefined) return [];
    return [one.type, ...one.bases].flatMap((written) => this.typeNamed(index, written));
  }

  /** The types that a text refers to in the scope of a definition. */
  typeNamed(index: number, written: string): DefinitionRef[] {
    const { project } = this.#deps;
    const one = project.definition({ file: this.#file, index });
    if (one === undefined) return [];
    return this.#evaluator
      .type(this.#file, scopeOfType(project, this.#file, one), written)
      .flatMap((value) => (value.kind === "instance" ? [value] : []));
  }

  /** The file, its imports, their imports, and their packages. */
  #reachableFiles(): ReadonlySet<number> {
    if (this.#reachableCache === undefined) {
      const { importTargets } = this.#deps;
      const reached = new Set([this.#file]);
      const addAll = (files: readonly number[]) => {
        for (const file of files) reached.add(file);
      };
      addAll(this.#package(this.#file));
      addAll(this.#visiblePackages());
      for (const to of new Set(importTargets(this.#file))) {
        reached.add(to);
        addAll(importTargets(to));
        addAll(this.#package(to));
      }
      this.#reachableCache = reached;
    }
    return this.#reachableCache;
  }

  /** The files of enclosing and used packages, including global usings, whose extension methods are visible. */
  #visiblePackages(): readonly number[] {
    const { project } = this.#deps;
    const key = project.packageOf(this.#file);
    if (key === undefined || !project.traits(this.#file).seesOuterPackages) return [];
    const enclosing = outerPackageKeys(key).flatMap((outer) => project.filesOfPackage(outer));
    const used = this.#evaluator.binder.wildcards(this.#file);
    return [
      ...enclosing,
      ...used.flatMap(({ module }) => (module.kind === "module" ? module.files : [])),
    ];
  }

  /** The files of the same package. */
  #package(file: number): readonly number[] {
    const { project } = this.#deps;
    const key = project.packageOf(file);
    return key === undefined ? [] : project.filesOfPackage(key);
  }
}
