/** External packages that a file imports, with versions from the nearest lock file. */

import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { usedPackages } from "../../../server/engine/answers/used-packages.ts";
import { graphOf } from "../../support/graph.ts";
import { workspace, write } from "../../support/workspace.ts";

const lock = (version: string) =>
  JSON.stringify({ packages: { "node_modules/left-pad": { version } } });

async function packagesOf(root: string, files: string, path: string) {
  const graph = await graphOf(files);
  const found = await usedPackages(root, graph, graph.project.find(path) ?? -1);
  return found.map(({ name, version = "", line }) => `${line} ${name} ${version}`.trim());
}

const APP = `import { readFile } from "node:fs";
import pad from "left-pad";
import { own } from "./own";
import part from "left-pad/part";
import other from "other";
`;

it("Each external package is listed once, with the version of the nearest lock file", async () => {
  const files = `//- web/app/a.ts\n${APP}//- web/app/own.ts\nexport const own = 1;\n`;
  const root = workspace(`//- package-lock.json\n${lock("1.0.0")}\n`);
  const check = async (version: string) => {
    const found = await packagesOf(root, files, "web/app/a.ts");
    expect(found).toContain(`1 left-pad ${version}`.trim());
    expect(found.filter((each) => each.includes("left-pad"))).toHaveLength(1);
    expect(found).toContain("4 other");
    expect(found.join()).not.toContain("own");
  };
  await check("1.0.0");
  write(root, `//- web/package-lock.json\n${lock("1.3.0")}\n`);
  await check("1.3.0");
  write(root, "//- web/package-lock.json\n{ damaged\n");
  await check("1.0.0");
});

it("A package has its name in the lock file, if it is there", async () => {
  const files = "//- src/main.rs\nuse std::fs;\nuse serde_json::Value;\nuse nothing::Here;\n";
  const root = workspace('//- Cargo.lock\n[[package]]\nname = "serde_json"\nversion = "1.0.9"\n');
  expect(await packagesOf(root, files, "src/main.rs")).toEqual([
    "0 std",
    "1 serde_json 1.0.9",
    "2 nothing",
  ]);
});

it("A lock file that links out of the workspace is ignored", async () => {
  const elsewhere = workspace(`//- package-lock.json\n${lock("6.6.6")}\n`);
  const root = workspace("//- a.ts\n");
  symlinkSync(join(elsewhere, "package-lock.json"), join(root, "package-lock.json"));
  expect(await packagesOf(root, `//- a.ts\n${APP}`, "a.ts")).toContain("1 left-pad");
});
