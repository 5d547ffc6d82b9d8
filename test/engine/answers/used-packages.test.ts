/** The packages from outside the workspace that a file imports. */

import { expect, it } from "vitest";
import { usedPackages } from "../../../server/engine/answers/folder-graph.ts";
import { graphOf } from "../../support/graph.ts";

async function packagesOf(files: string, path: string) {
  const graph = await graphOf(files);
  const found = usedPackages(graph, graph.project.find(path) ?? -1);
  return found.map(({ name, line }) => `${line} ${name}`);
}

it("`usedPackages` lists each external package once, at its first import", async () => {
  const files = `//- a.ts
import { readFile } from "node:fs";
import pad from "left-pad";
import { own } from "./own";
import part from "left-pad/part";
import other from "other";
//- own.ts
export const own = 1;
`;
  expect(await packagesOf(files, "a.ts")).toEqual(["0 node:fs", "1 left-pad", "4 other"]);
});

it("`usedPackages` names a crate by the first part of its path", async () => {
  const files = "//- src/main.rs\nuse std::fs;\nuse serde_json::Value;\nuse nothing::Here;\n";
  expect(await packagesOf(files, "src/main.rs")).toEqual(["0 std", "1 serde_json", "2 nothing"]);
});
