/** Strongly connected components of random graphs, compared with reachability. */

import { expect, it } from "vitest";
import { stronglyConnected } from "../../server/common/strongly-connected.ts";
import { forAllRandom } from "../support/random.ts";

it("stronglyConnected agrees with reachability", () =>
  forAllRandom({ seed: 1, numRuns: 60 }, (chance) => {
    const nodes = Array.from({ length: 1 + chance.int(12) }, (_, i) => `n${i}`);
    const share = chance.pick([0.05, 0.15, 0.3]);
    const next = new Map(nodes.map((node) => [node, nodes.filter(() => chance.chance(share))]));
    const groups = stronglyConnected(nodes, (node) => next.get(node) ?? []);
    const reached = new Map(nodes.map((node) => [node, reach(node)]));

    function reach(start: string): Set<string> {
      const seen = new Set([start]);
      for (const node of seen) for (const to of next.get(node) ?? []) seen.add(to);
      return seen;
    }
    expect(groups.flat().toSorted()).toEqual(nodes.toSorted());
    const groupOf = new Map(groups.flatMap((group, i) => group.map((node) => [node, i] as const)));
    for (const a of nodes) {
      for (const b of nodes) {
        const [there, back] = [reached.get(a)?.has(b), reached.get(b)?.has(a)];
        expect(groupOf.get(a) === groupOf.get(b)).toBe(there === true && back === true);
        // The components that a component leads to come before it.
        const isBehind = (groupOf.get(b) ?? 0) > (groupOf.get(a) ?? 0);
        expect(there === true && isBehind).toBe(false);
      }
    }
  }));
