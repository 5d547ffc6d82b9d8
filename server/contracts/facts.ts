/** Facts: what one file says of its imports, definitions and calls, before anything is resolved. Stored per file, by hash. */

/** Raised when extraction changes: stored facts of another version are extracted again. */
export const FACTS_VERSION = 9;

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
}

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
export const CALL_CONTEXT = { loop: 1, condition: 2, try: 4, recursive: 8 } as const;

export interface CallFact {
  /** What is called, as a chain; its last name is what is looked for. */
  readonly chain: string;
  readonly line: number;
  readonly column: number;
  /** The definition in which it is; -1 at the top of the file. */
  readonly scope: number;
  readonly context: number;
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

const KINDS: readonly DefinitionKind[] = [
  "class",
  "interface",
  "function",
  "variable",
  "alias",
  "namespace",
  "extension",
  "return",
];
const KIND_NUMBERS = Object.fromEntries(KINDS.map((kind, i) => [kind, i])) as Readonly<
  Record<DefinitionKind, number>
>;
const IMPORT_KINDS: readonly ImportKind[] = [
  "import",
  "reexport",
  "sideEffect",
  "type",
  "dynamic",
  "wildcard",
  "wildcardReexport",
  "module",
  "include",
  "systemInclude",
];

type Encoded = readonly [
  version: number,
  language: string,
  packageName: string,
  strings: readonly string[],
  imports: readonly (readonly number[])[],
  definitions: readonly (readonly number[])[],
  calls: readonly number[],
  manifest?: unknown,
];

/**
 * JSON of rows of numbers into one table of strings: a third of what the objects would be. It is written by hand, because
 * lists of numbers for JSON.stringify would be garbage at once.
 */
export function encodeFacts(facts: FileFacts): string {
  const strings: string[] = [];
  const numbers = new Map<string, number>();
  const put = (text: string): number => {
    let number = numbers.get(text);
    if (number === undefined) {
      number = strings.length;
      numbers.set(text, number);
      strings.push(text);
    }
    return number;
  };
  const definitions: string[] = [];
  for (const one of facts.definitions) {
    // The names of a row are numbered from left to right.
    let row = `[${KIND_NUMBERS[one.kind]},${put(one.name)},${one.line},${one.endLine - one.line},${one.parent},${one.flags},${put(one.type)},${put(one.value)},${put(one.owner)}`;
    for (const base of one.bases) row += `,${put(base)}`;
    definitions.push(row);
  }
  const imports: string[] = [];
  for (const { kind, module, names, line, scope } of facts.imports) {
    let row = `[${IMPORT_KINDS.indexOf(kind)},${put(module)},${line},${scope}`;
    for (const { name, alias } of names)
      row += `,${name === undefined ? -1 : put(name)},${put(alias)}`;
    imports.push(row);
  }
  const calls: string[] = [];
  for (const { chain, line, column, scope, context } of facts.calls)
    calls.push(`${put(chain)},${line},${column},${scope},${context}`);
  const { language, packageName, manifest } = facts;
  const parts = [
    String(FACTS_VERSION),
    JSON.stringify(language),
    JSON.stringify(packageName),
    JSON.stringify(strings),
    rowsOf(imports),
    rowsOf(definitions),
    `[${calls.join(",")}]`,
    ...(manifest === undefined ? [] : [JSON.stringify(manifest)]),
  ];
  return `[${parts.join(",")}]`;
}

function rowsOf(rows: readonly string[]): string {
  return rows.length === 0 ? "[]" : `[${rows.join("],")}]]`;
}

/**
 * Undefined for facts of another version, or text that is no facts. Most of a file's facts are its definitions and
 * calls, which its imports do not need: both are decoded when they are asked for, and are text until then; or parsed text,
 * where they will be asked for at once.
 */
export function decodeFacts(encoded: string, isAskedAtOnce = false): FileFacts | undefined {
  const rows = parse(encoded);
  if (rows?.[0] !== FACTS_VERSION) return undefined;
  const [, language, packageName, strings, imports, , , manifest] = rows;
  return new LazyFacts(isAskedAtOnce ? rows : encoded, {
    language,
    packageName,
    imports: imports.map((row) => toImport(row, textsOf(strings))),
    ...(manifest === undefined ? {} : { manifest }),
  });
}

class LazyFacts implements FileFacts {
  readonly language: string;
  readonly packageName: string;
  readonly imports: readonly ImportFact[];
  readonly manifest?: unknown;
  #rest: string | Encoded | undefined;
  #definitions: readonly DefinitionFact[] | undefined;
  #calls: readonly CallFact[] | undefined;

  constructor(rest: string | Encoded, first: Omit<FileFacts, "definitions" | "calls">) {
    this.language = first.language;
    this.packageName = first.packageName;
    this.imports = first.imports;
    if (first.manifest !== undefined) this.manifest = first.manifest;
    this.#rest = rest;
  }

  get definitions(): readonly DefinitionFact[] {
    if (this.#definitions !== undefined) return this.#definitions;
    const [, , , strings = [], , rows = []] = this.#rows() ?? [];
    const text = textsOf(strings);
    this.#definitions = rows.map((row) => toDefinition(row, text));
    this.#forgetRows();
    return this.#definitions;
  }

  get calls(): readonly CallFact[] {
    if (this.#calls !== undefined) return this.#calls;
    const [, , , strings = [], , , rows = []] = this.#rows() ?? [];
    this.#calls = toCalls(rows, textsOf(strings));
    this.#forgetRows();
    return this.#calls;
  }

  #rows(): Encoded | undefined {
    if (typeof this.#rest === "string") this.#rest = parse(this.#rest);
    return this.#rest;
  }

  #forgetRows(): void {
    if (this.#definitions !== undefined && this.#calls !== undefined) this.#rest = undefined;
  }
}

function textsOf(strings: readonly string[]): TextOf {
  return (number) => strings[number ?? -1] ?? "";
}

function parse(encoded: string): Encoded | undefined {
  try {
    const rows: unknown = JSON.parse(encoded);
    return Array.isArray(rows) ? (rows as unknown as Encoded) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

type TextOf = (number: number | undefined) => string;

function toImport(row: readonly number[], text: TextOf): ImportFact {
  const [kind = 0, module, line = 0, scope = -1, ...rest] = row;
  const names: ImportedName[] = [];
  for (let i = 0; i + 1 < rest.length; i += 2) {
    const name = rest[i] ?? -1;
    names.push({ name: name < 0 ? undefined : text(name), alias: text(rest[i + 1]) });
  }
  return { kind: IMPORT_KINDS[kind] ?? "import", module: text(module), names, line, scope };
}

function toDefinition(row: readonly number[], text: TextOf): DefinitionFact {
  const [kind = 0, name, line = 0, span = 0, parent = -1, flags = 0, type, value, owner, ...bases] =
    row;
  return {
    kind: KINDS[kind] ?? "variable",
    name: text(name),
    line,
    endLine: line + span,
    parent,
    flags,
    type: text(type),
    value: text(value),
    owner: text(owner),
    bases: bases.map(text),
  };
}

const CALL_FIELDS = 5;

function toCalls(numbers: readonly number[], text: TextOf): CallFact[] {
  const calls: CallFact[] = [];
  for (let i = 0; i + CALL_FIELDS <= numbers.length; i += CALL_FIELDS) {
    calls.push({
      chain: text(numbers[i]),
      line: numbers[i + 1] ?? 0,
      column: numbers[i + 2] ?? 0,
      scope: numbers[i + 3] ?? -1,
      context: numbers[i + 4] ?? 0,
    });
  }
  return calls;
}
