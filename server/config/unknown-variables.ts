/** Finds environment variables that look like misspelled settings. */

import { editsBetween } from "../common/edit-distance.ts";
import { ENGINE_VARIABLES } from "./engine-variables.ts";

const PREFIX = "COCOSEARCH_";
/** The maximum edit distance of a typo. A larger one would match variables of other programs with this prefix. */
const MAX_EDITS = 2;

/** The part of a setting that this check needs. */
interface KnownSetting {
  readonly scope: "workspace" | "user" | "engine";
  readonly env?: string;
}

/** Returns one sentence per unknown variable. `settings` are all settings by name. */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
  settings: Readonly<Record<string, KnownSetting>>,
): string[] {
  const known = new Set([
    ...ENGINE_VARIABLES,
    ...Object.values(settings).flatMap((each) => each.env ?? []),
  ]);
  const guessed = new Map(
    Object.entries(settings).map(([name, setting]) => [guessOf(name), { name, setting }]),
  );
  return Object.entries(env).flatMap(([name, value]) => {
    if (!name.startsWith(PREFIX) || value === undefined || value === "" || known.has(name))
      return [];
    const meant = guessed.get(name);
    if (meant !== undefined) return [`${name} is ignored: ${remedy(meant.name, meant.setting)}`];
    const near = [...known].find((one) => editsBetween(name, one, MAX_EDITS) !== undefined);
    return near === undefined ? [] : [`${name} is ignored: did you mean ${near}?`];
  });
}

function remedy(name: string, { scope, env }: KnownSetting): string {
  if (env !== undefined) return `the variable for "${name}" is ${env}`;
  const orFile = scope === "workspace" ? " or in cocosearch.yaml" : "";
  return `"${name}" has no variable; set it in your editor${orFile}`;
}

/** The expected name of a variable for this setting: COCOSEARCH_SEARCH_MIN_SCORE for `search.minScore`. */
function guessOf(name: string): string {
  const words = name.replaceAll(".", "_").replaceAll(/[A-Z]/g, (letter) => `_${letter}`);
  return `${PREFIX}${words.toUpperCase()}`;
}
