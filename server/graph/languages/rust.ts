/** Rust: paths with `crate`, `self` and `super`, modules of crates, and re-exports by `pub use`. */

import type { ImportFact } from "../../contracts/facts.ts";
import type { Project } from "../project/project.ts";
import { lazy } from "../resolve/lazy.ts";
import {
  type Resolution,
  type Resolver,
  type Rules,
  UNRESOLVED,
  type UnboundName,
} from "../resolve/rules.ts";
import { externalOf, NOTHING, toDefinition, type Value, type Values } from "../resolve/values.ts";
import { RustModules } from "./rust-modules.ts";
import { STANDARD_MACROS } from "./standard-library.ts";

/** The key of macros, which are visible by name without a `use`. */
export const RUST_MACROS = "rust!";

/** A path that leads back to itself. */
const CYCLE: { readonly values: Values; readonly files: readonly number[] } = {
  values: NOTHING,
  files: [],
};

export class RustRules implements Rules {
  readonly #project: Project;
  readonly #modules: RustModules;

  constructor(project: Project) {
    this.#project = project;
    this.#modules = new RustModules(project);
  }

  resolve(file: number, statement: ImportFact, names: Resolver): Resolution {
    const { module: written, scope } = statement;
    const alias = statement.names[0]?.alias ?? "";
    if (statement.kind === "module") return this.#declaredModule(file, written, alias);
    // On demand, because modules can import each other.
    const path = lazy(() => this.#resolvePath(file, scope, partsOf(written), names), CYCLE);
    const values = () => path()?.values ?? externalOf(partsOf(written).join("."));
    const isWildcard = statement.kind === "wildcard" || statement.kind === "wildcardReexport";
    const files = this.#project.reads.shared(
      () => path()?.files.filter((one) => one !== file) ?? [],
    );
    return {
      bindings: isWildcard ? [] : [{ name: alias, values }],
      get wildcards() {
        return isWildcard ? (path()?.values ?? NOTHING) : NOTHING;
      },
      get files() {
        return files();
      },
      get external() {
        return path() === undefined ? partsOf(written)[0] : undefined;
      },
      get how() {
        return path() === undefined ? "external" : "path";
      },
    };
  }

  resolveUnbound({ file, scope, name }: UnboundName): Values | undefined {
    if (name === "self") return undefined;
    const module = this.#keywordOrCrate(file, scope, name);
    if (module !== undefined) return module;
    const macros = STANDARD_MACROS.has(name) ? NOTHING : this.#macros(file, name);
    return macros.length === 0 ? undefined : macros;
  }

  /** A macro is visible below its definition and in modules with `#[macro_use]`; here, in the whole package. */
  #macros(file: number, name: string): Values {
    const folder = this.#modules.packageFolder(file);
    const own = this.#project
      .packageNames(RUST_MACROS, name)
      .filter((ref) => this.#modules.packageFolder(ref.file) === folder);
    return own.every((ref) => ref.file === own[0]?.file) ? own.map(toDefinition) : NOTHING;
  }

  submodule(module: Value, name: string): Values {
    if (module.kind !== "module") return NOTHING;
    const child = this.#modules.childOf(module, name);
    if (child !== undefined) return [child];
    if (module.inside >= 0) return NOTHING;
    const file = module.files[0] ?? -1;
    // `#[macro_export]` exports a macro from the root of its crate.
    return this.#modules.root(file).files[0] === file ? this.#macros(file, name) : NOTHING;
  }

  #declaredModule(file: number, name: string, alias: string): Resolution {
    const child = this.#modules.child(file, name);
    if (child === undefined) return UNRESOLVED;
    const values = () => [this.#modules.ofFile(child)];
    return { files: [child], bindings: [{ name: alias, values }], wildcards: [], how: "mod" };
  }

  #keywordOrCrate(file: number, scope: number, first: string): Values | undefined {
    const own = this.#modules.enclosing(file, scope);
    if (first === "crate") return [this.#modules.root(file)];
    if (first === "self") return [own];
    if (first === "super") return this.#modules.parent(own);
    const crate = this.#modules.crate(file, first);
    return crate === undefined ? undefined : [crate];
  }

  /** The values of the first segment of a path; empty if it is outside the workspace. */
  #firstSegment(file: number, scope: number, parts: readonly string[], names: Resolver): Values {
    const [first = ""] = parts;
    const known = this.#keywordOrCrate(file, scope, first);
    if (known !== undefined) return known;
    const enclosing = this.#modules.enclosing(file, scope);
    const module = parts.length > 1 ? this.#modules.childOf(enclosing, first) : undefined;
    if (module !== undefined) return [module];
    return names.exportOf(enclosing, first).filter(({ kind }) => kind !== "external");
  }

  /** The values of a path, and the files of all of its segments; undefined if it is outside the workspace. */
  #resolvePath(file: number, scope: number, parts: readonly string[], names: Resolver) {
    const [first = "", ...rest] = parts;
    let values = this.#firstSegment(file, scope, parts, names);
    if (values.length === 0) return undefined;
    // `crate` alone is not a reference to the root file.
    const files = new Set(first === "crate" && rest.length > 0 ? [] : filesOf(values));
    for (const [i, part] of rest.entries()) {
      // Inside a path, a segment refers to a module, even if a function has its name.
      const modules = i < rest.length - 1 ? this.#modulesIn(values, part) : NOTHING;
      values = modules.length > 0 ? modules : this.#nextSegment(values, part, names);
      if (values.length === 0) break;
      for (const reached of filesOf(values)) files.add(reached);
    }
    return { values, files: [...files] };
  }

  #modulesIn(values: Values, name: string): Values {
    return values.flatMap((value) => {
      const module = value.kind === "module" ? this.#modules.childOf(value, name) : undefined;
      return module === undefined ? [] : [module];
    });
  }

  #nextSegment(values: Values, part: string, names: Resolver): Values {
    if (part === "self") return values;
    if (part !== "super") return names.memberOf(values, part);
    return values.flatMap((value) => (value.kind === "module" ? this.#modules.parent(value) : []));
  }
}

/** The files of values; of a function and a module of one name, the file of the function. */
function filesOf(values: Values): number[] {
  const definitions = values.filter(({ kind }) => kind !== "module");
  const files = (definitions.length > 0 ? definitions : values).flatMap((value) => {
    if (value.kind === "module") return value.files;
    return value.kind === "external" ? [] : [value.file];
  });
  return [...new Set(files)];
}

/** The segments of a path in code. */
function partsOf(written: string): string[] {
  return written.split("::").filter((part) => part !== "");
}
