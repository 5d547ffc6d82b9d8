/** What one file says of others, resolved afresh: what is found does not depend on what was asked before. */

import { CALL_CONTEXT, type CallFact } from "../../contracts/facts.ts";
import type { Occurrence } from "../project/file-edges.ts";
import { packageKey } from "../project/package-key.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import { followRename } from "./aliases.ts";
import { CallResolver, type CallTarget } from "./calls.ts";
import { lastNameOf } from "./chain.ts";
import { TIERS, tierConfidence } from "./confidence.ts";
import { Evaluator } from "./evaluator.ts";
import type { Resolution, Rules } from "./rules.ts";
import { scopeOfType } from "./self-types.ts";
import type { Module, Values } from "./values.ts";

export interface CallEdge {
  readonly file: number;
  readonly line: number;
  readonly column: number;
  /** The definition that calls; -1 at the top of the file. */
  readonly scope: number;
  readonly name: string;
  readonly to: DefinitionRef;
  readonly confidence: number;
  readonly how: string;
  readonly context: number;
  /** What the target is another name of. */
  readonly real: readonly DefinitionRef[];
  /** Whether it is only one of several that could be meant. */
  readonly isCandidate: boolean;
  /** Whether it only leads from a function to what is defined in it: to those who call and not to what depends on what. */
  readonly isLocal: boolean;
}

/** What a view asks about other files. */
export interface ViewDeps {
  readonly project: Project;
  rulesOf(file: number): Rules;
  /** Files that another one imports. */
  importTargets(file: number): readonly number[];
}

/** For overloads in several files: in googletest, half of 1,290 such calls meant the first overload. */
const SEVERAL_FILES_CONFIDENCE = 0.5;

export class FileView {
  readonly #file: number;
  readonly #deps: ViewDeps;
  readonly #evaluator: Evaluator;
  readonly #calls: CallResolver;
  #reached: ReadonlySet<number> | undefined;

  constructor(file: number, deps: ViewDeps) {
    this.#file = file;
    this.#deps = deps;
    this.#evaluator = new Evaluator(deps.project, {
      from: file,
      rulesOf: (other) => deps.rulesOf(other),
      importTargets: (other) => deps.importTargets(other),
    });
    this.#calls = new CallResolver(this.#evaluator, () => this.#reach());
  }

  /** Where the imports lead, in the order of the facts. */
  resolutions(): readonly Resolution[] {
    return this.#evaluator.binder.resolutions(this.#file);
  }

  /** The call as an edge, or each of several that could be meant. */
  callEdges(call: CallFact): CallEdge[] {
    const target = this.#calls.resolve(this.#file, call);
    if (target.kind === "none") return [];
    const common = this.#placeOf(call);
    if (target.kind === "edge") {
      const found = this.#sure(target);
      if (found === undefined) return [];
      const { isLocal = false, real = [] } = target;
      const isHanded = (call.context & CALL_CONTEXT.handed) !== 0;
      const how = isHanded ? `${found.how}, handed on` : found.how;
      return [{ ...common, ...found, how, real, isCandidate: false, isLocal }];
    }
    const confidence = 1 / (target.to.length + 1);
    const how = `one of ${target.to.length} methods of that name`;
    return target.to.map(({ file, index }) => ({
      ...common,
      to: { file, index },
      confidence,
      how,
      real: [],
      isCandidate: true,
      isLocal: false,
    }));
  }

  /** Where the call leads, without those that could only be meant. */
  occurrencesOf(call: CallFact): Occurrence[] {
    const target = this.#calls.resolve(this.#file, call);
    const found = target.kind === "edge" ? this.#sure(target) : undefined;
    if (target.kind !== "edge" || found === undefined) return [];
    const { confidence } = found;
    return [found.to, ...(target.real ?? [])].map((to) => {
      const isRenamed = lastNameOf(call.chain) !== this.#deps.project.definition(to)?.name;
      return { to: to.file, type: "call", line: call.line, confidence, isRenamed };
    });
  }

  #placeOf({ line, column, scope, context, chain }: CallFact) {
    return { file: this.#file, line, column, scope, name: lastNameOf(chain), context };
  }

  #sure({
    tier,
    to,
  }: CallTarget & { readonly kind: "edge" }):
    | Pick<CallEdge, "to" | "confidence" | "how">
    | undefined {
    // Overloads are one target.
    const first = this.#deps.project.firstReal(to);
    if (first === undefined) return undefined;
    const ofTier = tierConfidence(this.#deps.project.language(this.#file), tier);
    const isInOneFile = to.every(({ file }) => file === first.file);
    const confidence = isInOneFile ? ofTier : Math.min(ofTier, SEVERAL_FILES_CONFIDENCE);
    return { to: { file: first.file, index: first.index }, confidence, how: TIERS[tier] };
  }

  /** Of the definition of a number: the files whose types it names. */
  referencesOf(index: number): Occurrence[] {
    const { line = 0 } = this.#deps.project.definition({ file: this.#file, index }) ?? {};
    return this.typesOf(index)
      .filter(({ file }) => file !== this.#file)
      .map(({ file }) => ({ to: file, type: "reference", line }));
  }

  /** Definitions that a chain of names means at a place; a file as a whole has the index -1. */
  meaningOf(scope: number, chain: string, line: number): DefinitionRef[] {
    return this.#definitionsIn(this.#evaluator.chain(this.#file, scope, chain, line));
  }

  /** Definitions that the file gives to others by a name. */
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

  /** The types that the definition of a number names. */
  typesOf(index: number): DefinitionRef[] {
    const one = this.#deps.project.definition({ file: this.#file, index });
    if (one === undefined) return [];
    return [one.type, ...one.bases].flatMap((written) => this.typeNamed(index, written));
  }

  /** What is written as the type of a definition, or as a part of it. */
  typeNamed(index: number, written: string): DefinitionRef[] {
    const { project } = this.#deps;
    const one = project.definition({ file: this.#file, index });
    if (one === undefined) return [];
    return this.#evaluator
      .type(this.#file, scopeOfType(project, this.#file, one), written)
      .flatMap((value) => (value.kind === "instance" ? [value] : []));
  }

  /** The file itself, what it imports, what those import, and their packages. */
  #reach(): ReadonlySet<number> {
    if (this.#reached === undefined) {
      const { importTargets } = this.#deps;
      const reached = new Set([this.#file]);
      const addAll = (files: readonly number[]) => {
        for (const file of files) reached.add(file);
      };
      addAll(this.#package(this.#file));
      addAll(this.#usedNamespaces());
      for (const to of new Set(importTargets(this.#file))) {
        reached.add(to);
        addAll(importTargets(to));
        addAll(this.#package(to));
      }
      this.#reached = reached;
    }
    return this.#reached;
  }

  /** Of C#: a method that extends a type is used by the namespace alone; that of around, or one that the project names for all. */
  #usedNamespaces(): readonly number[] {
    if (this.#deps.project.language(this.#file) !== "csharp") return [];
    const { project } = this.#deps;
    const parts = project.packageName(this.#file).split(".");
    const around = parts.flatMap((_, count) =>
      project.filesOfPackage(packageKey("csharp", parts.slice(0, count).join("."))),
    );
    const used = this.#evaluator.binder.wildcards(this.#file);
    return [
      ...around,
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
