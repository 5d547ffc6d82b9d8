/** Finds the definitions of a parsed file by the captures of grammars/<language>/symbols.scm. */

import type { Node, QueryMatch } from "web-tree-sitter";
import { lineAt } from "../common/text.ts";
import { nameOf } from "./names.ts";
import { type FoundDefinition, type Kind, signatureOf } from "./scopes.ts";
import type { Language } from "./table.ts";

/**
 * A clause is one of several equations of a function, which form one definition. A package has no block and extends to the
 * next package.
 */
type CaptureKind = Kind | "clause" | "package";

const KINDS: ReadonlySet<string> = new Set<CaptureKind>([
  "function",
  "class",
  "method",
  "interface",
  "variable",
  "module",
  "owner",
  "namespace",
  "clause",
  "package",
]);

const AS_KIND: Readonly<Partial<Record<CaptureKind, Kind>>> = {
  clause: "function",
  package: "module",
};

/** Nodes that are not scopes: their content is not qualified with their name. */
const NOT_SCOPES: ReadonlySet<string> = new Set(["type_definition", "preproc_function_def"]);

/** In UTF-16 units: a definition without body of up to six lines is its own signature. */
const MAX_WHOLE_LENGTH = 300;

interface Captured {
  readonly pattern: number;
  readonly kind: CaptureKind;
  readonly node: Node;
  readonly name: Node;
  readonly body: Node | undefined;
  /** Outermost first. */
  readonly qualifiers: readonly Node[];
  /** The type of a block, for languages whose blocks all have the same node type. */
  readonly blockType: Node | undefined;
}

/** A comment, decorator or attribute, which belongs to the next definition. */
interface Doc {
  readonly start: number;
  readonly end: number;
}

interface Captures {
  readonly definitions: readonly Captured[];
  /** The wrapping statement of a node by node id: `export`, `const`, `template`. */
  readonly wrappers: ReadonlyMap<number, Node>;
  /** In source order. */
  readonly docs: readonly Doc[];
}

/** `names` are the names that macros define in their arguments, by offset of the macro. */
export function findDefinitions(
  matches: readonly QueryMatch[],
  text: string,
  starts: readonly number[],
  separator: Language["separator"],
  names: ReadonlyMap<number, string> = new Map(),
): FoundDefinition[] {
  const { definitions, wrappers, docs } = sort(matches, text);
  const docStarts = new Map(docs.map((doc) => [doc.start, doc]));
  const found: FoundDefinition[] = [];
  const clauses: FoundDefinition[] = [];
  const packages: FoundDefinition[] = [];
  for (const { kind, node, name: nameNode, body, qualifiers, blockType } of definitions) {
    const own = nameOf(names.get(nameNode.startIndex) ?? nameNode.text, separator);
    if (own === undefined) continue;
    const outer = outermost(node, wrappers);
    const end = trimEnd(text, outer.startIndex, Math.max(outer.endIndex, body?.endIndex ?? 0));
    const nodeStart = skipDocs(text, outer.startIndex, end, docStarts);
    const into = kind === "clause" ? clauses : kind === "package" ? packages : found;
    into.push({
      kind: AS_KIND[kind] ?? (kind as Kind),
      name: [...qualifiers.map(({ text: outside }) => outside), own].join(separator),
      signature:
        kind === "variable"
          ? signatureOfVariable(text.slice(nodeStart, end))
          : signatureAt(text, nodeStart, end, nameNode, body),
      start: startWithDocs(text, outer.startIndex, docs),
      nodeStart,
      end,
      nameLine: lineAt(starts, nameNode.startIndex),
      nodeType: blockType?.text ?? node.type,
      isScope: kind !== "variable" && !NOT_SCOPES.has(node.type),
    });
  }
  return [...found, ...joinClauses(clauses, text), ...extendPackages(packages, text)];
}

/** Joins adjacent clauses with the same name; only comments may be between them. */
function joinClauses(clauses: readonly FoundDefinition[], text: string): FoundDefinition[] {
  const joined: FoundDefinition[] = [];
  for (const clause of clauses.toSorted((a, b) => a.nodeStart - b.nodeStart)) {
    const last = joined.at(-1);
    const follows = last?.name === clause.name && text.slice(last.end, clause.start).trim() === "";
    if (follows) joined[joined.length - 1] = { ...last, end: clause.end };
    else joined.push(clause);
  }
  return joined;
}

