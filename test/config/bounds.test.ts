/** The default of each setting and the range of its values: golden/settings.txt. */

import { join } from "node:path";
import { expect, it } from "vitest";
import { SETTINGS } from "../../server/config/settings.ts";
import type { SettingName } from "../../server/contracts/settings.ts";

/** A number above the maximum of every setting. */
const MAX = 2 ** 40;

function takes(name: string, value: unknown): boolean {
  return SETTINGS[name as SettingName].check.safeParse(value).success;
}

/** The last accepted whole number from `inside` towards `outside`. */
function lastTaken(name: string, inside: number, outside: number): number {
  if (takes(name, outside)) return outside;
  let [taken, refused] = [inside, outside];
  while (Math.abs(refused - taken) > 1) {
    const middle = Math.trunc((taken + refused) / 2);
    if (takes(name, middle)) taken = middle;
    else refused = middle;
  }
  return taken;
}

function describeSetting(name: SettingName): string {
  const { fallback, scope, env = "no variable" } = SETTINGS[name];
  const said = [`${name} = ${JSON.stringify(fallback)}`, scope, env];
  if (typeof fallback !== "number") return said.join(", ");
  const inside = Math.trunc(fallback);
  const [from, to] = [lastTaken(name, inside, -MAX), lastTaken(name, inside, MAX)];
  const fractions = takes(name, from + 0.5) ? "with fractions" : "whole";
  return [...said, `${from} to ${to} ${fractions}`].join(", ");
}

it("The defaults and bounds of all settings match the golden file", async () => {
  const lines = Object.keys(SETTINGS).map((name) => describeSetting(name as SettingName));
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, "golden/settings.txt"),
  );
});

it("An index name has up to 64 characters, and a list up to 1,000 patterns", () => {
  expect(["x".repeat(64), "x".repeat(65)].map((name) => takes("indexName", name))).toEqual([
    true,
    false,
  ]);
  const patterns = (count: number) => Array.from({ length: count }, (_, i) => `*.${i}`);
  expect([1000, 1001].map((count) => takes("indexing.excludePatterns", patterns(count)))).toEqual([
    true,
    false,
  ]);
});
