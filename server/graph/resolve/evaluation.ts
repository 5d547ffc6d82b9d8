/** Types that the parts of the evaluator share. */

import type { DefinitionRef } from "../project/project.ts";
import type { Values } from "./values.ts";

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

export interface TypeResolver {
  /** Instances of a type, by its text. */
  type(file: number, scope: number, text: string): Values;
  /** The extended type of an extension. */
  extended(extension: DefinitionRef): DefinitionRef | undefined;
  /** The values of a name in a scope. */
  named(file: number, scope: number, name: string): Values;
  /** The type that a name refers to in a scope. */
  typeNamed(file: number, scope: number, name: string): DefinitionRef | undefined;
}
