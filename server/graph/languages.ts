/** Which rules resolve the imports of a language. */

import { EcmascriptRules } from "./languages/ecmascript.ts";
import { GoRules } from "./languages/go.ts";
import { JvmRules } from "./languages/jvm.ts";
import { PythonRules } from "./languages/python.ts";
import { RustRules } from "./languages/rust.ts";
import type { Project } from "./project.ts";
import { type CreateRules, type Rules, UNRESOLVED } from "./rules.ts";
import { NOTHING } from "./values.ts";

const JVM = new Set(["java", "kotlin", "scala"]);
const jvm: CreateRules = (project) => new JvmRules(project, JVM);
const ecmascript: CreateRules = (project) => new EcmascriptRules(project);

/** Languages of one family share what was made for the first of them. */
const RULES: Readonly<Record<string, CreateRules>> = {
  javascript: ecmascript,
  typescript: ecmascript,
  tsx: ecmascript,
  vue: ecmascript,
  svelte: ecmascript,
  python: (project) => new PythonRules(project),
  go: (project) => new GoRules(project),
  java: jvm,
  kotlin: jvm,
  scala: jvm,
  rust: (project) => new RustRules(project),
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
