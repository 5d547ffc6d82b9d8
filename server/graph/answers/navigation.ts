/** Definition, incoming calls and outgoing calls of the name at a position, for editors. */

import type { CallFact, DefinitionFact } from "../../contracts/facts.ts";
import type { Graph } from "../graph.ts";
import { type DefinitionRef, isSameDefinition, type Project } from "../project/project.ts";
import { lastNameOf } from "../resolve/chain.ts";
import type { CallEdge } from "../resolve/file-view.ts";
import { isSameFunction } from "../resolve/overloads.ts";
import { definitionsOnLine } from "./name-columns.ts";

/** The name at a position; `chain` includes its receiver. */
interface NameAt {
  readonly line: number;
  readonly column: number;
  readonly chain: string;
  /** The text of the whole line. */
  readonly text: string;
}

const CONTAINERS: ReadonlySet<DefinitionFact["kind"]> = new Set([
  "class",
  "interface",
  "function",
  "namespace",
  "extension",
]);

/**
 * The definitions that a name refers to: the definition itself at its own name, the target of a call, all candidates of an
 * ambiguous call, and otherwise the binding of the name in its scope. A module file has the index -1.
 */
export function definitionsAt(graph: Graph, file: number, at: NameAt): readonly DefinitionRef[] {
  const facts = graph.project.facts(file);
  if (facts === undefined) return [];
  const name = lastNameOf(at.chain);
  const onLine = definitionsOnLine(graph.project, file, { line: at.line, text: at.text, name });
  const own = onLine.find(({ column }) => column === at.column);
  if (own !== undefined) return [{ file, index: own.index }];
  const isHere = (one: { line: number; column: number }) =>
    one.line === at.line && one.column === at.column;
  const calls = graph.callsOf(file, isHere);
  const sure = calls.filter(({ isCandidate }) => !isCandidate);
  if (sure.length > 0) return sure.map(({ to }) => to);
  const meant = graph.meaningOf(file, scopeAt(graph.project, file, at.line), at);
  if (facts.calls.some(isHere)) return meant.length > 0 ? meant : calls.map(({ to }) => to);
  const refs = onLine.map(({ index }) => ({ file, index }));
  return refs.length > 0 ? resolveNearDefinitions(graph, at.chain, refs, meant) : meant;
}

/** Resolves a name on a line that also defines it: to its declared type, to the definition, or to the binding in scope. */
function resolveNearDefinitions(
  graph: Graph,
  chain: string,
  refs: readonly DefinitionRef[],
  meant: readonly DefinitionRef[],
): readonly DefinitionRef[] {
  const { project } = graph;
  const name = lastNameOf(chain);
  const types = refs
    .filter((ref) => project.definition(ref)?.type.includes(name))
    .flatMap(({ file, index }) => graph.typesOf(file, index))
    .filter((ref) => project.definition(ref)?.name === name);
  if (types.length > 0) return types;
  // At the declaration of a type, its name does not refer to the constructor.
  const isOwn = (ref: DefinitionRef) =>
    (chain === name && isType(project.definition(ref))) ||
    meant.some((one) => isSameDefinition(one, ref));
  const own = refs.find(isOwn) ?? (meant.length === 0 ? refs[0] : undefined);
  return own === undefined ? meant : [own];
}

/** The function or type of a name that is defined on a line. */
export function callableOnLine(
  project: Project,
  file: number,
  { line, name }: { readonly line: number; readonly name: string },
): DefinitionRef | undefined {
  const { definitions = [] } = project.facts(file) ?? {};
  const index = definitions.findIndex(
    (one) => one.line === line && one.name === name && isCallableDefinition(one),
  );
  return index < 0 ? undefined : { file, index };
}

/** The calls of a definition, in steps. */
export function* incomingCalls(graph: Graph, target: DefinitionRef): Generator<void, CallEdge[]> {
  const found: CallEdge[] = [];
  for (const [file, anyName] of graph.fileEdges.referringFiles([target.file])) {
    found.push(...(yield* callsTo(graph, file, target, anyName)));
    yield;
  }
  return found;
}

/** The calls inside a definition, including nested functions. */
export function outgoingCalls(graph: Graph, caller: DefinitionRef): CallEdge[] {
  const { project } = graph;
  const { definitions = [] } = project.facts(caller.file) ?? {};
  const { hasOverloadSignatures } = project.traits(caller.file);
  const isCaller = (index: number) =>
    hasOverloadSignatures
      ? isSameFunction(project, { file: caller.file, index }, caller)
      : index === caller.index;
  const isInside = (scope: number) => {
    let at = scope;
    while (at >= 0 && !isCaller(at)) at = definitions[at]?.parent ?? -1;
    return at >= 0;
  };
  return graph
    .callsOf(caller.file, ({ scope }) => isInside(scope))
    .filter(({ isCandidate }) => !isCandidate);
}

/** The innermost named function or type around a call; index -1 at the top level. */
export function callerOf({ project }: Graph, { file, scope }: CallEdge): DefinitionRef {
  const { definitions = [] } = project.facts(file) ?? {};
  let at = scope;
  while (at >= 0 && !isCallableDefinition(definitions[at])) at = definitions[at]?.parent ?? -1;
  return { file, index: at };
}

/** Whether a definition can be the caller or the target of a call. */
export function isCallableDefinition(one: DefinitionFact | undefined): boolean {
  if (one === undefined || one.name === "") return false;
  return one.kind === "function" || isType(one);
}

function isType(one: DefinitionFact | undefined): boolean {
  return one?.kind === "class" || one?.kind === "interface";
}

/** The calls of one file. If only its own names can mean the definition, only its own calls. */
function* callsTo(
  graph: Graph,
  file: number,
  target: DefinitionRef,
  anyName: boolean,
): Generator<void, CallEdge[]> {
  const name = graph.project.definition(target)?.name;
  const isWanted = anyName ? undefined : ({ chain }: CallFact) => lastNameOf(chain) === name;
  const found = yield* graph.callsInSteps(file, isWanted);
  return found.filter(
    ({ to, aliasOf, isCandidate }) =>
      !isCandidate && [to, ...aliasOf].some((one) => isSameFunction(graph.project, one, target)),
  );
}

/** The innermost scope around a line; -1 at the top level. */
function scopeAt(project: Project, file: number, line: number): number {
  const { definitions = [] } = project.facts(file) ?? {};
  return definitions.findLastIndex(
    (one) => CONTAINERS.has(one.kind) && one.line <= line && line <= one.endLine,
  );
}
