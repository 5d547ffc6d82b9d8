/** What a name at a place of a file means, where a definition is named, and who calls whom: for editors that point at names. */

import type { CallFact, DefinitionFact } from "../contracts/facts.ts";
import { lastNameOf } from "./chain.ts";
import type { Graph } from "./graph.ts";
import { type DefinitionRef, isSame, type Project } from "./project.ts";
import type { CallEdge } from "./view.ts";

/** A name in a file; `chain` is the name with what it is asked of. */
interface NameAt {
  readonly line: number;
  readonly column: number;
  readonly chain: string;
}

/** A place at which a definition is named; the column of an import or a type is not known. */
export interface Mention {
  readonly file: number;
  readonly line: number;
  readonly column: number | undefined;
  readonly name: string;
}

const CONTAINERS: ReadonlySet<DefinitionFact["kind"]> = new Set([
  "class",
  "interface",
  "function",
  "namespace",
  "extension",
]);

/**
 * What the name means: itself where it is being defined, the target of the call that it is, else what the scopes around it say.
 * Of a call that several methods could answer, all of these. A file as a whole has the index -1.
 */
export function definitionsAt(graph: Graph, file: number, at: NameAt): readonly DefinitionRef[] {
  const own = definedAt(graph.project, file, at);
  if (own !== undefined) return [own];
  const isHere = (one: { line: number; column: number }) =>
    one.line === at.line && one.column === at.column;
  const calls = graph.callsOf(file, isHere);
  const sure = calls.filter(({ isCandidate }) => !isCandidate);
  if (sure.length > 0) return sure.map(({ to }) => to);
  const meant = graph.meaningOf(file, scopeAt(graph.project, file, at.line), at);
  return meant.length > 0 ? meant : calls.map(({ to }) => to);
}

/** The definition whose name is on that line. */
export function definedAt(
  project: Project,
  file: number,
  { line, chain }: Pick<NameAt, "line" | "chain">,
): DefinitionRef | undefined {
  const name = lastNameOf(chain);
  const { definitions = [] } = project.facts(file) ?? {};
  const index = definitions.findIndex(
    (one) => one.line === line && one.name === name && one.kind !== "return",
  );
  return index < 0 ? undefined : { file, index };
}

/** Calls, imports and type annotations that name a definition, by their files' paths, in steps. */
export function* mentionsOf(graph: Graph, target: DefinitionRef): Generator<void, Mention[]> {
  const found: Mention[] = [];
  for (const [file, isAnyName] of graph.fileEdges.naming([target.file])) {
    found.push(...importMentions(graph, file, target), ...typeMentions(graph, file, target));
    found.push(...(yield* callsTo(graph, file, target, isAnyName)));
    yield;
  }
  return found;
}

/** Calls of a definition, in steps. */
export function* incomingCalls(graph: Graph, target: DefinitionRef): Generator<void, CallEdge[]> {
  const found: CallEdge[] = [];
  for (const [file, isAnyName] of graph.fileEdges.naming([target.file])) {
    found.push(...(yield* callsTo(graph, file, target, isAnyName)));
    yield;
  }
  return found;
}

/** The calls inside a definition, also those of functions in it. */
export function outgoingCalls(graph: Graph, caller: DefinitionRef): CallEdge[] {
  const { definitions = [] } = graph.project.facts(caller.file) ?? {};
  const isInside = (scope: number) => {
    let at = scope;
    while (at >= 0 && at !== caller.index) at = definitions[at]?.parent ?? -1;
    return at === caller.index;
  };
  return graph
    .callsOf(caller.file, ({ scope }) => isInside(scope))
    .filter(({ isCandidate }) => !isCandidate);
}

/** The named definition that a call is in; index -1 at the top of its file. */
export function callerOf({ project }: Graph, { file, scope }: CallEdge): DefinitionRef {
  const { definitions = [] } = project.facts(file) ?? {};
  let at = scope;
  while (at >= 0 && !isCallable(definitions[at])) at = definitions[at]?.parent ?? -1;
  return { file, index: at };
}

/** Whether calls begin or end there. */
export function isCallable(one: DefinitionFact | undefined): boolean {
  if (one === undefined || one.name === "") return false;
  return one.kind === "function" || one.kind === "class" || one.kind === "interface";
}

function* callsTo(
  graph: Graph,
  file: number,
  target: DefinitionRef,
  isAnyName: boolean,
): Generator<void, CallEdge[]> {
  const name = graph.project.definition(target)?.name;
  const isWanted = isAnyName ? undefined : ({ chain }: CallFact) => lastNameOf(chain) === name;
  const found = yield* graph.callsInSteps(file, isWanted);
  return found.filter(({ to, isCandidate }) => !isCandidate && isSame(to, target));
}

function importMentions(graph: Graph, file: number, target: DefinitionRef): Mention[] {
  const wanted = graph.project.definition(target)?.name ?? "";
  return graph.project.imports(file).flatMap(({ names, line, scope }) =>
    names.flatMap(({ name, alias }): Mention[] => {
      if (name !== wanted && alias !== wanted) return [];
      const bound = graph.meaningOf(file, scope, { line, chain: alias === "" ? wanted : alias });
      return bound.some((ref) => isSame(ref, target))
        ? [{ file, line, column: undefined, name: name ?? alias }]
        : [];
    }),
  );
}

function typeMentions(graph: Graph, file: number, target: DefinitionRef): Mention[] {
  const { definitions = [] } = graph.project.facts(file) ?? {};
  const name = graph.project.definition(target)?.name ?? "";
  return definitions.flatMap(({ type, bases, line }, index): Mention[] => {
    if (!type.includes(name) && bases.every((base) => !base.includes(name))) return [];
    const isNamed = graph.typesOf(file, index).some((ref) => isSame(ref, target));
    return isNamed ? [{ file, line, column: undefined, name }] : [];
  });
}

/** The innermost definition around a line. */
function scopeAt(project: Project, file: number, line: number): number {
  const { definitions = [] } = project.facts(file) ?? {};
  return definitions.findLastIndex(
    (one) => CONTAINERS.has(one.kind) && one.line <= line && line <= one.endLine,
  );
}
