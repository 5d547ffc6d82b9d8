/** Facts: the imports, definitions and calls in one file before resolution. Stored per file, by hash. */

/** Incremented when extraction changes. Stored facts of another version are extracted again. */
export const FACTS_VERSION = 31;

export type DefinitionKind =
  | "class"
  | "interface"
  | "function"
  | "variable"
  | "alias"
  | "namespace"
  /** A block that adds members to a type: Rust's `impl`, Swift's `extension`. */
  | "extension"
  /** The value of a `return` statement, in languages where return types are often omitted. */
  | "return";

/** Bits of `DefinitionFact.flags`. */
export const FLAG = {
  exported: 1,
  default: 2,
  static: 4,
  /** A getter: reading it has the type that the function returns. */
  property: 8,
  parameter: 16,
  /** The first parameter of a method in languages that declare it: `self`. */
  self: 32,
  /** A member of the type around the function that assigns it: `self.x = ...`. */
  field: 64,
  /** A parameter that takes the rest of the arguments: `*args`, `...rest`. */
  rest: 128,
  /** Declared without its body: a member in the body of a C++ class. */
  declared: 256,
  /** One of several parts of a type: `partial class` of C#. */
  partial: 512,
} as const;

/** One definition, including local variables and parameters. */
export interface DefinitionFact {
  readonly kind: DefinitionKind;
  /** Empty for an anonymous function. */
  readonly name: string;
  /** The line of the name. */
  readonly line: number;
  readonly endLine: number;
  /** The index of the enclosing definition, or -1 at the top level. */
  readonly parent: number;
  readonly flags: number;
  /** The type as it is written: the type of a variable, or the return type of a function. */
  readonly type: string;
  /** The chain that initializes a variable; see `languages/facts/chains.ts`. */
  readonly value: string;
  /** The types that a class extends or implements. For an extension, the extended type is in `name`. */
  readonly bases: readonly string[];
  /** The type of a method that is written outside of it: a Go receiver. */
  readonly owner: string;
  /**
   * The parameters of a function; see `languages/facts/labels.ts`. Empty if they are unknown or do not distinguish
   * overloads.
   */
  readonly labels: string;
}

/** The labels of a function without parameters, and of a call without arguments. */
export const NO_LABELS = "()";

export type ImportKind =
  | "import"
  | "reexport"
  | "sideEffect"
  | "type"
  | "dynamic"
  /** All names of a module: `from x import *`, `import a.b.*`. */
  | "wildcard"
  | "wildcardReexport"
  /** Rust's `mod x;`. */
  | "module"
  | "include"
  /** `#include <x.h>`, which prefers a standard header. */
  | "systemInclude";

/** `name` is undefined for the module itself: `import * as alias`. */
export interface ImportedName {
  readonly name: string | undefined;
  readonly alias: string;
}

export interface ImportFact {
  readonly kind: ImportKind;
  /** The module as it is written: `./x.js`, `..pkg.mod`, `a.b.C`. */
  readonly module: string;
  readonly names: readonly ImportedName[];
  readonly line: number;
  /** The index of the definition that contains the statement, or -1 at the top level. */
  readonly scope: number;
}

/** Bits of `CallFact.context`. */
export const CALL_CONTEXT = {
  loop: 1,
  condition: 2,
  try: 4,
  recursive: 8,
  /** A function is passed as a value and called elsewhere: `Map(xs, double)`, `Pool::open`. */
  handed: 16,
} as const;

export interface CallFact {
  /** The callee as a chain. Its last name is the name that is resolved. */
  readonly chain: string;
  readonly line: number;
  readonly column: number;
  /** The index of the definition that contains the call, or -1 at the top level. */
  readonly scope: number;
  readonly context: number;
  /** The arguments, in the form of `DefinitionFact.labels`. */
  readonly labels: string;
}

export interface FileFacts {
  readonly language: string;
  /** The package or namespace that the file declares. */
  readonly packageName: string;
  readonly imports: readonly ImportFact[];
  readonly definitions: readonly DefinitionFact[];
  readonly calls: readonly CallFact[];
  /** The JSON content of a manifest that resolvers read: package.json, tsconfig.json, go.mod, Cargo.toml and others. */
  readonly manifest?: unknown;
}
