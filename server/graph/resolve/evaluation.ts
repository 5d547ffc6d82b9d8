/** What the parts of the evaluator ask of each other. */

import type { DefinitionRef } from "../project/project.ts";
import type { Values } from "./values.ts";

/** How a name was found. */
export type NameOrigin =
  | "local"
  | "own"
  | "inherited"
  | "file"
  | "import"
  | "package"
  | "wildcard"
  | "none";

export interface Named {
  readonly values: Values;
  readonly origin: NameOrigin;
}

export interface Member {
  readonly refs: readonly DefinitionRef[];
  readonly isInherited: boolean;
}

export interface Types {
  /** Objects of a type as it is written. */
  type(file: number, scope: number, text: string): Values;
  /** The type that an extension adds to. */
  extended(extension: DefinitionRef): DefinitionRef | undefined;
  /** What a name means. */
  named(file: number, scope: number, name: string): Values;
  /** The type that a name means. */
  typeNamed(file: number, scope: number, name: string): DefinitionRef | undefined;
}
