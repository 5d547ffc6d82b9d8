/** The places of all files that name a definition: imports, types and calls. */

import { FLAG, type ImportedName, type ImportFact } from "../../contracts/facts.ts";
import type { Graph } from "../graph.ts";
import { type DefinitionRef, isSame } from "../project/project.ts";
import { lastNameOf } from "../resolve/chain.ts";
import type { CallEdge } from "../resolve/file-view.ts";
import { callsTo } from "./navigation.ts";

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
export interface FileMentions {
  readonly file: number;
  readonly imports: readonly ImportMention[];
  readonly types: readonly TypeMention[];
  readonly calls: readonly CallEdge[];
}

/** By the files' paths, in steps. */
export function* mentionsOf(graph: Graph, target: DefinitionRef): Generator<void, FileMentions[]> {
  const found: FileMentions[] = [];
  const files = graph.fileEdges.naming([target.file]);
  const { names, imports } = yield* importsByFile(graph, target, [...files.keys()]);
  for (const [file, isAnyName] of files) {
    const own = imports.get(file) ?? [];
    const types = typeMentions(graph, file, target, names);
    const calls = yield* callsTo(graph, file, target, isAnyName);
    found.push({ file, imports: own.map(toMention), types, calls });
    yield;
  }
  return found;
}

interface ImportOfTarget {
  readonly statement: ImportFact;
  readonly imported: ImportedName;
}

interface ImportsOfTarget {
  /** What the definition may be called: its name, `default`, and what imports rename it to. */
  readonly names: ReadonlySet<string>;
  readonly imports: ReadonlyMap<number, readonly ImportOfTarget[]>;
}

function* importsByFile(
  graph: Graph,
  target: DefinitionRef,
  files: readonly number[],
): Generator<void, ImportsOfTarget> {
  const names = new Set<string>();
  const imports = new Map<number, ImportOfTarget[]>();
  // An alias may be imported from a file that was looked at before.
  for (
    let fresh = new Set(["default", graph.project.definition(target)?.name ?? ""]);
    fresh.size > 0;
  ) {
    const aliases = new Set<string>();
    for (const file of files) {
      const found = importsOf(graph, file, target, { names, fresh });
      imports.set(file, [...(imports.get(file) ?? []), ...found]);
      for (const { imported } of found) aliases.add(imported.alias);
      yield;
    }
    for (const name of fresh) names.add(name);
    fresh = new Set([...aliases].filter((alias) => alias !== "" && !names.has(alias)));
  }
  return { names, imports };
}

/** Names that a file imports, re-exports or exports by another name, and that lead to the definition; by fresh names only. */
function importsOf(
  graph: Graph,
  file: number,
  target: DefinitionRef,
  { names, fresh }: { readonly names: ReadonlySet<string>; readonly fresh: ReadonlySet<string> },
): ImportOfTarget[] {
  const view = graph.view(file);
  return graph.project.imports(file).flatMap((statement) => {
    const { kind, module, scope, line } = statement;
    const isBound = ({ name = lastNameOfModule(module), alias }: ImportedName) => {
      if (names.has(name) || names.has(alias)) return false;
      if (!fresh.has(name) && !fresh.has(alias)) return false;
      const bound =
        kind === "reexport" ? view.exportedAs(alias) : view.meaningOf(scope, alias, line);
      return bound.some((ref) => isSame(ref, target));
    };
    return statement.names.filter(isBound).map((imported) => ({ statement, imported }));
  });
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
  const view = graph.view(file);
  return definitions.flatMap(({ type, bases, line, flags }, of): TypeMention[] => {
    // A parameter that is a field as well is there twice.
    if ((flags & FLAG.parameter) !== 0 && (flags & FLAG.field) !== 0) return [];
    const isTarget = (written: string) =>
      names.has(lastNameOf(written)) &&
      view.typeNamed(of, written).some((ref) => isSame(ref, target));
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
