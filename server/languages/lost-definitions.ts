/** Recovers definitions that a tree has lost to syntax errors, by definition patterns. */

import type { Node } from "web-tree-sitter";
import { lineAt } from "../common/text.ts";
import type { FoundDefinition } from "./scopes.ts";

/** Node types whose content is text, not code. */
const TEXT_NODE = /comment|string|heredoc|template|char|regex/;

/** Languages whose patterns match nothing but definitions. Inside an error, the grammar may have taken them for other code. */
const HAS_SURE_PATTERNS: ReadonlySet<string> = new Set(["perl"]);

/** The pattern matches inside an error that are not definitions of the tree. */
export function lostDefinitions(
  root: Node,
  outlined: readonly FoundDefinition[],
  found: readonly FoundDefinition[],
  starts: readonly number[],
  languageId: string,
): FoundDefinition[] {
  const isSure = HAS_SURE_PATTERNS.has(languageId);
  const known = new Set(found.map(({ nameLine }) => nameLine));
  return outlined.filter(
    ({ nameLine, nodeStart }) =>
      !known.has(nameLine) && isInError(root, nodeStart, isSure ? -1 : nameLine, starts),
  );
}

/** Whether the innermost valid node that begins before a line and is around its start is inside an error. */
function isInError(root: Node, offset: number, line: number, starts: readonly number[]): boolean {
  let node = root.descendantForIndex(offset, offset + 1);
  for (; node !== null; node = node.parent) {
    if (node.isError) return true;
    if (TEXT_NODE.test(node.type)) return false;
    if (!node.hasError && lineAt(starts, node.startIndex) < line) return false;
  }
  return false;
}
