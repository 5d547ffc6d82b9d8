/** A workspace's own settings file, which is somebody else's text: what it may say, and what it may not. */

import { parse as parseYaml } from "yaml";
import { messageOf } from "../common/errors.ts";
import { fromObject, type Parsed, scopeOf } from "./settings.ts";

/** A file with more of them is none of settings, and each is shown to the user. */
const MOST_PROBLEMS = 20;

/** Settings from a workspace's cocosearch.yaml. Those that say where code goes are dropped unless the user trusts the folder. */
export function fromWorkspaceFile(yaml: string, file: string, trusted: boolean): Parsed {
  let value: unknown;
  try {
    value = parseYaml(yaml, { maxAliasCount: 100, logLevel: "error" });
  } catch (error) {
    return { settings: {}, problems: [`${file}: not read: ${messageOf(error).split("\n")[0]}`] };
  }
  const { settings, problems } = fromObject(value ?? {}, file);
  if (trusted) return { settings, problems: shortened(problems, file) };
  const kept = Object.entries(settings).filter(([name]) => scopeOf(name) === "workspace");
  const dropped = Object.keys(settings).filter((name) => scopeOf(name) !== "workspace");
  const refusals = dropped.map(
    (name) =>
      `${file}: "${name}" is ignored: a workspace may not set it. Set it in your editor or environment, or add the folder to "trustedWorkspaces"`,
  );
  return {
    settings: Object.fromEntries(kept),
    problems: [...refusals, ...shortened(problems, file)],
  };
}

function shortened(problems: readonly string[], file: string): readonly string[] {
  const others = problems.length - MOST_PROBLEMS;
  if (others <= 0) return problems;
  return [...problems.slice(0, MOST_PROBLEMS), `${file}: ${others} more are ignored`];
}
