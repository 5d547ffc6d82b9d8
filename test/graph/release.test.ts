/** Releasing the caches of a graph: answers stay the same, and changes are followed. */

import { expect, it } from "vitest";
import { runToEnd } from "../../server/common/slices.ts";
import { decodeFacts } from "../../server/contracts/encoded-facts.ts";
import { callersOf } from "../../server/graph/answers/call-sites.ts";
import { qualifiedName } from "../../server/graph/graph.ts";
import { FactsCache } from "../../server/graph/project/facts-cache.ts";
import { callsIn, factsOf, graphOf, importsIn } from "../support/graph.ts";

const CODE = `//- shop/pool.py
class Pool:
    def open(self, url: str) -> "Pool":
        return connect(url)
def connect(url): return url
//- shop/cart.py
from shop.pool import Pool
def start(pool: Pool):
    pool.open("ä")
//- shop/other.py
def other(): return 1
`;

it("Facts are released, and decoded again from text", async () => {
  const graph = await graphOf(CODE);
  runToEnd(graph.resolveAll());
  const file = graph.project.find("shop/pool.py") ?? -1;
  const before = graph.project.facts(file);
  const said = [importsIn(graph), callsIn(graph)];
  runToEnd(graph.release());
  const after = graph.project.facts(file);
  expect(after).not.toBe(before);
  expect(after?.definitions).toEqual(before?.definitions);
  expect(after?.calls).toEqual(before?.calls);
  expect([importsIn(graph), callsIn(graph)]).toEqual(said);
});

it("The facts cache evicts facts that are not in use when it is full", async () => {
  const encoded = await factsOf("a.py", "def open(): return 1\n");
  const held = new FactsCache(encoded.length * 20);
  const first = new Map<number, unknown>();
  for (let file = 0; file < 100; file++) {
    held.set(file, decodeFacts(encoded), encoded);
    first.set(file, held.get(file));
    // This file is read all the time.
    expect(held.get(7)).toBe(first.get(7));
  }
  const kept = [...first].filter(([file, facts]) => held.get(file) === facts);
  expect(kept.length).toBeLessThanOrEqual(20);
  expect(kept.length).toBeGreaterThan(0);
  for (let file = 0; file < 100; file++)
    expect(held.get(file)?.definitions.map(({ name }) => name)).toEqual(["open", ""]);
});

it("`callersOf` decodes only files that may contain the name", async () => {
  const graph = await graphOf(CODE);
  runToEnd(graph.resolveAll());
  runToEnd(graph.release());
  const { project } = graph;
  const decoded: string[] = [];
  const facts = project.facts.bind(project);
  project.facts = (file) => {
    decoded.push(project.path(file));
    return facts(file);
  };
  const callers = runToEnd(callersOf(graph, "Pool.open"));
  const names = callers.map(({ file, scope }) => qualifiedName(project, { file, index: scope }));
  expect(names).toEqual(["start"]);
  expect(decoded).not.toContain("shop/other.py");
});
