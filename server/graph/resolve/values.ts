/** The abstract values of expressions. */

import type { DefinitionRef } from "../project/project.ts";

export type Value =
  /** A class, function or variable. */
  | ({ readonly kind: "definition" } & DefinitionRef)
  /** An instance of a type, with its type arguments. */
  | ({ readonly kind: "instance"; readonly args: readonly Values[] } & DefinitionRef)
  /** A module, package or namespace, with the names of its files or of a definition in one. */
  | {
      readonly kind: "module";
      readonly files: readonly number[];
      /** Its name in its language: a package of Java, a module of Python or Rust. */
      readonly name: string;
      /** The definition of a module inside a file; -1 for a whole file. */
      readonly inside: number;
      /** The key of a package; see project/package-key.ts. */
      readonly packageKey?: string;
    }
  /** A definition outside the workspace: of a library or of the language. */
  | { readonly kind: "external"; readonly name: string; readonly args: readonly Values[] };

export type Module = Value & { readonly kind: "module" };

/** The possible values of an expression; empty if unknown. */
export type Values = readonly Value[];

/** The kind of scope that bound a name. */
export type NameOrigin =
  | "local"
  | "own"
  | "inherited"
  | "file"
  | "import"
  | "package"
  | "wildcard"
  | "none";

export interface ResolvedName {
  readonly values: Values;
  readonly origin: NameOrigin;
}

export interface Member {
  readonly refs: readonly DefinitionRef[];
  readonly isInherited: boolean;
}

export const NOTHING: Values = [];

export function externalOf(name: string, args: readonly Values[] = []): Values {
  return [{ kind: "external", name, args }];
}

export function isExternal(values: Values): boolean {
  return values.length > 0 && values.every(({ kind }) => kind === "external");
}

export function definitionValues(file: number, indexes: readonly number[]): Values {
  return indexes.map((index) => ({ kind: "definition", file, index }));
}

export function toDefinition({ file, index }: DefinitionRef): Value {
  return { kind: "definition", file, index };
}

export function toInstance({ file, index }: DefinitionRef): Value {
  return { kind: "instance", file, index, args: [] };
}

/** The classes of instances. */
export function classesOf(values: Values): Values {
  return values.flatMap((value) => (value.kind === "instance" ? [toDefinition(value)] : []));
}

/** Larger unions are truncated. */
const MAX_VALUES = 6;

export function limited(values: Values): Values {
  return values.length > MAX_VALUES ? values.slice(0, MAX_VALUES) : values;
}
