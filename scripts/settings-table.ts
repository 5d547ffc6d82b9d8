/** Writes the settings into README.md and the manifest of the VS Code extension, from the table in server/config/settings.ts. */

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { SETTINGS } from "../server/config/settings.ts";

export const README = resolve(import.meta.dirname, "../README.md");

export const MANIFEST = resolve(import.meta.dirname, "../clients/vscode/package.json");

const BEGIN = "<!-- settings: npm run settings-table -->";
const END = "<!-- end of settings -->";

/** The README with the current table. Throws if its two markers are missing. */
export function withSettingsTable(readme: string): string {
  const [before, rest] = readme.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) {
    throw new Error(`README.md has no place for settings between ${BEGIN} and ${END}`);
  }
  return `${before}${BEGIN}\n\n${settingsTable()}\n\n${END}${after}`;
}

function settingsTable(): string {
  const rows = Object.entries(SETTINGS).map(([name, { fallback, check, env, about, scope }]) => {
    const mark = MARKS[scope];
    const variable = env === undefined ? "" : `\`${env}\``;
    return `| \`${name}\`${mark} | ${shown(fallback)} | ${valuesOf(schemaOf(check))} | ${variable} | ${about} |`;
  });
  const head = ["| setting | default | values | environment | |", "|---|---|---|---|---|"];
  return [...head, ...rows].join("\n");
}

/** The allowed values if they can be listed; a free text is explained by its description. */
function valuesOf({ type, enum: names, minimum, maximum }: Schema): string {
  if (names !== undefined) return names.map((name) => `\`${name}\``).join(", ");
  if (type === "boolean") return "`true`, `false`";
  if (type === "array") return "a list";
  if (minimum === undefined || maximum === undefined) return "";
  return `${minimum.toLocaleString("en")} to ${maximum.toLocaleString("en")}`;
}

/** The default value; empty without one, which the description then explains. */
function shown(fallback: unknown): string {
  const isEmpty = fallback === "" || (Array.isArray(fallback) && fallback.length === 0);
  return isEmpty ? "" : `\`${String(fallback)}\``;
}

/** What a workspace may not set has the scope of the machine there. */
export function withSettingsSchema(manifest: string): string {
  const json = JSON.parse(manifest) as { contributes: { configuration: unknown } };
  const properties = Object.entries(SETTINGS).flatMap(
    ([name, { about, check, fallback, scope }]) => {
      if (scope === "engine") return [];
      const schema = { ...schemaOf(check), default: fallback, scope: SCOPES[scope] };
      return [[`cocosearch.${name}`, { ...schema, description: about }] as const];
    },
  );
  json.contributes.configuration = {
    title: "cocosearch",
    properties: { [PROGRAM.name]: PROGRAM.schema, ...Object.fromEntries(properties) },
  };
  return `${JSON.stringify(json, null, 2)}\n`;
}

const SCOPES = { user: "machine", workspace: "window" } as const;

const MARKS = { workspace: "", user: " (u)", engine: " (e)" } as const;

/** The extension's own. */
const PROGRAM = {
  name: "cocosearch.program",
  schema: {
    type: "string",
    default: "cocosearch-lsp",
    scope: "machine",
    description: "The server: a program on the PATH, or its absolute path.",
  },
};

/** The parts of a schema that the table shows. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

function schemaOf(check: z.ZodType): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(check, { unrepresentable: "any" });
  return schema as Schema;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(README, withSettingsTable(readFileSync(README, "utf8")));
  writeFileSync(MANIFEST, withSettingsSchema(readFileSync(MANIFEST, "utf8")));
}
