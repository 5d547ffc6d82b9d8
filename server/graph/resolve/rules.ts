/** The interface between resolution and a language: how its imports bind names, and which names are visible without an import. */

import type { ImportFact } from "../../contracts/facts.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import type { Member, ResolvedName, Value, Values } from "./values.ts";

/** `how` of a wildcard import: it refers to the files of a package that define a used name. */
export const BY_USED_NAME = "used name";

/** A resolved import statement. */
export interface Resolution {
  /** The targets of its edges. */
  readonly files: readonly number[];
  /** The names that the statement binds. Lazy, because modules can import each other. */
  readonly bindings: readonly { readonly name: string; values(): Values }[];
  /** Modules whose names all become visible. */
  readonly wildcards: readonly Value[];
  /** The name of a package from outside the workspace. */
  readonly external?: string | undefined;
  readonly how: string;
}

/** Resolution services for rules. */
export interface Resolver {
  /** An export of a module; its imports count only if `reexportsImports`. */
  exportOf(module: Value, name: string): Values;
  /** A member of a class or module, by name. */
  memberOf(values: Values, name: string): Values;
  /** Resolves a name in a scope. */
  name(file: number, scope: number, name: string, line: number): ResolvedName;
  /** A member of a type: its own, that of an extension, or an inherited one. */
  member(type: DefinitionRef, name: string): Member;
  /** Instances of the bases of a type. */
  basesOf(type: DefinitionRef): Values;
  /** Replaces variables by their values, and getters by their results. */
  resolved(values: Values): Values;
}

/** A name that neither the file nor its imports bind. */
export interface UnboundName {
  readonly file: number;
  readonly scope: number;
  readonly name: string;
  /** The transitive closure of the imports of the file, including the file. */
  reachable(): ReadonlySet<number>;
}

export interface Rules {
  resolve(file: number, statement: ImportFact, names: Resolver): Resolution;
  /** Implicit imports that the project of a file declares; they follow its own. */
  projectImports?(file: number): readonly ImportFact[];
  /** A member of a module that its files do not define, such as a submodule. */
  submodule(module: Value, name: string): Values;
  /** Resolves a name that nothing binds, such as `crate` or a crate of the workspace in Rust. */
  resolveUnbound?(name: UnboundName): Values | undefined;
  /** The result of a method that needs no parentheses, such as `new` in Ruby; empty for other members. */
  resultOfMember?(values: Values, name: string, resolver: Resolver): Values;
  /** A member that is called on a class itself. */
  classMember?(type: DefinitionRef, name: string, resolver: Resolver): Values;
  /** The bases of a type; by default `written`, the bases that its definition names. */
  basesOf?(type: DefinitionRef, written: () => Values, resolver: Resolver): Values;
}

/** A resolution whose files are computed once, on demand: they depend on all names that a file uses, look-ups of one name do not. */
export function withLazyFiles(
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

/** The rules of the language of a file. */
export type RulesOf = (file: number) => Rules;

export type CreateRules = (project: Project) => Rules;

export const UNRESOLVED: Resolution = { files: [], bindings: [], wildcards: [], how: "unresolved" };
