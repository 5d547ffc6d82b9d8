/** What a name at a place of a file means, and who calls whom: for editors that point at names. */

import type { CallFact, DefinitionFact } from "../../contracts/facts.ts";
import type { Graph } from "../graph.ts";
import { type DefinitionRef, isSame, type Project } from "../project/project.ts";
import { lastNameOf } from "../resolve/chain.ts";
import { isSameFunction } from "../resolve/overloads.ts";
import type { CallEdge } from "../resolve/view.ts";
import { definitionsOnLine } from "./names-on-line.ts";

/** A name in a file; `chain` is the name with what it is asked of. */
interface NameAt {
  readonly line: number;
  readonly column: number;
  readonly chain: string;
  /** The whole line. */
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
 * What the name means: itself where it is being defined, the target of the call that it is, else what the scopes around it say.
 * Of a call that several methods could answer, all of these. A file as a whole has the index -1.
 */
export function definitionsAt(graph: Graph, file: number, at: NameAt): readonly DefinitionRef[] {
  const facts = graph.project.facts(file);
  if (facts === undefined) return [];
  const name = lastNameOf(at.chain);
  const onLine = definitionsOnLine(facts, { line: at.line, text: at.text, name });
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
  return refs.length > 0 ? besideDefinitions(graph, at.chain, refs, meant) : meant;
}

/** What a name is on a line that also defines it: the written type, the definition itself, or what the scopes say. */
function besideDefinitions(
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
  // In the head of a type, its name is no constructor.
  const isOwn = (ref: DefinitionRef) =>
    (chain === name && isType(project.definition(ref))) || meant.some((one) => isSame(one, ref));
  const own = refs.find(isOwn) ?? (meant.length === 0 ? refs[0] : undefined);
  return own === undefined ? meant : [own];
}

/** The function or type whose name is on that line. */
export function callableOnLine(
  project: Project,
  file: number,
  { line, name }: { readonly line: number; readonly name: string },
): DefinitionRef | undefined {
  const { definitions = [] } = project.facts(file) ?? {};
  const index = definitions.findIndex(
    (one) => one.line === line && one.name === name && isCallable(one),
  );
  return index < 0 ? undefined : { file, index };
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

/** Languages in which one of several functions of a name has a body, and the others are its signatures. */
const HAVE_SIGNATURES: ReadonlySet<string> = new Set(["typescript", "tsx"]);

/** The calls inside a definition, also those of functions in it. */
export function outgoingCalls(graph: Graph, caller: DefinitionRef): CallEdge[] {
  const { project } = graph;
  const { definitions = [] } = project.facts(caller.file) ?? {};
  const hasSignatures = HAVE_SIGNATURES.has(project.language(caller.file));
  const isCaller = (index: number) =>
    hasSignatures
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
  return one.kind === "function" || isType(one);
}

function isType(one: DefinitionFact | undefined): boolean {
  return one?.kind === "class" || one?.kind === "interface";
}

/** Those of one file; where not any name may be the definition's, of its own. */
function* callsTo(
  graph: Graph,
  file: number,
  target: DefinitionRef,
  isAnyName: boolean,
): Generator<void, CallEdge[]> {
  const name = graph.project.definition(target)?.name;
  const isWanted = isAnyName ? undefined : ({ chain }: CallFact) => lastNameOf(chain) === name;
  const found = yield* graph.callsInSteps(file, isWanted);
  return found.filter(
    ({ to, real, isCandidate }) =>
      !isCandidate && [to, ...real].some((one) => isSameFunction(graph.project, one, target)),
  );
}

/** The innermost definition around a line. */
function scopeAt(project: Project, file: number, line: number): number {
  const { definitions = [] } = project.facts(file) ?? {};
  return definitions.findLastIndex(
    (one) => CONTAINERS.has(one.kind) && one.line <= line && line <= one.endLine,
  );
}
