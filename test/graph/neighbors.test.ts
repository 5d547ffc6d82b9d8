/** What some lines call, and what calls them. */

import { expect, it } from "vitest";
import { qualifiedName } from "../../server/graph/graph.ts";
import { neighborsOf } from "../../server/graph/neighbors.ts";
import { graphOf } from "../support/graph.ts";

const CODE = `
//- pool.ts
import { log } from "./log";
export function openPool() {
  log("open");
  connect();
}
export function connect() {}
//- log.ts
export function log(text: string) {}
export function other() {}
//- server.ts
import { openPool } from "./pool";
export function serve() {
  openPool();
}
export function idle() {}
`;

it.each([
  ["pool.ts", 1, 4, ["log", "connect", "serve"]],
  ["pool.ts", 5, 5, ["openPool"]],
  ["log.ts", 0, 0, ["openPool"]],
  ["log.ts", 1, 1, []],
  ["pool.ts", 0, 5, ["log", "serve"]],
])("names callees, then callers, of %s:%i-%i", async (path, start, end, expected) => {
  const graph = await graphOf(CODE);
  const file = graph.project.find(path) ?? -1;
  const found = [...neighborsOf(graph, file, { start, end })];
  expect(found.map((ref) => qualifiedName(graph.project, ref))).toEqual(expected);
});
