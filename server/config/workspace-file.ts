/**
 * Reads the cocosearch.yaml of a workspace, which may be hostile: the file chooses which files are indexed, but must not
 * choose where code is sent or stored.
 */

import { parse as parseYaml } from "yaml";
import { messageOf } from "../common/errors.ts";
import { isObject } from "../common/is-object.ts";
import { fromObject, type Parsed, scopeOf, variableOf } from "./settings.ts";
import { boundSettings } from "./workspace-bounds.ts";

/** The maximum number of problems that are shown to the user. */
const MAX_PROBLEMS = 20;

const EXAMPLE = 'write a setting as a name and a value, such as "indexName: shop"';

/** Parses the file. Unless the user trusts the folder, settings with another scope than `workspace` are dropped. */
export function fromWorkspaceFile(yaml: string, file: string, isTrusted: boolean): Parsed {
  let value: unknown;
  try {
    value = parseYaml(yaml, { maxAliasCount: 100, logLevel: "error" });
  } catch (error) {
    return {
      settings: {},
      problems: [`${file}: not read: ${messageOf(error).split("\n")[0]?.replace(/:$/, "")}`],
    };
  }
  // An empty file sets nothing.
  if (!isObject(value ?? {}))
    return { settings: {}, problems: [`${file}: not read: it contains no settings; ${EXAMPLE}`] };
  const { settings, problems } = fromObject(value ?? {}, file);
  if (isTrusted) return { settings, problems: shortened(problems, file) };
  const kept = Object.entries(settings).filter(([name]) => scopeOf(name) === "workspace");
  const dropped = Object.keys(settings).filter((name) => scopeOf(name) !== "workspace");
  const refusals = dropped.map((name) => {
    const variable = variableOf(name);
    const where = variable === undefined ? "in your editor" : `in your editor or by ${variable}`;
    return `${file}: "${name}" is ignored: a workspace may not set it. Set it ${where}, or add the folder to "trustedWorkspaces"`;
  });
  const bounded = boundSettings(Object.fromEntries(kept), file);
  return {
    settings: bounded.settings,
    problems: [...refusals, ...bounded.problems, ...shortened(problems, file)],
  };
}

function shortened(problems: readonly string[], file: string): readonly string[] {
  const others = problems.length - MAX_PROBLEMS;
  if (others <= 0) return problems;
  return [...problems.slice(0, MAX_PROBLEMS), `${file}: ${others} more are ignored`];
}
