/** Writes the settings into server/docs/settings.md and the manifest of the VS Code extension, from the table in server/config/settings.ts. */

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { SETTINGS } from "../server/config/settings.ts";

export const SETTINGS_PAGE = resolve(import.meta.dirname, "../server/docs/settings.md");

export const MANIFEST = resolve(import.meta.dirname, "../clients/vscode/package.json");

const BEGIN = "<!-- settings: npm run settings-table -->";
const END = "<!-- end of settings -->";

/** The page with the current table between the two markers. Throws if a marker is missing. */
export function withSettingsTable(page: string): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) {
    throw new Error(`${SETTINGS_PAGE}: the markers ${BEGIN} and ${END} are missing`);
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

/** The allowed values of an enumeration, a boolean or a bounded number. The sentence of the setting describes a text. */
function valuesOf({ type, enum: names, minimum, maximum }: Schema): string {
  if (names !== undefined) return names.map((name) => `\`${name}\``).join(", ");
  if (type === "boolean") return "`true`, `false`";
  if (type === "array") return "a list";
  if (minimum === undefined || maximum === undefined) return "";
  return `${minimum.toLocaleString("en")} to ${maximum.toLocaleString("en")}`;
}

/** The default as code, or nothing for an empty text or list: the sentence of the setting says what happens then. */
function shown(fallback: unknown): string {
  const isEmpty = fallback === "" || (Array.isArray(fallback) && fallback.length === 0);
  return isEmpty ? "" : `\`${String(fallback)}\``;
}

/** The manifest with the current settings. A setting that a workspace may not change gets the scope `machine`. */
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

/** A setting of the extension, which the server does not know. */
const PROGRAM = {
  name: "cocosearch.program",
  schema: {
    type: "string",
    default: "cocosearch-lsp",
    scope: "machine",
    description: "The server: a program on the PATH, or its absolute path.",
  },
};

/** The parts of a JSON schema that the table shows. */
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
  writeFileSync(SETTINGS_PAGE, withSettingsTable(readFileSync(SETTINGS_PAGE, "utf8")));
  writeFileSync(MANIFEST, withSettingsSchema(readFileSync(MANIFEST, "utf8")));
}
