/**
 * Edits our entry in JSON with comments. Everything else keeps its bytes, and the layout of an insertion shows the state before
 * it, which `remove` restores:
 *
 * - in a new file, each value of the entry has its own line;
 * - where we add the object above the entry, too, its braces have spaces inside;
 * - in an object of the user, the entry has a line of its own if the closing brace does, and otherwise no spaces around it;
 * - the entry has a trailing comma if the last property had one.
 */

import { isDeepStrictEqual } from "node:util";
import { findNodeAtLocation, type Node, type ParseError, parseTree, visit } from "jsonc-parser";
import { BadRequest } from "../../common/errors.ts";
import { SERVER_NAME, type ServerEntry } from "../../config/agent-clients.ts";
import type { EntryFormat, EntryPlace } from "./server-entry.ts";
import { lineEnding } from "./text-block.ts";

/** Configurations have a handful of levels. Without a limit, recursion overflows the stack on a hostile file. */
const MAX_DEPTH = 100;

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export const jsonFormat: EntryFormat = {
  read(text, place) {
    const root = parse(text, place);
    for (const keys of place.keys) {
      const node = findNodeAtLocation(root, [...keys, SERVER_NAME]);
      if (node !== undefined) return valueOf(node);
    }
    return undefined;
  },
  create(entry, { keys: [keys = []] }) {
    const whole = [...keys, SERVER_NAME].reduceRight<unknown>(
      (below, key) => ({ [key]: below }),
      entry,
    );
    return `${JSON.stringify(whole, null, 2)}\n`;
  },
  add(text, entry, place) {
    const root = parse(text, place);
    const keys = [...keysIn(root, place), SERVER_NAME];
    const there = findNodeAtLocation(root, keys);
    const edits =
      there === undefined ? insertion(text, root, keys, entry) : [replacement(there, entry)];
    return checked(text, applied(text, edits), [keys, entry], place);
  },
  remove(text, place) {
    const root = parse(text, place);
    const keys = [...keysIn(root, place), SERVER_NAME];
    const property = findNodeAtLocation(root, keys)?.parent;
    if (property === undefined) throw new BadRequest(`${place.shown} has no entry of ours`);
    return checked(text, applied(text, removal(text, property)), [keys, undefined], place);
  },
};

/** The keys above the servers: the last alternative that the file has. An alternative with our entry takes precedence. */
function keysIn(root: Node, { keys }: EntryPlace): readonly string[] {
  const withEntry = keys.find((each) => findNodeAtLocation(root, [...each, SERVER_NAME]));
  const present = keys.findLast((each) => findNodeAtLocation(root, [...each])?.type === "object");
  return withEntry ?? present ?? keys[0] ?? [];
}

function parse(text: string, place: EntryPlace): Node {
  if (isTooDeep(text)) throw new BadRequest(`${place.shown} has more than ${MAX_DEPTH} levels`);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (root === undefined || error !== undefined) {
    const line = text.slice(0, error?.offset ?? 0).split("\n").length;
    throw new BadRequest(`${place.shown}:${line}: invalid JSON`);
  }
  checkObjects(root, place);
  return root;
}

/** Counts brackets outside of strings and comments, without recursion and in linear time. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? "";
    if (letter === '"') at = endOfString(text, at);
    else if (text.startsWith("//", at)) at = indexAfter(text, "\n", at);
    else if (text.startsWith("/*", at)) at = indexAfter(text, "*/", at + 2);
    else if (letter === "[" || letter === "{") depth++;
    else if (letter === "]" || letter === "}") depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** The offset of the closing quote, or of the end of the line. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"' && text[at] !== "\n") at += text[at] === "\\" ? 2 : 1;
  return at;
}

/** The offset of the last letter of `end`, or of the end of the text. */
function indexAfter(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found === -1 ? text.length : found + end.length - 1;
}

/** Throws BadRequest if a value on the way to our entry is not an object or its key is there twice. */
function checkObjects(root: Node, { keys, shown }: EntryPlace): void {
  for (const path of keys) {
    let node: Node | undefined = root;
    for (const [depth, key] of [...path, SERVER_NAME].entries()) {
      const above = path.slice(0, depth).join(".") || "the file";
      if (node.type !== "object") throw new BadRequest(`${shown}: ${above} is not a JSON object`);
      const named: Node[] = propertiesOf(node).filter((each) => keyOf(each) === key);
      if (named.length > 1) throw new BadRequest(`${shown}: ${above} has "${key}" twice`);
      node = named[0]?.children?.[1];
      if (node === undefined) break;
    }
  }
}

function propertiesOf(node: Node): readonly Node[] {
  return node.children ?? [];
}

function keyOf(property: Node): unknown {
  return property.children?.[0]?.value;
}

const endOf = ({ offset, length }: Node) => offset + length;

function valueOf(node: Node): unknown {
  if (node.type === "array") return propertiesOf(node).map(valueOf);
  if (node.type !== "object") return node.value;
  return Object.fromEntries(
    propertiesOf(node).map((each) => [
      keyOf(each),
      each.children?.[1] && valueOf(each.children[1]),
    ]),
  );
}

function replacement(node: Node, entry: ServerEntry): Edit {
  return { start: node.offset, end: endOf(node), text: inline(entry) };
}

/** On one line: `{ "command": "cocosearch-lsp", "args": ["mcp"] }`. */
function inline(entry: ServerEntry): string {
  const list = (value: readonly string[]) => value.map((each) => JSON.stringify(each)).join(", ");
  const values = Object.entries(entry).map(
    ([key, value]) =>
      `${JSON.stringify(key)}: ${typeof value === "string" ? JSON.stringify(value) : `[${list(value)}]`}`,
  );
  return `{ ${values.join(", ")} }`;
}

