/** The places of all files that name a definition: imports, types and calls. */

import { FLAG } from "../contracts/facts.ts";
import { lastNameOf } from "./chain.ts";
import type { Graph } from "./graph.ts";
import { type DefinitionRef, isSame } from "./project.ts";
import type { CallEdge } from "./view.ts";
import { callsTo } from "./written-names.ts";

/** A name in a statement that begins on a line. */
interface ImportMention {
  readonly line: number;
  readonly name: string;
}

/** A name in the type of a definition that begins on a line. */
export interface TypeMention {
  readonly line: number;
  readonly name: string;
  /** The number of the definition. */
  readonly of: number;
}

/** What one file names of a definition. */
export interface Mentions {
  readonly file: number;
  readonly imports: readonly ImportMention[];
  readonly types: readonly TypeMention[];
  readonly calls: readonly CallEdge[];
}

/** By the files' paths, in steps. */
export function* mentionsOf(graph: Graph, target: DefinitionRef): Generator<void, Mentions[]> {
  const found: Mentions[] = [];
  for (const [file, isAnyName] of graph.fileEdges.naming([target.file])) {
    const imports = importMentions(graph, file, target);
    const types = typeMentions(graph, file, target);
    const calls = yield* callsTo(graph, file, target, isAnyName);
    found.push({ file, imports, types, calls });
    yield;
  }
  return found;
}

function importMentions(graph: Graph, file: number, target: DefinitionRef): ImportMention[] {
  const wanted = graph.project.definition(target)?.name ?? "";
  return graph.project.imports(file).flatMap(({ names, line, scope }) =>
    names.flatMap(({ name, alias }): ImportMention[] => {
      if (name !== wanted && alias !== wanted) return [];
      const bound = graph.meaningOf(file, scope, { line, chain: alias === "" ? wanted : alias });
      return bound.some((ref) => isSame(ref, target)) ? [{ line, name: name ?? alias }] : [];
    }),
  );
}

/** One for each time that a type is written. */
function typeMentions(graph: Graph, file: number, target: DefinitionRef): TypeMention[] {
  const { definitions = [] } = graph.project.facts(file) ?? {};
  const name = graph.project.definition(target)?.name ?? "";
  return definitions.flatMap(({ type, bases, line, flags }, of): TypeMention[] => {
    // A parameter that is a field as well is there twice.
    if ((flags & FLAG.parameter) !== 0 && (flags & FLAG.field) !== 0) return [];
    const isTarget = (written: string) =>
      lastNameOf(written) === name &&
      graph.typeNamed(file, of, written).some((ref) => isSame(ref, target));
    return [type, ...bases]
      .flatMap(namesInType)
      .filter(isTarget)
      .map((written) => ({ line, name: lastNameOf(written), of }));
  });
}

const NAMES = /[\p{L}_$][\p{L}\p{N}_$]*(?:\s*(?:\.|::)\s*[\p{L}_$][\p{L}\p{N}_$]*)*/gu;
/** Behind the name of a member or parameter: `{ pool: Pool }`. */
const LABELS = /^\s*\??:(?!:)/;

/** Dotted where they are asked of modules or other types. */
function namesInType(type: string): string[] {
  return [...type.matchAll(NAMES)].flatMap(({ 0: written, index }) =>
    LABELS.test(type.slice(index + written.length))
      ? []
      : [written.replaceAll(/\s*(?:::|\.)\s*/g, ".")],
  );
}
