/** Facts: what one file says of its imports, definitions and calls, before anything is resolved. Stored per file, by hash. */

/** Raised when extraction changes: stored facts of another version are extracted again. */
export const FACTS_VERSION = 29;

export type DefinitionKind =
  | "class"
  | "interface"
  | "function"
  | "variable"
  | "alias"
  | "namespace"
  /** A block that adds members to a type: Rust's `impl`, Swift's `extension`. */
  | "extension"
  /** The value of a `return` statement, in languages where return types are often not written. */
  | "return";

/** Bits of `DefinitionFact.flags`. */
export const FLAG = {
  exported: 1,
  default: 2,
  static: 4,
  /** A getter: reading it gives what the function returns. */
  property: 8,
  parameter: 16,
  /** The first parameter of a method, where languages name it: `self`. */
  self: 32,
  /** Belongs to the type around the function that assigns it: `self.x = ...`. */
  field: 64,
  /** A parameter whose last argument is a list: `*args`, `...rest`. */
  rest: 128,
  /** Said to be there, without what it does: a member in the body of a C++ class. */
  declared: 256,
  /** One of the parts of a type: `partial class` of C#. */
  partial: 512,
} as const;

/** One named thing, local variables and parameters included. */
export interface DefinitionFact {
  readonly kind: DefinitionKind;
  /** Empty for an anonymous function. */
  readonly name: string;
  /** The line of the name. */
  readonly line: number;
  readonly endLine: number;
  /** The number of the definition around it; -1 at the top of the file. */
  readonly parent: number;
  readonly flags: number;
  /** As it is written: of a variable, or what a function returns. */
  readonly type: string;
  /** The chain that a variable is initialized with; see `languages/facts/chains.ts`. */
  readonly value: string;
  /** Types that a class extends or implements; of an extension, the type that it extends comes as its name. */
  readonly bases: readonly string[];
  /** The type that a function belongs to where it does not enclose it: a Go receiver. */
  readonly owner: string;
  /** What a function takes; see `languages/facts/labels.ts`. Empty where it is not known, or tells nothing. */
  readonly labels: string;
}

/** Of what takes or gives no arguments. */
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
  /** `#include <x.h>`, where the header of a standard is meant if there is one. */
  | "systemInclude";

/** `name` is undefined for the module itself: `import * as alias`. */
export interface ImportedName {
  readonly name: string | undefined;
  readonly alias: string;
}

export interface ImportFact {
  readonly kind: ImportKind;
  /** As it is written: `./x.js`, `..pkg.mod`, `a.b.C`. */
  readonly module: string;
  readonly names: readonly ImportedName[];
  readonly line: number;
  /** The definition in which the statement is; -1 at the top of the file. */
  readonly scope: number;
}

/** Bits of `CallFact.context`. */
export const CALL_CONTEXT = {
  loop: 1,
  condition: 2,
  try: 4,
  recursive: 8,
  /** A function is handed on, and called elsewhere: `Map(xs, double)`, `Pool::open`. */
  handed: 16,
} as const;

export interface CallFact {
  /** What is called, as a chain; its last name is what is looked for. */
  readonly chain: string;
  readonly line: number;
  readonly column: number;
  /** The definition in which it is; -1 at the top of the file. */
  readonly scope: number;
  readonly context: number;
  /** What is given, as `DefinitionFact.labels` says what is taken. */
  readonly labels: string;
}

export interface FileFacts {
  readonly language: string;
  /** The package or namespace that the file says it belongs to. */
  readonly packageName: string;
  readonly imports: readonly ImportFact[];
  readonly definitions: readonly DefinitionFact[];
  readonly calls: readonly CallFact[];
  /** What a manifest says: package.json, tsconfig.json, go.mod, Cargo.toml and the like, as JSON of what resolvers read. */
  readonly manifest?: unknown;
}
