/** Imports and calls in the small workspaces under cases/, by language: each case says what resolves, and to what. */

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Graph } from "../../server/graph/graph.ts";
import { readCases } from "../support/cases.ts";
import { callsIn, graphOf, importsIn } from "../support/graph.ts";

const SECTIONS: Readonly<Record<string, (graph: Graph) => readonly string[]>> = {
  imports: importsIn,
  calls: callsIn,
  lines: linesIn,
  packages: packagesIn,
};

describe.each(readCases(join(import.meta.dirname, "cases")))("%s", (_, cases) => {
  for (const { name, input, expected } of cases) {
    it(name, async () => {
      const graph = await graphOf(input);
      const found = Object.keys(expected).map((section) => [section, SECTIONS[section]?.(graph)]);
      expect(found).not.toEqual([]);
      expect(Object.fromEntries(found)).toEqual(expected);
    });
  }
});

/** `line name -> line of the definition`, from 1. */
function linesIn(graph: Graph): string[] {
  const { project } = graph;
  return project.files.flatMap((file) =>
    graph.callsOf(file).map(({ line, name, to }) => {
      return `${line + 1} ${name} -> ${(project.definition(to)?.line ?? -1) + 1}`;
    }),
  );
}

/** Packages and images from outside the workspace. */
function packagesIn(graph: Graph): string[] {
  return graph.project.files.flatMap((file) =>
    graph.resolutions(file).flatMap(({ external }) => external ?? []),
  );
}
