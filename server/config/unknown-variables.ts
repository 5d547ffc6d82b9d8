/** Finds variables of the environment that were meant to be settings and are none. */

import { editsBetween } from "../common/edit-distance.ts";
import { ENGINE_VARIABLES } from "./engine-variables.ts";

const PREFIX = "COCOSEARCH_";
/** Slips of the finger. More would find variables that other programs with this prefix read. */
const MAX_EDITS = 2;

/** What is known of a setting. */
interface Known {
  readonly scope: "workspace" | "user" | "engine";
  readonly env?: string;
}

/** One sentence for each; `settings` are all of them, by name. */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
  settings: Readonly<Record<string, Known>>,
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

function remedy(name: string, { scope, env }: Known): string {
  if (env !== undefined) return `the variable of "${name}" is ${env}`;
  const orFile = scope === "workspace" ? " or in cocosearch.yaml" : "";
  return `"${name}" has no variable; set it in your editor${orFile}`;
}

/** What a variable of this setting would be called: COCOSEARCH_SEARCH_MIN_SCORE of `search.minScore`. */
function guessOf(name: string): string {
  const words = name.replaceAll(".", "_").replaceAll(/[A-Z]/g, (letter) => `_${letter}`);
  return `${PREFIX}${words.toUpperCase()}`;
}
