/** The graph of a workspace: import edges and calls, from the facts of its files. Start reading here. */

import { CallResolver } from "./calls.ts";
import { confidenceOf, TIERS } from "./confidence.ts";
import { Evaluator } from "./evaluator.ts";
import { FileEdges } from "./file-edges.ts";
import { createRulesOf } from "./languages.ts";
import { type DefinitionRef, Project, type ProjectFile } from "./project.ts";
import type { Resolution } from "./rules.ts";

export interface ImportEdge {
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly kind: string;
  readonly how: string;
}

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
  /** Whether it is only one of several that could be meant. */
  readonly isCandidate: boolean;
}

export class Graph {
  readonly project: Project;
  readonly #evaluator: Evaluator;
  readonly #calls: CallResolver;
  #fileEdges: FileEdges | undefined;
  readonly #reachable = new Map<number, ReadonlySet<number>>();

  constructor(files: readonly ProjectFile[]) {
    this.project = new Project(files);
    const rulesOf = createRulesOf(this.project);
    this.#evaluator = new Evaluator(this.project, rulesOf);
    this.#calls = new CallResolver(this.#evaluator, (file) => this.#reach(file));
  }

  resolutions(file: number): readonly Resolution[] {
    return this.#evaluator.binder.resolutions(file);
  }

  importsOf(file: number): ImportEdge[] {
    const statements = this.project.facts(file)?.imports ?? [];
    const edges: ImportEdge[] = [];
    this.resolutions(file).forEach(({ files, how }, i) => {
      const { line = 0, kind = "import" } = statements[i] ?? {};
      for (const to of files) if (to !== file) edges.push({ from: file, to, line, kind, how });
    });
    return edges;
  }

  callsOf(file: number): CallEdge[] {
    const facts = this.project.facts(file);
    return (facts?.calls ?? []).flatMap((call): CallEdge[] => {
      const target = this.#calls.resolve(file, call);
      if (target.kind === "none") return [];
      const { line, column, scope, context, chain } = call;
      const name = /([^.()[\]#;]+)$/.exec(chain)?.[1] ?? chain;
      const common = { file, line, column, scope, name, context };
      if (target.kind === "candidates") {
        const confidence = 1 / (target.to.length + 1);
        const how = `one of ${target.to.length} methods of that name`;
        return target.to.map((to) => ({ ...common, to, confidence, how, isCandidate: true }));
      }
      const confidence = confidenceOf(facts?.language ?? "", target.tier);
      const how = TIERS[target.tier];
      // Overloads are one target.
      return target.to
        .slice(0, 1)
        .map((to) => ({ ...common, to, confidence, how, isCandidate: false }));
    });
  }

  /** Files whose types a file names: of variables, parameters, results and bases. */
  referencesOf(file: number): { readonly to: number; readonly line: number }[] {
    const definitions = this.project.facts(file)?.definitions ?? [];
    return definitions.flatMap(({ type, bases, parent, line }) =>
      [type, ...bases].flatMap((written) =>
        this.#evaluator
          .type(file, parent, written)
          .flatMap((value) =>
            value.kind === "instance" && value.file !== file ? [{ to: value.file, line }] : [],
          ),
      ),
    );
  }

  /** How files depend on each other. */
  get fileEdges(): FileEdges {
    this.#fileEdges ??= new FileEdges(this);
    return this.#fileEdges;
  }

  /** The file itself, what it imports, what those import, and its package. */
  #reach(file: number): ReadonlySet<number> {
    const known = this.#reachable.get(file);
    if (known !== undefined) return known;
    const reached = new Set([file, ...this.#evaluator.siblings(file)]);
    const direct = this.importsOf(file).map(({ to }) => to);
    for (const to of direct) {
      reached.add(to);
      for (const sibling of this.#evaluator.siblings(to)) reached.add(sibling);
      for (const { to: next } of this.importsOf(to)) reached.add(next);
    }
    this.#reachable.set(file, reached);
    return reached;
  }
}

/** `Class.method`, as far as the file says. */
export function qualifiedName(project: Project, { file, index }: DefinitionRef): string {
  const definitions = project.facts(file)?.definitions ?? [];
  const names: string[] = [];
  for (let at = index; at >= 0; at = definitions[at]?.parent ?? -1) {
    const one = definitions[at];
    if (one === undefined) break;
    if (one.name !== "") names.unshift(one.owner === "" ? one.name : `${one.owner}.${one.name}`);
  }
  return names.join(".");
}
