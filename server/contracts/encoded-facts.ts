/** The stored text form of facts: one line with the facts for imports, and one line with the rest, which is parsed on first use. */

import {
  type CallFact,
  type DefinitionFact,
  type DefinitionKind,
  FACTS_VERSION,
  type FileFacts,
  type ImportedName,
  type ImportFact,
  type ImportKind,
} from "./facts.ts";

export const KINDS: readonly DefinitionKind[] = [
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
export const IMPORT_KINDS: readonly ImportKind[] = [
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

/** Kind, module, line and scope, followed by the name and alias of each imported name. */
type ImportRow = readonly (number | string | null)[];

type Head = readonly [
  version: number,
  language: string,
  packageName: string,
  imports: readonly ImportRow[],
  manifest?: unknown,
];

/** Definitions and calls are flat lists of numbers; a string is an index into the table. */
type Body = readonly [
  strings: readonly string[],
  definitions: readonly number[],
  calls: readonly number[],
];

const EMPTY_BODY: Body = [[], [], []];

/** The number of fields of a definition without its bases. The last field is the number of bases. */
export const DEFINITION_FIELDS = 11;
export const CALL_FIELDS = 6;

/** Encodes as JSON with few long lists, because a list per definition and call would create much garbage. */
export function encodeFacts(facts: FileFacts): string {
  const { language, packageName, imports, manifest } = facts;
  const head: Head = [FACTS_VERSION, language, packageName, imports.map(toRow)];
  const first = JSON.stringify(manifest === undefined ? head : [...head, manifest]);
  return `${first}\n${JSON.stringify(toBody(facts))}`;
}

function toBody({ definitions, calls }: FileFacts): Body {
  const strings: string[] = [];
  const known = new Map<string, number>();
  const put = (text: string): number => {
    let number = known.get(text);
    if (number === undefined) {
      number = strings.length;
      known.set(text, number);
      strings.push(text);
    }
    return number;
  };
  const definitionNumbers: number[] = [];
  for (const {
    kind,
    name,
    line,
    endLine,
    parent,
    flags,
    type,
    value,
    owner,
    labels,
    bases,
  } of definitions) {
    definitionNumbers.push(KIND_NUMBERS[kind], put(name), line, endLine - line, parent, flags);
    definitionNumbers.push(put(type), put(value), put(owner), put(labels), bases.length);
    for (const base of bases) definitionNumbers.push(put(base));
  }
  const callNumbers: number[] = [];
  for (const { chain, line, column, scope, context, labels } of calls)
    callNumbers.push(put(chain), line, column, scope, context, put(labels));
  return [strings, definitionNumbers, callNumbers];
}

function toRow({ kind, module, names, line, scope }: ImportFact): ImportRow {
  const row = [IMPORT_KINDS.indexOf(kind), module, line, scope];
  return names.length === 0
    ? row
    : [...row, ...names.flatMap(({ name, alias }) => [name ?? null, alias])];
}

/** Returns undefined for facts of another version and for invalid text. */
export function decodeFacts(encoded: string): FileFacts | undefined {
  const end = encoded.indexOf("\n");
  const head = parseList(end < 0 ? encoded : encoded.slice(0, end)) as Head | undefined;
  if (head?.[0] !== FACTS_VERSION) return undefined;
  return new DecodedFacts(head, encoded, end + 1);
}

/**
 * Decodes definitions and calls on first use: they are most of the facts of a file, and resolving imports does not need
 * them.
 */
class DecodedFacts implements FileFacts {
  readonly language: string;
  readonly packageName: string;
  readonly imports: readonly ImportFact[];
  readonly manifest?: unknown;
  #text: string;
  readonly #bodyAt: number;
  #body: Body | undefined;
  #definitions: readonly DefinitionFact[] | undefined;
  #calls: readonly CallFact[] | undefined;

  constructor(head: Head, text: string, bodyAt: number) {
    const [, language, packageName, imports, manifest] = head;
    this.language = language;
    this.packageName = packageName;
    this.imports = imports.map(toImport);
    if (manifest !== undefined) this.manifest = manifest;
    this.#text = text;
    this.#bodyAt = bodyAt;
  }

  get definitions(): readonly DefinitionFact[] {
    if (this.#definitions === undefined) {
      this.#definitions = toDefinitions(this.#read());
      this.#forgetBody();
    }
    return this.#definitions;
  }

  get calls(): readonly CallFact[] {
    if (this.#calls === undefined) {
      this.#calls = toCalls(this.#read());
      this.#forgetBody();
    }
    return this.#calls;
  }

  /** The undecoded body. Undefined if definitions or calls are objects already. */
  get body(): Body | undefined {
    return this.#definitions === undefined && this.#calls === undefined ? this.#read() : undefined;
  }

  #read(): Body {
    if (this.#body === undefined) {
      this.#body = (parseList(this.#text.slice(this.#bodyAt)) as Body | undefined) ?? EMPTY_BODY;
      this.#text = "";
    }
    return this.#body;
  }

  #forgetBody(): void {
    if (this.#definitions !== undefined && this.#calls !== undefined) this.#body = EMPTY_BODY;
  }
}

/** A top-level definition that is not a member of another definition. */
export interface TopName {
  readonly name: string;
  readonly index: number;
}

/** Reads the encoded body if the definitions are not decoded yet. */
export function topNamesOf(facts: FileFacts): TopName[] {
  const body = facts instanceof DecodedFacts ? facts.body : undefined;
  const found: TopName[] = [];
  const add = (name: string, parent: number, owner: string, index: number) => {
    if (parent === -1 && owner === "" && name !== "") found.push({ name, index });
  };
  if (body === undefined) {
    facts.definitions.forEach(({ name, parent, owner }, i) => add(name, parent, owner, i));
    return found;
  }
  const [strings, all] = body;
  for (let at = 0, index = 0; at < all.length; at += lengthAt(all, at), index++)
    add(
      strings[all[at + 1] ?? -1] ?? "",
      all[at + 4] ?? -1,
      strings[all[at + 8] ?? -1] ?? "",
      index,
    );
  return found;
}

/** The distinct types, values, owners and bases of definitions and chains of calls, in no particular order. */
export function usedTextsOf(facts: FileFacts): Iterable<string> {
  const body = facts instanceof DecodedFacts ? facts.body : undefined;
  if (body === undefined) return usedTexts(facts);
  const [strings, definitions, calls] = body;
  const isUsed = new Uint8Array(strings.length);
  for (let at = 0; at < definitions.length; ) {
    const end = at + lengthAt(definitions, at);
    for (let field = at + 6; field < at + 9; field++) isUsed[definitions[field] ?? -1] = 1;
    for (let base = at + DEFINITION_FIELDS; base < end; base++) isUsed[definitions[base] ?? -1] = 1;
    at = end;
  }
  for (let at = 0; at < calls.length; at += CALL_FIELDS) isUsed[calls[at] ?? -1] = 1;
  return strings.filter((_, number) => isUsed[number] === 1);
}

function usedTexts({ definitions, calls }: FileFacts): Set<string> {
  const texts = new Set<string>();
  for (const { type, value, bases, owner } of definitions) {
    texts.add(type).add(value).add(owner);
    for (const base of bases) texts.add(base);
  }
  for (const { chain } of calls) texts.add(chain);
  return texts;
}

/** Undefined for anything but a list in JSON. */
export function parseList(encoded: string): readonly unknown[] | undefined {
  try {
    const rows: unknown = JSON.parse(encoded);
    return Array.isArray(rows) ? rows : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function toImport(row: ImportRow): ImportFact {
  const names: ImportedName[] = [];
  for (let i = 4; i + 1 < row.length; i += 2)
    names.push({ name: textOf(row[i]), alias: textOf(row[i + 1]) ?? "" });
  const [kind, module, line, scope] = row;
  return {
    kind: IMPORT_KINDS[Number(kind)] ?? "import",
    module: textOf(module) ?? "",
    names,
    line: Number(line),
    scope: Number(scope),
  };
}

function textOf(value: number | string | null | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The length of a definition in numbers. */
function lengthAt(definitions: readonly number[], at: number): number {
  return DEFINITION_FIELDS + (definitions[at + DEFINITION_FIELDS - 1] ?? 0);
}

function toDefinitions([strings, all]: Body): DefinitionFact[] {
  const text = (at: number) => strings[all[at] ?? -1] ?? "";
  const definitions: DefinitionFact[] = [];
  for (let at = 0; at < all.length; ) {
    const end = at + lengthAt(all, at);
    const line = all[at + 2] ?? 0;
    const bases: string[] = [];
    for (let base = at + DEFINITION_FIELDS; base < end; base++) bases.push(text(base));
    definitions.push({
      kind: KINDS[all[at] ?? -1] ?? "variable",
      name: text(at + 1),
      line,
      endLine: line + (all[at + 3] ?? 0),
      parent: all[at + 4] ?? -1,
      flags: all[at + 5] ?? 0,
      type: text(at + 6),
      value: text(at + 7),
      owner: text(at + 8),
      labels: text(at + 9),
      bases,
    });
    at = end;
  }
  return definitions;
}

function toCalls([strings, , all]: Body): CallFact[] {
  const calls: CallFact[] = [];
  for (let at = 0; at + CALL_FIELDS <= all.length; at += CALL_FIELDS) {
    calls.push({
      chain: strings[all[at] ?? -1] ?? "",
      line: all[at + 1] ?? 0,
      column: all[at + 2] ?? 0,
      scope: all[at + 3] ?? -1,
      context: all[at + 4] ?? 0,
      labels: strings[all[at + 5] ?? -1] ?? "",
    });
  }
  return calls;
}
