/** Checks encoded facts that another program wrote: a wrong number could let a reader loop or show a line that is not there. */

import { CALL_FIELDS, DEFINITION_FIELDS, IMPORT_KINDS, KINDS, parseList } from "./encoded-facts.ts";
import { FACTS_VERSION } from "./facts.ts";

/** The file that the facts belong to. */
export interface FactsOf {
  /** The number of lines of the file. */
  readonly lines: number;
  /** Whether the file has every word of a text. */
  isText(text: string): boolean;
}

/** False for facts that `encodeFacts` would not have written for this file. */
export function areSoundFacts(encoded: string, file: FactsOf): boolean {
  const [first = "", second = "", ...others] = encoded.split("\n");
  const head = parseList(first);
  const body = parseList(second);
  if (others.length > 0 || head === undefined || body === undefined) return false;
  const definitions = soundBody(body, file);
  return definitions !== undefined && isSoundHead(head, definitions, file);
}

function isSoundHead(head: readonly unknown[], definitions: number, file: FactsOf): boolean {
  const [version, language, packageName, imports, manifest] = head;
  if (version !== FACTS_VERSION || head.length > 5) return false;
  if (typeof language !== "string" || !/^[\w+#.-]{0,40}$/.test(language)) return false;
  if (typeof packageName !== "string" || !file.isText(packageName)) return false;
  if (!Array.isArray(imports)) return false;
  if (manifest !== undefined && !file.isText(textsIn(manifest).join("\n"))) return false;
  return imports.every((row) => Array.isArray(row) && isSoundImport(row, definitions, file));
}

function isSoundImport(row: readonly unknown[], definitions: number, file: FactsOf): boolean {
  const [kind, module, line, scope, ...names] = row;
  return (
    isIndex(kind, IMPORT_KINDS.length) &&
    typeof module === "string" &&
    file.isText(module) &&
    isIndex(line, file.lines) &&
    isIndexOrNone(scope, definitions) &&
    names.length % 2 === 0 &&
    names.every((name) => name === null || (typeof name === "string" && file.isText(name)))
  );
}

/** The number of definitions; undefined for an unsound body. */
function soundBody(body: readonly unknown[], file: FactsOf): number | undefined {
  const [strings, definitions, calls] = body;
  if (body.length !== 3 || !Array.isArray(strings)) return undefined;
  if (!strings.every((text) => typeof text === "string" && file.isText(text))) return undefined;
  if (!areNumbers(definitions) || !areNumbers(calls)) return undefined;
  const count = soundDefinitions(definitions, strings.length, file.lines);
  if (count === undefined || calls.length % CALL_FIELDS !== 0) return undefined;
  for (let at = 0; at < calls.length; at += CALL_FIELDS) {
    const [chain, line, column = -1, scope, context = -1, labels] = calls.slice(
      at,
      at + CALL_FIELDS,
    );
    const isSound =
      isIndex(chain, strings.length) &&
      isIndex(line, file.lines) &&
      isIndexOrNone(scope, count) &&
      isIndex(labels, strings.length) &&
      Math.min(column, context) >= 0;
    if (!isSound) return undefined;
  }
  return count;
}

/** An enclosing definition comes first, so that no chain of parents is a circle. */
function soundDefinitions(
  all: readonly number[],
  strings: number,
  lines: number,
): number | undefined {
  let count = 0;
  for (let at = 0; at < all.length; count++) {
    const [kind, name, line = -1, length = -1, parent, flags = -1, ...rest] = all.slice(
      at,
      at + DEFINITION_FIELDS,
    );
    const [type, value, owner, labels, bases = -1] = rest;
    const end = at + DEFINITION_FIELDS + bases;
    const texts = [name, type, value, owner, labels, ...all.slice(at + DEFINITION_FIELDS, end)];
    const isSound =
      bases >= 0 &&
      end <= all.length &&
      isIndex(kind, KINDS.length) &&
      isIndex(line, lines) &&
      length >= 0 &&
      line + length <= lines &&
      isIndexOrNone(parent, count) &&
      flags >= 0 &&
      texts.every((text) => isIndex(text, strings));
    if (!isSound) return undefined;
    at = end;
  }
  return count;
}

function areNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((each) => Number.isSafeInteger(each));
}

function isIndex(value: unknown, length: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < length;
}

function isIndexOrNone(value: unknown, length: number): boolean {
  return value === -1 || isIndex(value, length);
}

/** All texts of a JSON value, with its keys. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}
