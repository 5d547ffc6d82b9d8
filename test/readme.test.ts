/** The README and the page of settings agree with the program. */

import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import {
  MANIFEST,
  SETTINGS_PAGE,
  withSettingsSchema,
  withSettingsTable,
} from "../scripts/settings-table.ts";
import { SETTINGS_FILES } from "../server/config/settings-files.ts";
import { fromWorkspaceFile } from "../server/config/workspace-file.ts";

const ROOT = resolve(import.meta.dirname, "..");
const MAX_README_LINES = 110;

interface Manifest {
  readonly contributes: {
    readonly configuration: { readonly properties: Record<string, { readonly scope: string }> };
  };
}

describe("README.md", () => {
  const readme = readFileSync(resolve(ROOT, "README.md"), "utf8");

  it(`README.md has at most ${MAX_README_LINES} lines`, () => {
    expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(MAX_README_LINES);
  });

  it("README.md links only to files that exist", () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = ""]) => target);
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((target) => !existsSync(resolve(ROOT, target)))).toEqual([]);
  });
});

describe("server/docs/settings.md", () => {
  const page = readFileSync(SETTINGS_PAGE, "utf8");

  it("The table lists the settings of the program (npm run settings-table writes it)", () => {
    expect(page).toBe(withSettingsTable(page));
  });

  it("The example is a valid settings file", () => {
    const [, yaml = ""] = /^```yaml\n(.*?)^```/ms.exec(page) ?? [];
    const { settings, problems } = fromWorkspaceFile(yaml, "cocosearch.yaml", false);
    expect(problems).toEqual([]);
    expect(Object.keys(settings)).toHaveLength(3);
  });

  it("The page names every file that settings are read from", () => {
    for (const name of SETTINGS_FILES) expect(page).toContain(`\`${name}\``);
  });
});

describe("The manifest of the VS Code extension", () => {
  const manifest = readFileSync(MANIFEST, "utf8");

  it("The manifest lists the settings of the program (npm run settings-table writes it)", () => {
    expect(JSON.parse(manifest)).toEqual(JSON.parse(withSettingsSchema(manifest)));
  });

  it("A workspace cannot set where code is sent", () => {
    const { properties } = (JSON.parse(manifest) as Manifest).contributes.configuration;
    for (const name of ["program", "embedding.baseUrl", "database.url", "languages.grammars"])
      expect(properties[`cocosearch.${name}`]?.scope).toBe("machine");
  });
});
