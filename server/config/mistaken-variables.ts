/** Finds variables of the environment that were meant to be settings and are none. */

import { editsBetween } from "../common/edit-distance.ts";
import { NO_SETTINGS } from "./no-settings.ts";

const PREFIX = "COCOSEARCH_";
/** Slips of the finger. More would find variables that other programs with this prefix read. */
const MAX_EDITS = 2;

/** One sentence for each; `variables` has the variable of every setting, undefined where it has none. */
export function mistakenVariables(
  env: Readonly<Record<string, string | undefined>>,
  variables: ReadonlyMap<string, string | undefined>,
): string[] {
  const known = new Set([...NO_SETTINGS, ...[...variables.values()].filter(isText)]);
  const guessed = new Map(
    [...variables].map(([name, variable]) => [guessOf(name), { name, variable }]),
  );
  return Object.entries(env).flatMap(([name, value]) => {
    if (!name.startsWith(PREFIX) || value === undefined || value === "" || known.has(name))
      return [];
    const meant = guessed.get(name);
    if (meant !== undefined) return [`${name} is ignored: ${remedy(meant.name, meant.variable)}`];
    const near = [...known].find((one) => editsBetween(name, one, MAX_EDITS) !== undefined);
    return near === undefined ? [] : [`${name} is ignored: did you mean ${near}?`];
  });
}

function remedy(name: string, variable: string | undefined): string {
  return variable === undefined
    ? `"${name}" has no variable; set it in your editor or in cocosearch.yaml`
    : `the variable of "${name}" is ${variable}`;
}

/** What a variable of this setting would be called: COCOSEARCH_SEARCH_MIN_SCORE of `search.minScore`. */
function guessOf(name: string): string {
  const words = name.replaceAll(".", "_").replaceAll(/[A-Z]/g, (letter) => `_${letter}`);
  return `${PREFIX}${words.toUpperCase()}`;
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}
