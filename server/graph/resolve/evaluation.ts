/** The evaluator as its parts see it: names, members, types and imports refer to each other. */

import type { DefinitionRef, Project } from "../project/project.ts";
import type { Binder } from "./binder.ts";
import type { Resolver, RulesOf } from "./rules.ts";
import type { Values } from "./values.ts";

/** The access of an evaluation to other files. */
export interface EvaluationDeps {
  readonly project: Project;
  readonly rulesOf: RulesOf;
  /** The files that a file imports. */
  importTargets(file: number): readonly number[];
}

export interface Evaluation extends EvaluationDeps, Resolver {
  /** The file whose references are resolved. */
  readonly from: number;
  readonly binder: Binder;
  /** Instances of a type, by its text. */
  type(file: number, scope: number, text: string): Values;
  /** The type that a name refers to in a scope. */
  typeNamed(file: number, scope: number, name: string): DefinitionRef | undefined;
  /** The extended type of an extension. */
  extended(extension: DefinitionRef): DefinitionRef | undefined;
}