function extendPackages(packages: readonly FoundDefinition[], text: string): FoundDefinition[] {
  const ordered = packages.toSorted((a, b) => a.nodeStart - b.nodeStart);
  return ordered.map((item, i) => {
    const limit = ordered[i + 1]?.start ?? text.length;
    return { ...item, end: Math.max(item.end, trimEnd(text, item.nodeStart, limit)) };
  });
}

function sort(matches: readonly QueryMatch[], text: string): Captures {
  const definitions = new Map<number, Captured>();
  const wrappers = new Map<number, Node>();
  const docs: Doc[] = [];
  for (const { patternIndex: pattern, captures } of matches) {
    const by = (name: string) => captures.find((capture) => capture.name === name)?.node;
    const head = captures.find((capture) => KINDS.has(capture.name));
    const name = by("name");
    const [wrapper, wrapped, doc] = [by("wrapper"), by("wrapped"), by("doc")];
    if (head !== undefined && name !== undefined) {
      const { name: kind, node } = head;
      const known = definitions.get(node.id);
      // If several patterns match a node, the first one in symbols.scm decides.
      if (known !== undefined && known.pattern <= pattern) continue;
      const qualifiers = captures
        .filter((capture) => capture.name === "qualifier")
        .map((capture) => capture.node);
      const parts = { body: by("body"), qualifiers, blockType: by("type") };
      definitions.set(node.id, { pattern, kind: kind as CaptureKind, node, name, ...parts });
    } else if (wrapper !== undefined && wrapped !== undefined) {
      wrappers.set(wrapped.id, wrapper);
    } else if (doc !== undefined) {
      const { startIndex: start, endIndex } = doc;
      docs.push({ start, end: trimEnd(text, start, endIndex) });
    }
  }
  docs.sort((a, b) => a.start - b.start);
  return { definitions: [...definitions.values()], wrappers, docs };
}

function outermost(node: Node, wrappers: ReadonlyMap<number, Node>): Node {
  let outer = node;
  for (let next = wrappers.get(outer.id); next !== undefined; next = wrappers.get(outer.id))
    outer = next;
  return outer;
}

/** Trims trailing white space: some nodes include their line feed. */
function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}

/** The start of the contiguous comments and decorators directly before `start`. */
function startWithDocs(text: string, start: number, docs: readonly Doc[]): number {
  let first = start;
  for (let i = lastBefore(docs, start); i >= 0; i--) {
    const doc = docs[i];
    if (doc === undefined || doc.end > first) continue;
    const gap = text.slice(doc.end, first);
    if (gap.trim() !== "" || gap.split("\n").length > 2) break;
    // A trailing comment on the line above belongs to that line.
    if (gap.includes("\n") && !isFirstOnLine(text, doc.start)) break;
    first = doc.start;
  }
  return first;
}

/** Binary search for the last doc that begins before the offset; -1 if there is none. */
function lastBefore(docs: readonly Doc[], offset: number): number {
  let low = 0;
  let high = docs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((docs[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The offset after the decorators and attributes inside the node. */
function skipDocs(
  text: string,
  start: number,
  end: number,
  docs: ReadonlyMap<number, Doc>,
): number {
  let at = start;
  for (let doc = docs.get(at); doc !== undefined && doc.end < end; doc = docs.get(at)) {
    at = doc.end;
    while (at < end && isSpace(text.charCodeAt(at))) at++;
  }
  return at;
}

function signatureAt(
  text: string,
  start: number,
  end: number,
  name: Node,
  body: Node | undefined,
): string {
  if (body === undefined) return signatureWithoutBody(text.slice(start, end));
  const head = text.slice(start, body.startIndex);
  // The name of a C typedef is after its body.
  return signatureOf(name.startIndex > body.startIndex ? `${head} ${name.text}` : head);
}

/** The signature of a definition without a body: the whole text if it is short, else its first line. */
function signatureWithoutBody(definition: string): string {
  const all = definition.length > MAX_WHOLE_LENGTH ? undefined : signatureOf(definition);
  return all ?? signatureOf(definition.split("\n", 1)[0] ?? "");
}

/** The first line, without a semicolon, and without the bracket that opens a longer value: later lines may be in another chunk. */
function signatureOfVariable(definition: string): string {
  const [line = ""] = definition.split("\n", 1);
  return signatureOf(line.replace(/\s*=\s*[([{]+\s*$|\s*;\s*$/, ""));
}

function isFirstOnLine(text: string, offset: number): boolean {
  let at = offset - 1;
  while (at >= 0 && text[at] !== "\n" && isSpace(text.charCodeAt(at))) at--;
  return at < 0 || text[at] === "\n";
}

function isSpace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13);
}
