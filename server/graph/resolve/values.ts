/** What an expression can be, as far as facts tell. */

import type { DefinitionRef } from "../project/project.ts";

export type Value =
  /** A class, function or variable itself. */
  | ({ readonly kind: "definition" } & DefinitionRef)
  /** An object of a class, with the values of its type arguments. */
  | ({ readonly kind: "instance"; readonly args: readonly Values[] } & DefinitionRef)
  /** A module, package or namespace: its names are those of its files, or of a definition in one. */
  | {
      readonly kind: "module";
      readonly files: readonly number[];
      /** How its language names it: a package of Java, a module of Python or Rust. */
      readonly name: string;
      /** The definition that is the module, where it is only a part of a file; else -1. */
      readonly inside: number;
      /** Of a package, the key of its names in the project. */
      readonly packageKey?: string;
    }
  /** Something of a library, or of the language itself. */
  | { readonly kind: "external"; readonly name: string; readonly args: readonly Values[] };

export type Module = Value & { readonly kind: "module" };

/** All that something may be; empty where nothing is known. */
export type Values = readonly Value[];

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

/** The classes themselves of which values are objects. */
export function classesOf(values: Values): Values {
  return values.flatMap((value) => (value.kind === "instance" ? [toDefinition(value)] : []));
}

/** A union of more types than this says nothing. */
const MAX_VALUES = 6;

export function limited(values: Values): Values {
  return values.length > MAX_VALUES ? values.slice(0, MAX_VALUES) : values;
}
