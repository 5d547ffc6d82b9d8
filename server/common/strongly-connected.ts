/** Finds the strongly connected components of a directed graph: its cycles. */

/**
 * Tarjan's algorithm without recursion. A component comes after the components that it leads to (reverse topological
 * order). Most components have one node.
 */
export function stronglyConnected(
  nodes: readonly string[],
  next: (node: string) => readonly string[],
): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const groups: string[][] = [];
  for (const start of nodes) {
    if (order.has(start)) continue;
    const path = [enter(start)];
    while (path.length > 0) {
      const frame = path.at(-1);
      if (frame === undefined) break;
      const target = frame.targets[frame.at++];
      if (target === undefined) {
        path.pop();
        leave(frame.node, path.at(-1)?.node);
      } else if (!order.has(target)) path.push(enter(target));
      else if (isOpen.has(target)) lower(frame.node, order.get(target) ?? 0);
    }
  }
  return groups;

  function enter(node: string) {
    order.set(node, order.size);
    low.set(node, order.size - 1);
    open.push(node);
    isOpen.add(node);
    return { node, targets: next(node), at: 0 };
  }

  function leave(node: string, around: string | undefined): void {
    const lowest = low.get(node) ?? 0;
    if (around !== undefined) lower(around, lowest);
    if (lowest !== order.get(node)) return;
    const group = open.splice(open.indexOf(node));
    for (const one of group) isOpen.delete(one);
    groups.push(group);
  }

  function lower(node: string, to: number): void {
    low.set(node, Math.min(low.get(node) ?? to, to));
  }
}
