/** References to a definition in all files: imports, types and calls. */

import { FLAG, type ImportedName, type ImportFact } from "../../contracts/facts.ts";
import type { Graph } from "../graph.ts";
import { type DefinitionRef, isSameDefinition } from "../project/project.ts";
import { lastNameOf } from "../resolve/chain.ts";
import type { CallEdge } from "../resolve/file-view.ts";
import { callsTo } from "./navigation.ts";

/** A reference in an import statement, at the first line of the statement. */
export interface ImportMention {
  readonly line: number;
  /** The specifier as written; it may contain the name. */
  readonly module: string;
  /** The exported name, then the local name, which may be equal. */
  readonly names: readonly string[];
}

/** A reference in the type of a definition, at the first line of the definition. */
export interface TypeMention {
  readonly line: number;
  readonly name: string;
  /** The index of the definition. */
  readonly of: number;
}

/** The references to a definition in one file. */
export interface FileMentions {
  readonly file: number;
  readonly imports: readonly ImportMention[];
  readonly types: readonly TypeMention[];
  readonly calls: readonly CallEdge[];
}

/** The references to a definition: its own file first, the others ordered by path; in steps. */
export function* mentionsOf(graph: Graph, target: DefinitionRef): Generator<void, FileMentions[]> {
  const found: FileMentions[] = [];
  const files = graph.fileEdges.referringFiles([target.file]);
  const { names, imports } = yield* importsByFile(graph, target, [...files.keys()]);
  for (const [file, anyName] of files) {
    const own = imports.get(file) ?? [];
    const types = typeMentions(graph, file, target, names);
    const calls = yield* callsTo(graph, file, target, anyName);
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
  /** The names of the definition: its own, `default`, and the aliases of imports. */
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
  // A fresh alias may be imported by a file that an earlier pass has read.
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

/** The bindings of import and export statements of a file that resolve to the target, considering the fresh names only. */
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
      return bound.some((ref) => isSameDefinition(ref, target));
    };
    return statement.names.filter(isBound).map((imported) => ({ statement, imported }));
  });
}

function toMention({ statement, imported }: ImportOfTarget): ImportMention {
  const { line, module } = statement;
  const { name = lastNameOfModule(module), alias } = imported;
  return { line, module, names: [name, alias] };
}

/** The imported name, in languages that import a definition by its path: `a.b.Pool`, `a::b::Pool`. */
function lastNameOfModule(module: string): string {
  return module.slice(Math.max(module.lastIndexOf("."), module.lastIndexOf(":")) + 1);
}

/** One per occurrence of the type. */
function typeMentions(
  graph: Graph,
  file: number,
  target: DefinitionRef,
  names: ReadonlySet<string>,
): TypeMention[] {
  const { definitions = [] } = graph.project.facts(file) ?? {};
  const view = graph.view(file);
  return definitions.flatMap(({ type, bases, line, flags }, of): TypeMention[] => {
    // A parameter that is also a field has two definitions.
    if ((flags & FLAG.parameter) !== 0 && (flags & FLAG.field) !== 0) return [];
    const isTarget = (written: string) =>
      names.has(lastNameOf(written)) &&
      view.typeNamed(of, written).some((ref) => isSameDefinition(ref, target));
    return [type, ...bases]
      .flatMap(namesInType)
      .filter(isTarget)
      .map((written) => ({ line, name: lastNameOf(written), of }));
  });
}

const NAMES = /[\p{L}_$][\p{L}\p{N}_$]*(?:\s*(?:\.|::)\s*[\p{L}_$][\p{L}\p{N}_$]*)*/gu;
/** Follows the name of a member or parameter: `{ pool: Pool }`. */
const LABELS = /^\s*\??:(?!:)/;

/** The names in a type; dotted for members of modules and types. */
function namesInType(type: string): string[] {
  return [...type.matchAll(NAMES)].flatMap(({ 0: written, index }) =>
    LABELS.test(type.slice(index + written.length))
      ? []
      : [written.replaceAll(/\s*(?:::|\.)\s*/g, ".")],
  );
}
