/** Writes the table of settings into README.md, from the one in server/config.ts. */

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { SETTINGS } from "../server/config.ts";

export const README = resolve(import.meta.dirname, "../README.md");

const BEGIN = "<!-- settings: npm run settings-table -->";
const END = "<!-- end of settings -->";

/** The README with the table as it should be. Throws where the two marks are missing. */
export function withSettingsTable(readme: string): string {
  const [before, rest] = readme.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) {
    throw new Error(`README.md has no place for settings between ${BEGIN} and ${END}`);
  }
  return `${before}${BEGIN}\n\n${settingsTable()}\n\n${END}${after}`;
}

function settingsTable(): string {
  const rows = Object.entries(SETTINGS).map(([name, { fallback, env, about, scope }]) => {
    const mark = scope === "user" ? " (u)" : "";
    const variable = env === undefined ? "" : `\`${env}\``;
    return `| \`${name}\`${mark} | ${shown(fallback)} | ${variable} | ${about} |`;
  });
  return ["| setting | default | environment | |", "|---|---|---|---|", ...rows].join("\n");
}

/** Nothing where there is no value: the sentence beside it says what happens then. */
function shown(fallback: unknown): string {
  const isEmpty = fallback === "" || (Array.isArray(fallback) && fallback.length === 0);
  return isEmpty ? "" : `\`${String(fallback)}\``;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(README, withSettingsTable(readFileSync(README, "utf8")));
}
