/** Callers and callees of the definitions that a name matches. */

import { dottedName, lastSegment } from "../../common/dotted-name.ts";
import { createWorkCounter } from "../../common/work-counter.ts";
import type { CallFact, ImportFact } from "../../contracts/facts.ts";
import type { Graph } from "../graph.ts";
import { type DefinitionRef, isSameDefinition, type Project } from "../project/project.ts";
import { lastNameOf } from "../resolve/chain.ts";
import type { CallEdge } from "../resolve/file-view.ts";
import { type NameQuery, parseNameQuery } from "./name-query.ts";

/** Files per step of a scan over all files. */
const STEP_FILES = 50;

/** The calls of the definitions that a name matches, ordered by file, in steps. */
export function* callersOf(graph: Graph, name: string): Generator<void, CallEdge[]> {
  const edges = graph.fileEdges;
  const query = parseNameQuery(graph, name);
  const exported = yield* exportedUnderName(graph, query.last);
  const defining = [...(yield* definingFiles(graph, query)), ...exported.map(({ file }) => file)];
  const files = edges.referringFiles(defining);
  const matchesQuery = (edge: CallEdge) =>
    [edge.to, ...edge.aliasOf].some((one) => query.matches(one)) || isExportedTarget(edge);
  const isExportedTarget = ({ name: called, to }: CallEdge) =>
    called === query.last && exported.some((one) => isSameDefinition(one, to));
  const hasCalledName = ({ chain }: CallFact) =>
    lastSegment(dottedName(lastNameOf(chain))) === query.last;
  const found: CallEdge[] = [];
  for (const file of sortByPath(graph, files.keys())) {
    const anyName = files.get(file) === true;
    const calls = yield* graph.callsInSteps(file, anyName ? undefined : hasCalledName);
    found.push(...calls.filter(matchesQuery));
    yield;
  }
  return found;
}

/** The calls inside the definitions that a name matches, including nested definitions, ordered by file, in steps. */
export function* calleesOf(graph: Graph, name: string): Generator<void, CallEdge[]> {
  const { project } = graph;
  const query = parseNameQuery(graph, name);
  const found: CallEdge[] = [];
  for (const file of sortByPath(graph, yield* definingFiles(graph, query))) {
    const calls = yield* graph.callsInSteps(file);
    found.push(
      ...calls.filter(({ scope }) =>
        enclosing(project, file, scope).some((one) => query.matches(one)),
      ),
    );
    yield;
  }
  return found;
}

/** A definition and the definitions around it, innermost first; empty for the top level of a file. */
function enclosing(project: Project, file: number, scope: number): DefinitionRef[] {
  const definitions = project.facts(file)?.definitions ?? [];
  const found: DefinitionRef[] = [];
  for (let index = scope; index >= 0; index = definitions[index]?.parent ?? -1)
    found.push({ file, index });
  return found;
}

/** Definitions that a file exports under a name that differs from their own: `export { open as openShop }`. */
function* exportedUnderName(graph: Graph, name: string): Generator<void, DefinitionRef[]> {
  const { project } = graph;
  const found: DefinitionRef[] = [];
  const isStep = createWorkCounter(STEP_FILES);
  for (const file of project.files) {
    if (isStep(1)) yield;
    if (!project.mayContainName(file, name)) continue;
    const isOther = ({ kind, names }: ImportFact) =>
      kind === "reexport" && names.some((one) => one.alias === name && one.name !== name);
    if (name === "default" || !project.facts(file)?.imports.some(isOther)) continue;
    found.push(...graph.view(file).exportedAs(name));
  }
  return found;
}

/** The files with a definition of the name that the query ends with. */
function* definingFiles({ project }: Graph, { last }: NameQuery): Generator<void, number[]> {
  const found: number[] = [];
  const isStep = createWorkCounter(STEP_FILES);
  for (const file of project.files) {
    if (isStep(1)) yield;
    if (!project.mayContainName(file, last) && !project.mayContainName(file, `#${last}`)) continue;
    const isNamed = ({ name }: { readonly name: string }) => name === last || name === `#${last}`;
    if (project.facts(file)?.definitions.some(isNamed)) found.push(file);
  }
  return found;
}

function sortByPath({ project }: Graph, files: Iterable<number>): number[] {
  return [...files].toSorted((a, b) => (project.path(a) < project.path(b) ? -1 : 1));
}
