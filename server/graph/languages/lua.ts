/** Lua: `require` resolves to a file, whose exports are the functions of its tables. */

import type { ImportFact } from "../../contracts/facts.ts";
import { programKey } from "../project/package-key.ts";
import type { Project } from "../project/project.ts";
import type { Resolution, Rules, UnboundName } from "../resolve/rules.ts";
import { NOTHING, toDefinition, type Value, type Values } from "../resolve/values.ts";
import { nearest } from "./path-rules.ts";

export class LuaRules implements Rules {
  readonly #project: Project;

  constructor(project: Project) {
    this.#project = project;
  }

  resolve(file: number, { module, names }: ImportFact): Resolution {
    const path = module.replaceAll(".", "/");
    const suffixes = [`${path}.lua`, `${path}/init.lua`];
    const files = nearest(this.#project, this.#project.path(file), suffixes);
    if (files.length === 0)
      return { files, bindings: [], wildcards: [], external: module, how: "external" };
    const value: Value = { kind: "module", files: files.slice(0, 1), name: module, inside: -1 };
    const bindings = names.map(({ alias }) => ({ name: alias, values: (): Values => [value] }));
    return { files, bindings, wildcards: [], how: "module" };
  }

  /** A global table is visible in all files; if several files define one of the name, none is chosen. */
  resolveUnbound({ name }: UnboundName): Values | undefined {
    const tables = this.#project
      .packageNames(programKey("lua"), name)
      .filter((ref) => this.#project.definition(ref)?.kind === "class");
    return tables.length === 1 ? tables.map(toDefinition) : undefined;
  }

  /** `function M.open()`; ambiguous if several tables of the file have a function of the name. */
  submodule(module: Value, name: string): Values {
    if (module.kind !== "module") return NOTHING;
    const own = this.#project
      .methodsNamed("lua", name)
      .filter(({ file }) => module.files.includes(file));
    return own.length === 1 ? own.map(toDefinition) : NOTHING;
  }
}
