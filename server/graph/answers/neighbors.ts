/** Callees and callers of the lines of a chunk: one hop, edges of high confidence only. */

import type { CallFact } from "../../contracts/facts.ts";
import type { Lines } from "../../contracts/model.ts";
import type { Graph } from "../graph.ts";
import type { DefinitionRef } from "../project/project.ts";
import { lastNameOf } from "../resolve/chain.ts";
import type { CallEdge } from "../resolve/file-view.ts";

/** Excludes tiers of low precision, such as calls that were resolved by the name of a method alone. */
const MIN_CONFIDENCE = 0.9;
/** Limits the files that are searched for callers. */
const MAX_CALLING_FILES = 8;

/** Distinct callees in the order of the calls, then callers, without definitions on the lines themselves. Lazy. */
export function* neighborsOf(
  graph: Graph,
  file: number,
  lines: Lines,
): Generator<DefinitionRef, void> {
  const { project } = graph;
  const isHere = (ref: DefinitionRef) =>
    ref.file === file && isWithin(project.definition(ref)?.line ?? -1, lines);
  const seen = new Set<string>();
  for (const ref of connected(graph, file, lines, isHere)) {
    const key = `${ref.file}:${ref.index}`;
    if (isHere(ref) || seen.has(key)) continue;
    seen.add(key);
    yield ref;
  }
}

function* connected(
  graph: Graph,
  file: number,
  lines: Lines,
  isHere: (ref: DefinitionRef) => boolean,
): Generator<DefinitionRef, void> {
  const { project } = graph;
  for (const edge of graph.eachCall(file, ({ line }) => isWithin(line, lines))) {
    if (isSure(edge)) yield edge.to;
  }
  const own = (project.facts(file)?.definitions ?? []).filter(({ line }) => isWithin(line, lines));
  const names = [...new Set(own.map(({ name }) => name))];
  const lastLetters = new Set(names.map((name) => name.charCodeAt(name.length - 1)));
  // Comparing the last letter first skips most of the calls.
  const isCallOfOwn = ({ chain }: CallFact) =>
    lastLetters.has(chain.charCodeAt(chain.length - 1)) && endsInOneOf(names, chain);
  for (const other of callingFiles(graph, file)) {
    for (const edge of graph.eachCall(other, isCallOfOwn)) {
      const isCaller = isSure(edge) && edge.scope >= 0 && isHere(edge.to);
      if (isCaller) yield { file: edge.file, index: edge.scope };
    }
  }
}

function endsInOneOf(names: readonly string[], chain: string): boolean {
  return names.some((name) => chain.endsWith(name) && lastNameOf(chain) === name);
}

function callingFiles(graph: Graph, file: number): number[] {
  // `to` is ordered by path, so that a reloaded index selects the same files.
  const dependents = [...graph.fileEdges.to(file).values()];
  const calling = dependents.filter(({ types }) => types.has("call")).map((edge) => edge.file);
  return [file, ...calling.slice(0, MAX_CALLING_FILES)];
}

function isSure({ confidence, isCandidate, isLocal }: CallEdge): boolean {
  return !isCandidate && !isLocal && confidence >= MIN_CONFIDENCE;
}

function isWithin(line: number, { start, end }: Lines): boolean {
  return start <= line && line <= end;
}
