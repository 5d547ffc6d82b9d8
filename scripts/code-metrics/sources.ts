/** Reads the structure of TypeScript sources by their text: imports, exports, functions, and the cycles between files. */

/** Static and dynamic imports, types included. */
export function importsOf(text: string): string[] {
  const statements = text.matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)"/gm);
  const dynamic = text.matchAll(/\bimport\("([^"]+)"\)/g);
  return [...statements, ...dynamic].map(([, from = ""]) => from);
}

export function exportedNames(text: string): string[] {
  const declared = text.matchAll(
    /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm,
  );
  return [...new Set([...declared].map(([, name = ""]) => name))];
}

/** A declaration of a function or method that ends its line with the opening brace of its body. */
const HEAD =
  /^(?<indent>[ ]*)(?:export )?(?:(?:async )?function\b.*|(?:static |override |async |get |set |private |\*)*(?!if\b|for\b|while\b|switch\b|catch\b|return\b|do\b|else\b)[#\w]+(?:<[^>]*>)?\(.*|(?:const|let) \w+ = (?:async )?(?:\(.*|\w+ )=> )/;

/** Lines of each function and method from its first line to its closing brace, which the formatter puts on the same indentation. */
export function functionLengths(text: string): number[] {
  const lines = text.split("\n");
  return lines.flatMap((line, start) => {
    const indent = HEAD.exec(line)?.groups?.["indent"];
    if (indent === undefined || !isFunction(lines, start, indent)) return [];
    const end = lines.findIndex((each, i) => i > start && isEnd(each, indent, lines, start));
    return end < 0 ? [] : [end - start + 1];
  });
}

/** The parameters may take several lines; the body begins where a line of this indentation or the first one ends in a brace. */
function isFunction(lines: readonly string[], start: number, indent: string): boolean {
  const first = lines[start] ?? "";
  if (first.endsWith("({")) {
    const close = lines.findIndex((each, i) => i > start && each.startsWith(`${indent}}`));
    return close > 0 && (lines[close] ?? "").endsWith(" {");
  }
  if (first.endsWith("{")) return /[)>\w\]}] (?:=> )?\{$/.test(first);
  if (!first.endsWith("(")) return false;
  const close = lines.findIndex((each, i) => i > start && each.startsWith(`${indent})`));
  return close > 0 && (lines[close] ?? "").endsWith("{");
}

function isEnd(line: string, indent: string, lines: readonly string[], start: number): boolean {
  if (!line.startsWith(`${indent}}`)) return false;
  // `}): Promise<void> {` closes destructured parameters, not the body.
  return !(line.endsWith("{") && !(lines[start] ?? "").endsWith(") {"));
}

/** Groups of files that import each other, by Tarjan's algorithm; each group is sorted. */
export function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const groups: string[][] = [];
  const visit = (file: string): void => {
    const own = order.size;
    order.set(file, own);
    lowest.set(file, own);
    open.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue;
      if (!order.has(next)) visit(next);
      if (open.includes(next)) {
        lowest.set(file, Math.min(lowest.get(file) ?? own, lowest.get(next) ?? own));
      }
    }
    if (lowest.get(file) !== own) return;
    const group = open.splice(open.indexOf(file));
    if (group.length > 1) groups.push(group.toSorted());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return groups;
}
