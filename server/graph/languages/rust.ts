/** Paths of Rust: `crate`, `self` and `super`, the modules of a crate, and what `pub use` makes of them. */

import type { ImportFact } from "../../contracts/facts.ts";
import type { Project } from "../project.ts";
import { type ModuleNames, type Resolution, type Rules, UNRESOLVED } from "../rules.ts";
import { externalOf, NOTHING, type Value, type Values } from "../values.ts";
import { RustModules } from "./rust-modules.ts";

export class RustRules implements Rules {
  readonly reexportsImports = true;
  readonly hasVisibleReexports = true;
  readonly hasImplicitThis = false;
  readonly unboundIsExternal = true;
  readonly #modules: RustModules;

  constructor(project: Project) {
    this.#modules = new RustModules(project);
  }

  resolve(file: number, statement: ImportFact, names: ModuleNames): Resolution {
    const { module: written, scope } = statement;
    const alias = statement.names[0]?.alias ?? "";
    if (statement.kind === "module") return this.#declared(file, written, alias);
    const parts = written
      .replace(/^::/, "")
      .split("::")
      .filter((part) => part !== "");
    const walked = this.#walk(file, scope, parts, names);
    if (walked === undefined) return outside(parts, alias);
    const files = walked.files.filter((one) => one !== file);
    if (statement.kind === "wildcard" || statement.kind === "wildcardReexport")
      return { files, bindings: [], wildcards: walked.values, how: "path" };
    const values = () => this.#walk(file, scope, parts, names)?.values ?? walked.values;
    return { files, bindings: [{ name: alias, values }], wildcards: [], how: "path" };
  }

  builtIn(file: number, scope: number, name: string): Values | undefined {
    return name === "self" ? undefined : this.#start(file, scope, name);
  }

  submodule(module: Value, name: string): Values {
    if (module.kind !== "module" || module.inside >= 0) return NOTHING;
    const child = this.#modules.child(module.files[0] ?? -1, name);
    return child === undefined ? NOTHING : [this.#modules.ofFile(child)];
  }

  #declared(file: number, name: string, alias: string): Resolution {
    const child = this.#modules.child(file, name);
    if (child === undefined) return UNRESOLVED;
    const values = () => [this.#modules.ofFile(child)];
    return { files: [child], bindings: [{ name: alias, values }], wildcards: [], how: "mod" };
  }

  #start(file: number, scope: number, first: string): Values | undefined {
    const own = this.#modules.around(file, scope);
    if (first === "crate") return [this.#modules.root(file)];
    if (first === "self") return [own];
    if (first === "super") return this.#modules.parent(own);
    const crate = this.#modules.crate(file, first);
    return crate === undefined ? undefined : [crate];
  }

  /** The values of a path, and the files of what it names; undefined where it begins outside the workspace. */
  #walk(file: number, scope: number, parts: readonly string[], names: ModuleNames) {
    const [first = "", ...rest] = parts;
    const own = () =>
      names
        .exportOf(this.#modules.around(file, scope), first)
        .filter(({ kind }) => kind !== "external");
    let values = this.#start(file, scope, first) ?? own();
    if (values.length === 0) return undefined;
    let files = filesOf(values);
    for (const part of rest) {
      values = this.#next(values, part, names);
      if (values.length === 0) break;
      const reached = filesOf(values);
      if (reached.length > 0) files = reached;
    }
    return { values, files };
  }

  #next(values: Values, part: string, names: ModuleNames): Values {
    if (part === "self") return values;
    if (part !== "super") return names.memberOf(values, part);
    return values.flatMap((value) => (value.kind === "module" ? this.#modules.parent(value) : []));
  }
}

function filesOf(values: Values): number[] {
  const files = values.flatMap((value) => {
    if (value.kind === "module") return value.files;
    return value.kind === "external" ? [] : [value.file];
  });
  return [...new Set(files)];
}

function outside(parts: readonly string[], alias: string): Resolution {
  const name = parts.join(".");
  const bindings = alias === "" ? [] : [{ name: alias, values: () => externalOf(name) }];
  const [first = ""] = parts;
  return { files: [], bindings, wildcards: [], external: first, how: "external" };
}
