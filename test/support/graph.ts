/** A graph of a workspace that is written as one literal: `//- path` begins a file. */

import { decodeFacts, encodeFacts } from "../../server/contracts/encoded-facts.ts";
import { Graph, qualifiedName } from "../../server/graph/graph.ts";
import type { ProjectOptions } from "../../server/graph/project/project.ts";
import { createLanguages } from "../../server/languages/languages.ts";

const languages = createLanguages();

export function filesOf(literal: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const part of literal.split(/^\s*\/\/- /m).slice(1)) {
    const end = part.indexOf("\n");
    files.set(part.slice(0, end).trim(), part.slice(end + 1));
  }
  return files;
}

/** The stored facts of a file; empty if it has none. */
export async function factsOf(path: string, text: string): Promise<string> {
  const languageId = languages.detect(path, text);
  const facts = await languages.withSyntax(text, languageId, (syntax) => syntax.facts, { path });
  return facts === undefined ? "" : encodeFacts(facts);
}

export async function graphOf(literal: string, options: ProjectOptions = {}): Promise<Graph> {
  const files = [];
  for (const [path, text] of filesOf(literal))
    files.push({ path, facts: decodeFacts(await factsOf(path, text)) });
  return new Graph(
    files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    options,
  );
}

/** `from -> to`, in the order of the files. */
export function importsIn(graph: Graph): string[] {
  const { project } = graph;
  return project.files.flatMap((file) =>
    graph.importsOf(file).map(({ from, to }) => `${project.path(from)} -> ${project.path(to)}`),
  );
}

/** `path:line name -> path name (how)`, lines from 1; without edges to definitions local to a function. */
export function callsIn(graph: Graph): string[] {
  const { project } = graph;
  const edgesOf = (file: number) => graph.callsOf(file).filter(({ isLocal }) => !isLocal);
  return project.files.flatMap((file) =>
    edgesOf(file).map(({ line, name, to, how, isCandidate }) => {
      const target = `${project.path(to.file)} ${qualifiedName(project, to)}`;
      return `${project.path(file)}:${line + 1} ${name} -> ${target} (${isCandidate ? "candidate" : how})`;
    }),
  );
}
