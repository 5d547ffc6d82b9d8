/** Callees and callers of some lines. */

import { expect, it } from "vitest";
import { neighborsOf } from "../../../server/graph/answers/neighbors.ts";
import { qualifiedName } from "../../../server/graph/graph.ts";
import { graphOf } from "../../support/graph.ts";

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
])("`neighborsOf` lists callees, then callers, of %s:%i-%i", async (path, start, end, expected) => {
  const graph = await graphOf(CODE);
  const file = graph.project.find(path) ?? -1;
  const found = [...neighborsOf(graph, file, { start, end })];
  expect(found.map((ref) => qualifiedName(graph.project, ref))).toEqual(expected);
});

it("`neighborsOf` does not depend on the order of added files", async () => {
  const callers = Array.from({ length: 12 }, (_, i) => {
    const name = `caller${String.fromCharCode(97 + i)}`;
    return `//- ${name}.ts\nimport { log } from "./log";\nexport function ${name}() {\n  log("");\n}\n`;
  });
  const graph = await graphOf(
    `\n//- log.ts\nexport function log(text: string) {}\n${callers.join("")}`,
  );
  const callersOfLog = () => {
    const found = neighborsOf(graph, graph.project.find("log.ts") ?? -1, { start: 0, end: 0 });
    return [...found].map((ref) => qualifiedName(graph.project, ref));
  };
  const names = callersOfLog();
  expect(names).toHaveLength(8);
  const facts = graph.project.facts(graph.project.find("callera.ts") ?? -1);
  graph.remove("callera.ts");
  expect(callersOfLog()).not.toContain("callera");
  graph.set("callera.ts", facts);
  expect(callersOfLog()).toEqual(names);
});
