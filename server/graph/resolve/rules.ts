/** What the evaluator asks of a language: how its imports bind names, and what is visible without one. */

import type { ImportFact } from "../../contracts/facts.ts";
import type { Project } from "../project/project.ts";
import type { Value, Values } from "./values.ts";

/** How a wildcard import of a package means a file: by a name that is used, for the statement names none. */
export const BY_USED_NAME = "used name";

/** Where an import leads. */
export interface Resolution {
  /** Files that it is an edge to. */
  readonly files: readonly number[];
  /** Names that the statement makes visible. Lazy, because modules import each other. */
  readonly bindings: readonly { readonly name: string; values(): Values }[];
  /** Modules all of whose names become visible. */
  readonly wildcards: readonly Value[];
  /** The name of the package, where it is none of the workspace. */
  readonly external?: string;
  readonly how: string;
}

/** What rules may ask back. */
export interface ModuleNames {
  /** A name that a module gives to others; what it imports counts only where its language says so. */
  exportOf(module: Value, name: string): Values;
  /** A member of a class or module, by name. */
  memberOf(values: Values, name: string): Values;
}

/** A name that neither the file nor its imports bind. */
export interface UnboundName {
  readonly file: number;
  readonly scope: number;
  readonly name: string;
  /** The file, what it imports, what those import, and so on. */
  reached(): ReadonlySet<number>;
}

export interface Rules {
  resolve(file: number, statement: ImportFact, names: ModuleNames): Resolution;
  /** Imports that count in a file though they are written elsewhere: those of its project. They come behind its own. */
  importsOfProject?(file: number): readonly ImportFact[];
  /** What a module gives by a name that none of its files defines: a part of it, a re-export. */
  submodule(module: Value, name: string): Values;
  /** What a name means by the language alone: Rust's `crate`, a crate of the workspace. */
  resolveUnbound?(asked: UnboundName): Values | undefined;
  /** Whether what a file imports can be imported from it by others. */
  readonly reexportsImports: boolean;
  /** Whether a re-export binds its names in its own file too. */
  readonly hasVisibleReexports: boolean;
  /** Whether members of a class are visible in it without a receiver. */
  readonly hasImplicitThis: boolean;
  /** Whether all that a statement makes visible is so only in the definition around it. */
  readonly hasScopedImports?: boolean;
  /** Whether `super` is the module around, and not the class above. */
  readonly hasSuperModules?: boolean;
  /** Whether a module and a function may have one name, each in a name space of its own. */
  readonly hasModuleNames?: boolean;
  /** Whether a name that nothing binds must come from a library. */
  readonly unboundIsExternal: boolean;
}

/**
 * Where only the names that a file uses tell which files an import means: found when somebody asks for them, once. Who
 * looks up one name does not ask.
 */
export function withFilesLater(
  { reads }: Project,
  rest: Omit<Resolution, "files">,
  find: () => readonly number[],
): Resolution {
  const found = reads.shared(find);
  return {
    ...rest,
    get files() {
      return found();
    },
  };
}

export type CreateRules = (project: Project) => Rules;

export const UNRESOLVED: Resolution = { files: [], bindings: [], wildcards: [], how: "unresolved" };
