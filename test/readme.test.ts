/** What the README says of the program agrees with the program. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { README, withSettingsTable } from "../scripts/settings-table.ts";

const readme = readFileSync(README, "utf8");

it("lists the settings as the program has them (npm run settings-table writes it)", () => {
  expect(readme).toBe(withSettingsTable(readme));
});

it("links only to files that are there", () => {
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target]) => target ?? "");
  expect(links.filter((target) => !existsSync(join(README, "..", target)))).toEqual([]);
});
