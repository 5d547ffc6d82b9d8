/** Definitions that a tree has lost to a syntax error: patterns find them, where the grammar did not understand the text. */

import type { Node } from "web-tree-sitter";
import { lineAt } from "../common/text.ts";
import type { Found } from "./scopes.ts";

/** What a pattern finds in these is text. */
const TEXT_NODE = /comment|string|heredoc|template|char|regex/;

/** Of what patterns found, what is in an error and is no definition of the tree. */
export function lostDefinitions(
  root: Node,
  outlined: readonly Found[],
  found: readonly Found[],
  starts: readonly number[],
): Found[] {
  const known = new Set(found.map(({ nameLine }) => nameLine));
  return outlined.filter(
    ({ nameLine, nodeStart }) =>
      !known.has(nameLine) && isInError(root, nodeStart, nameLine, starts),
  );
}

/** Whether the innermost construct that the grammar understood around the beginning of a line is in an error. */
function isInError(root: Node, offset: number, line: number, starts: readonly number[]): boolean {
  let node = root.descendantForIndex(offset, offset + 1);
  for (; node !== null; node = node.parent) {
    if (node.isError) return true;
    if (TEXT_NODE.test(node.type)) return false;
    if (!node.hasError && lineAt(starts, node.startIndex) < line) return false;
  }
  return false;
}
