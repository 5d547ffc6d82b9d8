/** Which rules resolve the imports of a language. */

import { ecmascriptRules } from "./languages/ecmascript.ts";
import { goRules } from "./languages/go.ts";
import { jvmRules } from "./languages/jvm.ts";
import { pythonRules } from "./languages/python.ts";
import { rustRules } from "./languages/rust.ts";
import type { Project } from "./project.ts";
import { type CreateRules, type Rules, UNRESOLVED } from "./rules.ts";
import { NOTHING } from "./values.ts";

const JVM = new Set(["java", "kotlin", "scala"]);
const jvm: CreateRules = (project) => jvmRules(project, { languages: JVM });

/** Languages of one family share what was made for the first of them. */
const RULES: Readonly<Record<string, CreateRules>> = {
  javascript: ecmascriptRules,
  typescript: ecmascriptRules,
  tsx: ecmascriptRules,
  vue: ecmascriptRules,
  svelte: ecmascriptRules,
  python: pythonRules,
  go: goRules,
  java: jvm,
  kotlin: jvm,
  scala: jvm,
  rust: rustRules,
};

const NO_RULES: Rules = {
  resolve: () => UNRESOLVED,
  siblings: () => [],
  submodule: () => NOTHING,
  reexportsImports: false,
  hasVisibleReexports: false,
  hasImplicitThis: false,
  unboundIsExternal: false,
};

export function createRulesOf(project: Project): (file: number) => Rules {
  const made = new Map<CreateRules, Rules>();
  return (file) => {
    const create = RULES[project.facts(file)?.language ?? ""];
    if (create === undefined) return NO_RULES;
    let rules = made.get(create);
    if (rules === undefined) {
      rules = create(project);
      made.set(create, rules);
    }
    return rules;
  };
}
