/** From what was found in a text to definitions: names qualified by their scopes, functions of a class told from free ones. */

import { lineAt, wholeCharacter } from "../common/text.ts";
import type { Definition } from "../contracts/languages.ts";
import type { SymbolType } from "../contracts/model.ts";

/** A module is a class whose functions stay functions; an owner makes methods (`impl`, an object's name); a namespace only qualifies. */
export type Kind = SymbolType | "module" | "owner" | "namespace";

/** A definition or scope before its surroundings are known. Offsets are UTF-16 units. */
export interface Found {
  readonly kind: Kind;
  readonly name: string;
  readonly signature: string;
  readonly start: number;
  readonly nodeStart: number;
  readonly end: number;
  readonly nameLine: number;
  readonly nodeType: string;
  /** False where its contents do not belong to the name: a struct in its typedef. */
  readonly isScope: boolean;
}

interface Scope {
  readonly end: number;
  readonly name: string;
  readonly kind: Kind;
}

/** Deeper definitions are left out: nobody wrote them. */
const MAX_DEPTH = 100;
/** In UTF-16 units: what is around a longer name is not named with it. */
const MAX_SCOPE_NAME_LENGTH = 500;

/** In source order, outer before inner. */
export function toDefinitions(
  found: readonly Found[],
  starts: readonly number[],
  separator: string,
): Definition[] {
  const ordered = found.toSorted((a, b) => a.nodeStart - b.nodeStart || b.end - a.end);
  const scopes: Scope[] = [];
  const definitions: Definition[] = [];
  for (const item of ordered) {
    while (scopes.length > 0 && (scopes.at(-1)?.end ?? 0) < item.end) scopes.pop();
    if (scopes.length >= MAX_DEPTH) continue;
    const around = scopes.at(-1);
    const isNamed = around !== undefined && around.name.length <= MAX_SCOPE_NAME_LENGTH;
    const name = isNamed ? `${around.name}${separator}${item.name}` : item.name;
    const type = typeOf(item, around, separator);
    if (item.isScope) scopes.push({ end: item.end, name, kind: item.kind });
    const previous = definitions.at(-1);
    if (type === undefined) continue;
    if (previous !== undefined && isRepeated(previous, name, type, item)) {
      // Where it begins, and not behind the last brace.
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

/** Undefined for what only gives its name to others. */
function typeOf(item: Found, around: Scope | undefined, separator: string): SymbolType | undefined {
  if (item.kind === "owner" || item.kind === "namespace") return undefined;
  if (item.kind === "module") return "class";
  if (item.kind !== "function") return item.kind;
  return isOwner(around?.kind) || item.name.includes(separator) ? "method" : "function";
}

function isOwner(kind: Kind | undefined): boolean {
  return kind === "class" || kind === "interface" || kind === "owner";
}

/** `typedef struct point {...} point;` defines one thing. */
function isRepeated(previous: Definition, name: string, type: SymbolType, item: Found): boolean {
  const { symbol, end } = previous;
  return symbol.name === name && symbol.type === type && item.end <= end && item.isScope;
}

/** Longest signature that is kept, in UTF-16 units. */
const MAX_SIGNATURE_LENGTH = 200;

/** The head of a definition on one line, without the bracket or colon that opens its body. */
export function signatureOf(head: string): string {
  const line = head
    .slice(0, MAX_SIGNATURE_LENGTH * 5)
    .replaceAll(/\s+/g, " ")
    .replace(/^ | ?[{:=]? ?$/g, "");
  return line.slice(0, wholeCharacter(line, MAX_SIGNATURE_LENGTH)).trimEnd();
}
