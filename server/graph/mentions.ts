/** The places of all files that name a definition: imports, types and calls. */

import { FLAG, type ImportedName, type ImportFact } from "../contracts/facts.ts";
import { lastNameOf } from "./chain.ts";
import type { Graph } from "./graph.ts";
import { type DefinitionRef, isSame } from "./project.ts";
import type { CallEdge } from "./view.ts";
import { callsTo } from "./written-names.ts";

/** A name in a statement that begins on a line. */
export interface ImportMention {
  readonly line: number;
  /** The module as it is written; it may contain the name. */
  readonly module: string;
  /** The name in the module, then the one in the file, which may be the same. */
  readonly names: readonly string[];
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
  const files = graph.fileEdges.naming([target.file]);
  const names = yield* namesOf(graph, target, files.keys());
  for (const [file, isAnyName] of files) {
    const imports = [...importsOf(graph, file, target, names)];
    const aliases = imports.map(({ imported }) => imported.alias);
    const types = typeMentions(graph, file, target, new Set([...names, ...aliases]));
    const calls = yield* callsTo(graph, file, target, isAnyName);
    found.push({ file, imports: imports.map(toMention), types, calls });
    yield;
  }
  return found;
}

/** What a definition may be called in the files: its name, `default`, and what imports rename it to. */
function* namesOf(
  graph: Graph,
  target: DefinitionRef,
  files: Iterable<number>,
): Generator<void, ReadonlySet<string>> {
  const names = new Set(["default", graph.project.definition(target)?.name ?? ""]);
  const all = [...files];
  // An alias may be imported from a file that was looked at before.
  for (let known = 0; known < names.size; ) {
    known = names.size;
    for (const file of all) {
      for (const { imported } of importsOf(graph, file, target, names))
        if (imported.alias !== "") names.add(imported.alias);
      yield;
    }
  }
  return names;
}

interface ImportOfTarget {
  readonly statement: ImportFact;
  readonly imported: ImportedName;
}

/** Names that a file imports, re-exports or exports by another name, and that lead to the definition. */
function* importsOf(
  graph: Graph,
  file: number,
  target: DefinitionRef,
  names: ReadonlySet<string>,
): Generator<ImportOfTarget, void> {
  for (const statement of graph.project.imports(file)) {
    for (const imported of statement.names) {
      const { name, alias } = imported;
      if (!names.has(name ?? lastNameOfModule(statement.module)) && !names.has(alias)) continue;
      const bound =
        statement.kind === "reexport"
          ? graph.exportedAs(file, alias)
          : graph.meaningOf(file, statement.scope, { line: statement.line, chain: alias });
      if (bound.some((ref) => isSame(ref, target))) yield { statement, imported };
    }
  }
}

function toMention({ statement, imported }: ImportOfTarget): ImportMention {
  const { line, module } = statement;
  const { name = lastNameOfModule(module), alias } = imported;
  return { line, module, names: [name, alias] };
}

/** Of languages that import a definition by its path: `a.b.Pool`, `a::b::Pool`. */
function lastNameOfModule(module: string): string {
  return module.slice(Math.max(module.lastIndexOf("."), module.lastIndexOf(":")) + 1);
}

/** One for each time that a type is written. */
function typeMentions(
  graph: Graph,
  file: number,
  target: DefinitionRef,
  names: ReadonlySet<string>,
): TypeMention[] {
  const { definitions = [] } = graph.project.facts(file) ?? {};
  return definitions.flatMap(({ type, bases, line, flags }, of): TypeMention[] => {
    // A parameter that is a field as well is there twice.
    if ((flags & FLAG.parameter) !== 0 && (flags & FLAG.field) !== 0) return [];
    const isTarget = (written: string) =>
      names.has(lastNameOf(written)) &&
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
