/** Notebooks in a real engine: found by their code at the lines of the file, however large their outputs are. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sharedEngine } from "../support/engine.ts";
import { workspace } from "../support/workspace.ts";

const engine = sharedEngine();

it("finds code of cells and its callers in a notebook with pictures above maxFileBytes", async () => {
  const root = workspace();
  const picture = "iVBORw0KGgo".repeat(150_000);
  const outputs = [{ data: { "image/png": picture, "text/plain": ["zebra_output"] } }];
  const cells = [
    { cell_type: "markdown", source: ["# How models learn\n"] },
    { cell_type: "code", outputs, source: ["def train(df):\n", '    return df["a \\"b\\""]'] },
    { cell_type: "code", outputs: [], source: ["model = train(1)"] },
  ];
  const text = JSON.stringify({ cells, metadata: {} }, undefined, 1);
  expect(text.length).toBeGreaterThan(1_000_000);
  writeFileSync(join(root, "a.ipynb"), text);
  const lineOf = (part: string) => text.split("\n").findIndex((line) => line.includes(part));

  const session = engine.session();
  await session.openFolders([root]);
  await session.whenIdle();
  const search = async (query: string, symbolName?: string) =>
    (await session.search({ query, ...(symbolName === undefined ? {} : { symbolName }) })).hits;

  const [named] = await search("train", "train");
  expect(named?.symbol).toMatchObject({ name: "train", nameLine: lineOf("def train") });
  expect(named?.bestLine?.text).toBe("def train(df):");
  const [quoted] = await search('"return df"');
  expect(quoted?.bestLine).toMatchObject({
    line: lineOf("return df"),
    text: 'return df["a \\"b\\""]',
  });
  expect(await search("zebra_output")).toEqual([]);
  const { calls } = await session.callers({ name: "train" });
  expect(calls.map(({ path, line }) => [path, line])).toEqual([
    ["a.ipynb", lineOf("model = train")],
  ]);
});