function insertion(text: string, root: Node, keys: readonly string[], entry: ServerEntry): Edit[] {
  let depth = keys.length - 1;
  while (findNodeAtLocation(root, keys.slice(0, depth)) === undefined) depth--;
  const target = findNodeAtLocation(root, keys.slice(0, depth)) ?? root;
  const [name = "", ...below] = keys.slice(depth);
  const value = below.reduceRight(
    (inner, key) => `{ ${JSON.stringify(key)}: ${inner} }`,
    inline(entry),
  );
  const property = `${JSON.stringify(name)}: ${value}`;
  const close = endOf(target) - 1;
  const line = lineStart(text, close);
  const last = propertiesOf(target).at(-1);
  const hasOwnLine = line > target.offset && isBlank(text.slice(line, close));
  if (!hasOwnLine) {
    const at = last === undefined ? target.offset + 1 : endOf(last);
    return [{ start: at, end: at, text: last === undefined ? property : `, ${property}` }];
  }
  const hasComma = last !== undefined && commaBetween(text, endOf(last), close) !== undefined;
  const indent = last === undefined ? undefined : indentOf(text, last);
  const indented = indent ?? text.slice(line, close) + unitOf(text, root);
  const added = `${indented}${property}${hasComma ? "," : ""}${lineEnding(text)}`;
  const comma =
    last === undefined || hasComma ? [] : [{ start: endOf(last), end: endOf(last), text: "," }];
  return [...comma, { start: line, end: line, text: added }];
}

function removal(text: string, own: Node): Edit[] {
  const property = outermostOwn(text, own);
  const object = property.parent ?? property;
  const siblings = propertiesOf(object);
  const index = siblings.indexOf(property);
  const [before, after] = [siblings[index - 1], siblings[index + 1]];
  const next = commaBetween(text, endOf(property), after?.offset ?? endOf(object) - 1);
  const previous = before && commaBetween(text, endOf(before), property.offset);
  const [start, end] = [property.offset, next === undefined ? endOf(property) : next + 1];
  const line = lineStart(text, start);
  const rest = /^[ \t]*\r?\n/.exec(text.slice(end))?.[0];
  const cut = (from: number, to: number): Edit => ({ start: from, end: to, text: "" });
  if (isBlank(text.slice(line, start)) && line > object.offset && rest !== undefined) {
    const needsComma = after !== undefined || next !== undefined;
    const comma = needsComma || previous === undefined ? [] : [cut(previous, previous + 1)];
    return [...comma, cut(line, end + rest.length)];
  }
  if (after !== undefined) return [cut(start, text[end] === " " ? end + 1 : end)];
  if (previous === undefined) return [cut(start, end)];
  return [cut(previous, endOf(property))];
}

/** The property to remove: ours, or the one above it if we added that, too. */
function outermostOwn(text: string, own: Node): Node {
  let property = own;
  for (;;) {
    const object = property.parent;
    const above = object?.parent;
    if (object === undefined || above === undefined) return property;
    const inner = text.slice(object.offset + 1, endOf(object) - 1);
    if (inner !== ` ${text.slice(property.offset, endOf(property))} `) return property;
    property = above;
  }
}

/** The offset of the comma in a range that has no properties. */
function commaBetween(text: string, start: number, end: number): number | undefined {
  let found: number | undefined;
  visit(
    text,
    {
      onSeparator: (character, offset) => {
        if (character === "," && offset >= start && offset < end) found ??= offset;
      },
    },
    { allowTrailingComma: true },
  );
  return found;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** The indentation of a property that begins its line. */
function indentOf(text: string, { offset }: Node): string | undefined {
  const before = text.slice(lineStart(text, offset), offset);
  return isBlank(before) ? before : undefined;
}

/** One step of indentation: that of the file's first property, or two spaces. */
function unitOf(text: string, root: Node): string {
  const [first] = propertiesOf(root);
  return (first && indentOf(text, first)) || "  ";
}

/** Applies edits that do not overlap. */
function applied(text: string, edits: readonly Edit[]): string {
  const backwards = edits.toSorted((a, b) => b.start - a.start);
  return backwards.reduce(
    (edited, { start, end, text: added }) => edited.slice(0, start) + added + edited.slice(end),
    text,
  );
}

/** `after`, if it differs from `before` by our entry alone. */
function checked(
  before: string,
  after: string,
  [keys, entry]: readonly [readonly string[], ServerEntry | undefined],
  place: EntryPlace,
): string {
  const same = (text: string) => setAt(valueOf(parse(text, place)), keys, entry);
  const value = jsonFormat.read(after, place);
  if (!isDeepStrictEqual(same(before), same(after)) || !isDeepStrictEqual(value, entry)) {
    const entryName = keys.join(".");
    throw new BadRequest(
      `${place.shown} cannot be edited without touching anything else; change ${entryName} yourself`,
    );
  }
  return after;
}

/** A copy with the entry at these keys. Objects that are then empty are left out. */
function setAt(value: unknown, [key, ...below]: readonly string[], entry: unknown): unknown {
  if (key === undefined) return entry;
  const { [key]: inner, ...others } = (value ?? {}) as Record<string, unknown>;
  const set = setAt(inner, below, entry);
  const isEmpty = set === undefined || Object.keys(set as object).length === 0;
  return isEmpty ? others : { ...others, [key]: set };
}
