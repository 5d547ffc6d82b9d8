/** The page about local models agrees with the table of known models, and with the limits of the code. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { knownModel as knownEmbedding } from "../../server/embedding/known-models.ts";
import { RUNTIME } from "../../server/models/install-runtime.ts";
import { KNOWN_MODELS } from "../../server/models/known.ts";

const root = resolve(import.meta.dirname, "../../server");
const page = readFileSync(resolve(root, "docs/models.md"), "utf8");
const rowOf = (name: string) =>
  page.split("\n").find((line) => line.startsWith(`| \`${name}\``)) ?? "";

it.each(KNOWN_MODELS)("the page states license, size and measurements of $name", (known) => {
  const cells = rowOf(known.name).split(" | ");
  expect(cells[2]).toBe(known.license);
  expect(cells[3]).toBe(`${known.megabytes} MB`);
  expect(cells[4]).toMatch(known.dimension > 0 ? new RegExp(`^${known.dimension}\\b`) : /^none$/);
  const { msPerText, processMegabytes } = known.measured ?? {};
  const measured = msPerText === undefined ? "no |" : `${msPerText} ms, ${processMegabytes} MB |`;
  expect(cells.at(-1)).toBe(measured);
});

it.each(KNOWN_MODELS.filter(({ kind }) => kind === "embedding"))(
  "the page states the prefixes of $name",
  ({ name }) => {
    const { prefixes } = knownEmbedding(name, "local");
    const stated = [prefixes.document, prefixes.query].map((prefix) => `\`${prefix}\``).join(", ");
    expect(rowOf(name)).toContain(prefixes.query === "" ? "| none |" : stated);
  },
);

it("the page and the lock file have the version and sizes of the runtime", () => {
  const { version, downloadMegabytes, megabytes } = RUNTIME;
  expect(page).toContain(`\`@huggingface/transformers\` ${version}`);
  expect(page).toContain(`The download has ${downloadMegabytes} MB, and ${megabytes} MB stay`);
  const lock = JSON.parse(
    readFileSync(resolve(root, "models/runtime/package-lock.json"), "utf8"),
  ) as { packages: Readonly<Record<string, { version: string; integrity?: string }>> };
  expect(lock.packages["node_modules/@huggingface/transformers"]?.version).toBe(version);
  const installed = Object.entries(lock.packages).filter(([path]) => path !== "");
  expect(installed.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
});
