/** Answers the call hierarchy of an editor: the functions and types that a name means, their callers and their callees. */

import { join } from "node:path";
import { inSlices } from "../../common/slices.ts";
import type {
  CallEnd,
  CallsOfOne,
  CallsRequestOfOne,
  WrittenName,
} from "../../contracts/navigation.ts";
import {
  callableOnLine,
  callerOf,
  definitionsAt,
  incomingCalls,
  isCallableDefinition,
  outgoingCalls,
} from "../../graph/answers/navigation.ts";
import { qualifiedName } from "../../graph/graph.ts";
import type { DefinitionRef } from "../../graph/project/project.ts";
import type { CallEdge } from "../../graph/resolve/file-view.ts";
import { uniqueFunctions } from "../../graph/resolve/overloads.ts";
import { type GraphOf, locateFile, preparedGraphOf, resolvedGraphOf } from "./folder-graph.ts";
import {
  type Located,
  type NavigationContext,
  placeOfText,
  places,
  readLine,
} from "./name-places.ts";

/** `resolvedGraphOf` finds edges from other files; the default resolves only the file itself. */
async function find(
  context: NavigationContext,
  path: string,
  graphOf: GraphOf = preparedGraphOf,
): Promise<Located> {
  const { folder, graph, file } = await locateFile(context.folders, path, { graphOf });
  return { context, folder, graph, file };
}

/** The functions and types that a name may refer to. */
export async function callEnds(
  context: NavigationContext,
  name: WrittenName,
): Promise<readonly CallEnd[]> {
  const located = await find(context, name.path);
  const { project } = located.graph;
  const all = (await meant(located, name)).filter((ref) =>
    isCallableDefinition(project.definition(ref)),
  );
  const refs = uniqueFunctions(project, all);
  return (await Promise.all(refs.map((ref) => callEnd(located, ref)))).flat();
}

export async function callsOfOne(
  context: NavigationContext,
  { direction, end }: CallsRequestOfOne,
): Promise<readonly CallsOfOne[]> {
  const isIncoming = direction === "incoming";
  const graphOf = isIncoming ? resolvedGraphOf : preparedGraphOf;
  const located = await find(context, join(end.root, end.path), graphOf);
  const { graph, file } = located;
  const ref = callableOnLine(graph.project, file, end);
  if (ref === undefined) return [];
  const edges = isIncoming ? await inSlices(incomingCalls(graph, ref)) : outgoingCalls(graph, ref);
  const otherOf = (edge: CallEdge) => (isIncoming ? callerOf(graph, edge) : edge.to);
  return (await Promise.all(byOther(edges, otherOf).map((one) => callsOf(located, one)))).flat();
}

async function meant(located: Located, name: WrittenName): Promise<readonly DefinitionRef[]> {
  const { graph, file } = located;
  const text = await readLine(located, file, name.line);
  return definitionsAt(graph, file, { ...name, text });
}

interface EdgesOfOther {
  readonly other: DefinitionRef;
  readonly edges: readonly CallEdge[];
}

function byOther(
  edges: readonly CallEdge[],
  otherOf: (edge: CallEdge) => DefinitionRef,
): EdgesOfOther[] {
  const groups = new Map<string, { other: DefinitionRef; edges: CallEdge[] }>();
  for (const edge of edges) {
    const other = otherOf(edge);
    const key = `${other.file}:${other.index}`;
    const group = groups.get(key) ?? { other, edges: [] };
    groups.set(key, group);
    group.edges.push(edge);
  }
  return [...groups.values()];
}

async function callsOf(located: Located, { other, edges }: EdgesOfOther): Promise<CallsOfOne[]> {
  const [end] = await callEnd(located, other);
  if (end === undefined) return [];
  const written = await Promise.all(
    edges.map(({ file, line, name, column }) => placeOfText(located, file, line, name, column)),
  );
  return [{ other: end, places: written.flat() }];
}

async function callEnd(located: Located, ref: DefinitionRef): Promise<CallEnd[]> {
  const { project } = located.graph;
  const definition = project.definition(ref);
  const [place] = await places(located, [ref]);
  if (place === undefined) return [];
  if (definition === undefined)
    return [{ ...place, kind: "file", qualifiedName: place.path, endLine: 0 }];
  const around = project.definition({ file: ref.file, index: definition.parent });
  const isMethod = definition.owner !== "" || (around !== undefined && around.kind !== "function");
  const kind =
    definition.kind === "class" || definition.kind === "interface"
      ? definition.kind
      : isMethod && around?.kind !== "namespace"
        ? "method"
        : "function";
  const { name, endLine } = definition;
  return [{ ...place, name, kind, qualifiedName: qualifiedName(project, ref), endLine }];
}
