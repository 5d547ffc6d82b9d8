/** Converts found definitions to symbols: qualifies names by their scopes, and distinguishes methods from functions. */

import { lineAt, wholeCharacter } from "../common/text.ts";
import type { Definition } from "../contracts/languages.ts";
import type { SymbolType } from "../contracts/model.ts";

/**
 * `module`: a class whose functions are not methods. `owner`: turns functions into methods (`impl`, an object's name).
 * `namespace`: only qualifies names.
 */
export type Kind = SymbolType | "module" | "owner" | "namespace";

/** A definition or scope before qualification. Offsets are in UTF-16 units. */
export interface FoundDefinition {
  readonly kind: Kind;
  readonly name: string;
  readonly signature: string;
  readonly start: number;
  readonly nodeStart: number;
  readonly end: number;
  readonly nameLine: number;
  readonly nodeType: string;
  /** False if the content is not qualified with the name: a struct in its typedef. */
  readonly isScope: boolean;
}

interface Scope {
  readonly end: number;
  readonly name: string;
  readonly kind: Kind;
}

/** Depth limit for untrusted files; deeper definitions are dropped. */
const MAX_DEPTH = 100;
/** In UTF-16 units: longer scope names do not qualify inner names. */
const MAX_SCOPE_NAME_LENGTH = 500;

/** Qualified names of nested definitions, in source order, outer before inner. */
export function toDefinitions(
  found: readonly FoundDefinition[],
  starts: readonly number[],
  separator: string,
): Definition[] {
  const ordered = found.toSorted((a, b) => a.nodeStart - b.nodeStart || b.end - a.end);
  const scopes: Scope[] = [];
  const definitions: Definition[] = [];
  const names = new Set<string>();
  for (const item of ordered) {
    while (scopes.length > 0 && (scopes.at(-1)?.end ?? 0) < item.end) scopes.pop();
    if (scopes.length >= MAX_DEPTH) continue;
    const enclosing = scopes.at(-1);
    const isNamed = enclosing !== undefined && enclosing.name.length <= MAX_SCOPE_NAME_LENGTH;
    const name = isNamed ? `${enclosing.name}${separator}${item.name}` : item.name;
    const type = typeOf(item, enclosing, separator);
    if (item.isScope) scopes.push({ end: item.end, name, kind: item.kind });
    const previous = definitions.at(-1);
    if (type === undefined) continue;
    // A name that is assigned many times is defined at its first place.
    if (type === "variable" && names.has(name)) continue;
    names.add(name);
    if (previous !== undefined && isRepeated(previous, name, type, item)) {
      // Keep the first line of the definition, not the line after the closing brace.
      const nameLine = Math.min(previous.symbol.nameLine, item.nameLine);
      definitions[definitions.length - 1] = {
        ...previous,
        symbol: { ...previous.symbol, nameLine },
      };
      continue;
    }
    const lines = { start: lineAt(starts, item.start), end: lineAt(starts, item.end) };
    definitions.push({
      symbol: { name, type, signature: item.signature, lines, nameLine: item.nameLine },
      start: item.start,
      end: item.end,
      nodeStart: item.nodeStart,
      nodeType: item.nodeType,
    });
  }
  return definitions;
}

/** Undefined for scopes that only qualify names. */
function typeOf(
  item: FoundDefinition,
  enclosing: Scope | undefined,
  separator: string,
): SymbolType | undefined {
  if (item.kind === "owner" || item.kind === "namespace") return undefined;
  if (item.kind === "module") return "class";
  if (item.kind !== "function") return item.kind;
  return isOwner(enclosing?.kind) || item.name.includes(separator) ? "method" : "function";
}

function isOwner(kind: Kind | undefined): boolean {
  return kind === "class" || kind === "interface" || kind === "owner";
}

/** `typedef struct point {...} point;` is one definition. */
function isRepeated(
  previous: Definition,
  name: string,
  type: SymbolType,
  item: FoundDefinition,
): boolean {
  const { symbol, end } = previous;
  return symbol.name === name && symbol.type === type && item.end <= end && item.isScope;
}

/** The maximum length of a signature, in UTF-16 units. */
const MAX_SIGNATURE_LENGTH = 200;

/** The head of a definition on one line, without the bracket or colon that opens its body. */
export function signatureOf(head: string): string {
  const line = head
    .slice(0, MAX_SIGNATURE_LENGTH * 5)
    .replaceAll(/\s+/g, " ")
    .replace(/^ | ?[{:=]? ?$/g, "");
  return line.slice(0, wholeCharacter(line, MAX_SIGNATURE_LENGTH)).trimEnd();
}
