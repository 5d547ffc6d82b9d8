/** What the README says of the program agrees with the program. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  MANIFEST,
  README,
  withSettingsSchema,
  withSettingsTable,
} from "../scripts/settings-table.ts";
import { SETTINGS_FILES } from "../server/config/settings-files.ts";
import { fromWorkspaceFile } from "../server/config/workspace-file.ts";

interface Manifest {
  readonly contributes: {
    readonly configuration: { readonly properties: Record<string, { readonly scope: string }> };
  };
}

const readme = readFileSync(README, "utf8");

it("lists the settings as the program has them (npm run settings-table writes it)", () => {
  expect(readme).toBe(withSettingsTable(readme));
});

it("gives VS Code the settings as the program has them (npm run settings-table writes them)", () => {
  const manifest = readFileSync(MANIFEST, "utf8");
  expect(JSON.parse(manifest)).toEqual(JSON.parse(withSettingsSchema(manifest)));
});

it("lets no workspace of VS Code say where code goes", () => {
  const { contributes } = JSON.parse(readFileSync(MANIFEST, "utf8")) as Manifest;
  const { properties } = contributes.configuration;
  for (const name of ["program", "embedding.baseUrl", "database.url", "languages.grammars"])
    expect(properties[`cocosearch.${name}`]?.scope).toBe("machine");
});

it("shows a settings file that is one, and all of its names", () => {
  const [, yaml = ""] = /^```yaml\n(.*?)^```/ms.exec(readme) ?? [];
  const { settings, problems } = fromWorkspaceFile(yaml, "cocosearch.yaml", false);
  expect(problems).toEqual([]);
  expect(Object.keys(settings)).toHaveLength(3);
  for (const name of SETTINGS_FILES) expect(readme).toContain(`\`${name}\``);
});

it("says the time of a first index as it was measured last (npm run bench -- --results)", () => {
  const results = readFileSync(join(README, "../test/bench/results.md"), "utf8");
  const cells = (row: string) =>
    (new RegExp(`^\\| ${row} *\\|(.*)\\|$`, "m").exec(results)?.[1] ?? "").split("|");
  const names = cells("").map((name) => name.trim());
  const ofCheckout = cells("indexCpuPerMbMs").filter((_, i) =>
    /^(?:caddy|redis|rails), this checkout$/.test(names[i] ?? ""),
  );
  const seconds = ofCheckout.map((cell) => Number(cell) / 1_000);
  const [least, most] = [Math.min(...seconds), Math.max(...seconds)].map((one) => one.toFixed(1));
  expect(seconds).toHaveLength(3);
  expect(readme).toContain(`takes ${least} to ${most} seconds of processor time for each MB`);
});

it("links only to files that are there", () => {
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target]) => target ?? "");
  expect(links.filter((target) => !existsSync(join(README, "..", target)))).toEqual([]);
});
