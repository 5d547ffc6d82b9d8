/** The confidence of a call with several possible targets. */

import { expect, it } from "vitest";
import { callsIn, graphOf } from "../support/graph.ts";

it("Overloads in several files have a lower confidence than overloads in one", async () => {
  const graph = await graphOf(`//- a.h
namespace net { int open(int a) { return a; } int close(int a) { return a; } int close(char a) { return a; } }
//- b.h
namespace net { int open(char a) { return a; } }
//- main.cc
#include "a.h"
#include "b.h"
int main() { return net::open(1) + net::close(2); }
`);
  expect(callsIn(graph)).toHaveLength(2);
  const calls = graph.callsOf(graph.project.find("main.cc") ?? -1);
  const [open, close] = calls.map(({ confidence }) => confidence);
  expect(open).toBe(0.5);
  expect(close).toBeGreaterThan(0.9);
});
