/** Who calls a definition, and what it calls, by its name. */

import { dottedName } from "../../common/dotted-name.ts";
import { createStep } from "../../common/step.ts";
import type { CallFact, ImportFact } from "../../contracts/facts.ts";
import type { Graph } from "../graph.ts";
import { type DefinitionRef, isSame, type Project } from "../project/project.ts";
import { lastNameOf } from "../resolve/chain.ts";
import type { CallEdge } from "../resolve/file-view.ts";
import { lastOf, type NameQuery, parseNameQuery } from "./name-query.ts";

/** Files whose texts are looked at between two pauses. */
const STEP_FILES = 50;

/** Calls of the definitions that a name means, in steps. */
export function* callersOf(graph: Graph, name: string): Generator<void, CallEdge[]> {
  const edges = graph.fileEdges;
  const asked = parseNameQuery(graph, name);
  const exported = yield* exportedAs(graph, asked.last);
  const defining = [...(yield* definingFiles(graph, asked)), ...exported.map(({ file }) => file)];
  const files = edges.naming(defining);
  const isMeant = (edge: CallEdge) =>
    [edge.to, ...edge.real].some((one) => asked.matches(one)) || isExported(edge);
  const isExported = ({ name: called, to }: CallEdge) =>
    called === asked.last && exported.some((one) => isSame(one, to));
  const isCalledSo = ({ chain }: CallFact) => lastOf(dottedName(lastNameOf(chain))) === asked.last;
  const found: CallEdge[] = [];
  for (const file of inOrder(graph, files.keys())) {
    const isAnyName = files.get(file) === true;
    const calls = yield* graph.callsInSteps(file, isAnyName ? undefined : isCalledSo);
    found.push(...calls.filter(isMeant));
    yield;
  }
  return found;
}

/** Calls inside the definitions that a name means, those of what they contain among them, in steps. */
export function* calleesOf(graph: Graph, name: string): Generator<void, CallEdge[]> {
  const { project } = graph;
  const asked = parseNameQuery(graph, name);
  const found: CallEdge[] = [];
  for (const file of inOrder(graph, yield* definingFiles(graph, asked))) {
    const calls = yield* graph.callsInSteps(file);
    found.push(
      ...calls.filter(({ scope }) =>
        around(project, file, scope).some((one) => asked.matches(one)),
      ),
    );
    yield;
  }
  return found;
}

/** A definition and those that contain it; none for the top level of a file. */
function around(project: Project, file: number, scope: number): DefinitionRef[] {
  const definitions = project.facts(file)?.definitions ?? [];
  const found: DefinitionRef[] = [];
  for (let index = scope; index >= 0; index = definitions[index]?.parent ?? -1)
    found.push({ file, index });
  return found;
}

/** Definitions that a file exports by another name: `export { open as openShop }`. */
function* exportedAs(graph: Graph, name: string): Generator<void, DefinitionRef[]> {
  const { project } = graph;
  const found: DefinitionRef[] = [];
  const isStep = createStep(STEP_FILES);
  for (const file of project.files) {
    if (isStep(1)) yield;
    if (!project.mayName(file, name)) continue;
    const isOther = ({ kind, names }: ImportFact) =>
      kind === "reexport" && names.some((one) => one.alias === name && one.name !== name);
    if (name === "default" || !project.facts(file)?.imports.some(isOther)) continue;
    found.push(...graph.view(file).exportedAs(name));
  }
  return found;
}

/** Files that define something by the last part of a name. */
function* definingFiles({ project }: Graph, { last }: NameQuery): Generator<void, number[]> {
  const found: number[] = [];
  const isStep = createStep(STEP_FILES);
  for (const file of project.files) {
    if (isStep(1)) yield;
    if (!project.mayName(file, last) && !project.mayName(file, `#${last}`)) continue;
    const isNamed = ({ name }: { readonly name: string }) => name === last || name === `#${last}`;
    if (project.facts(file)?.definitions.some(isNamed)) found.push(file);
  }
  return found;
}

function inOrder({ project }: Graph, files: Iterable<number>): number[] {
  return [...files].toSorted((a, b) => (project.path(a) < project.path(b) ? -1 : 1));
}
