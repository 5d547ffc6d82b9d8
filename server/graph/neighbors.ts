/** What some lines of a file call, and what calls a definition in them: one step, and only edges that are sure. */

import type { CallFact } from "../contracts/facts.ts";
import type { Lines } from "../contracts/model.ts";
import { lastNameOf } from "./chain.ts";
import type { Graph } from "./graph.ts";
import type { DefinitionRef } from "./project.ts";
import type { CallEdge } from "./view.ts";

/** Of such edges, more than nine of ten are right. */
const MIN_CONFIDENCE = 0.9;
/** Files that are looked into for callers. */
const MAX_CALLING_FILES = 8;

/** Callees in the order of the calls, then callers; each once, and none of these lines themselves. */
export function neighborsOf(graph: Graph, file: number, lines: Lines): DefinitionRef[] {
  const { project } = graph;
  const isHere = (ref: DefinitionRef) =>
    ref.file === file && isWithin(project.definition(ref)?.line ?? -1, lines);
  const callees = graph
    .callsOf(file, ({ line }) => isWithin(line, lines))
    .filter(isSure)
    .map(({ to }) => to);
  const own = (project.facts(file)?.definitions ?? []).filter(({ line }) => isWithin(line, lines));
  const names = new Set(own.map(({ name }) => name));
  // Every call of a file is looked at: most end in another letter.
  const lastLetters = new Set([...names].map((name) => name.at(-1)));
  const isCallOfOwn = ({ chain }: CallFact) =>
    lastLetters.has(chain.at(-1)) && names.has(lastNameOf(chain));
  const callers = callingFiles(graph, file)
    .flatMap((other) => graph.callsOf(other, isCallOfOwn))
    .filter((edge) => isSure(edge) && edge.scope >= 0 && isHere(edge.to))
    .map((edge): DefinitionRef => ({ file: edge.file, index: edge.scope }));
  const all = new Map(
    [...callees, ...callers].map((ref) => [`${ref.file}:${ref.index}`, ref] as const),
  );
  return [...all.values()].filter((ref) => !isHere(ref));
}

function callingFiles(graph: Graph, file: number): number[] {
  const others = [...graph.fileEdges.to(file).values()].filter(({ types }) => types.has("call"));
  return [file, ...others.map((edge) => edge.file).slice(0, MAX_CALLING_FILES)];
}

function isSure({ confidence, isCandidate }: CallEdge): boolean {
  return !isCandidate && confidence >= MIN_CONFIDENCE;
}

function isWithin(line: number, { start, end }: Lines): boolean {
  return start <= line && line <= end;
}
