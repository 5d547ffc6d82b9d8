/** Elixir: modules by qualified name, independent of their files, and the bindings of `alias`, `import` and `use`. */

import type { ImportFact } from "../../contracts/facts.ts";
import { programKey } from "../project/package-key.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import type { Resolution, Resolver, Rules, UnboundName } from "../resolve/rules.ts";
import {
  externalOf,
  NOTHING,
  toDefinition,
  toInstance,
  type Value,
  type Values,
} from "../resolve/values.ts";

/** Macros of a module whose quoted definitions `use` adds to another module. */
const USING = ["__using__", "using"];

export class ElixirRules implements Rules {
  readonly #project: Project;
  /** Modules whose `use` is being followed, to stop at cycles. */
  readonly #visiting = new Set<string>();

  constructor(project: Project) {
    this.#project = project;
  }

  resolve(_file: number, { module, names, kind }: ImportFact, resolver: Resolver): Resolution {
    const refs = definitionsOf(this.#moduleNamed(module, undefined));
    const files = [...new Set(refs.map(({ file }) => file))];
    const values = () => this.#moduleNamed(module, resolver);
    if (names.some(({ name }) => name === "__using__"))
      return {
        ...this.#importsOfUse(refs, resolver),
        files,
        how: "module",
        ...externalUnless(files, module),
      };
    const bindings = names.map(({ alias }) => ({ name: alias, values }));
    if (files.length > 0) {
      const wildcards = kind === "wildcard" ? refs.map(toDefinition) : [];
      return { files, bindings, wildcards, how: "module" };
    }
    // An unresolved name in code may not be a module.
    if (kind === "type") return { files, bindings, wildcards: [], how: "unresolved" };
    return { files, bindings, wildcards: [], external: module, how: "external" };
  }

  /** The imports in the `__using__` macros of modules, which `use` adds to another module. */
  #importsOfUse(modules: readonly DefinitionRef[], resolver: Resolver) {
    const bindings: Resolution["bindings"][number][] = [];
    const wildcards: Value[] = [];
    for (const { file, index } of modules) {
      const key = `${file}:${index}`;
      if (this.#visiting.has(key)) continue;
      this.#visiting.add(key);
      const scopes = USING.flatMap((name) => this.#project.childrenNamed(file, index, name) ?? []);
      for (const statement of this.#project.imports(file)) {
        if (!scopes.includes(statement.scope)) continue;
        const resolution = this.resolve(file, statement, resolver);
        bindings.push(...resolution.bindings);
        wildcards.push(...resolution.wildcards);
      }
      this.#visiting.delete(key);
    }
    return { bindings, wildcards };
  }

  submodule(): Values {
    return NOTHING;
  }

  /** Resolves qualified names (`Shop:Pool` in chains), names that begin with an alias, and `__MODULE__`. */
  resolveUnbound({ file, scope, name }: UnboundName): Values | undefined {
    if (name === "__MODULE__") return this.#enclosing(file, scope);
    const [first = "", ...rest] = name.split(":");
    const aliased = this.#project
      .imports(file)
      .find(({ names }) => names.some(({ alias }) => alias === first))?.module;
    const found = this.#moduleNamed([aliased ?? first, ...rest].join("."), undefined);
    return found.length > 0 && found[0]?.kind !== "external" ? found : undefined;
  }

  /** The quoted definitions of the modules that a module uses, including functions that the quotes call. */
  basesOf({ file, index }: DefinitionRef, _: () => Values, resolver: Resolver): Values {
    const { bases = [], parent = -1 } = this.#project.definition({ file, index }) ?? {};
    return bases.flatMap((base) => {
      if (/^[^A-Z]/.test(base)) return this.#instancesNamed(file, parent, base);
      const used = resolver.name(file, index, base.replaceAll(".", ":"), Infinity).values;
      return definitionsOf(used).flatMap((ref) =>
        USING.flatMap((name) => this.#instancesNamed(ref.file, ref.index, name)),
      );
    });
  }

  #instancesNamed(file: number, parent: number, name: string): Values {
    const found = this.#project.childrenNamed(file, parent, name) ?? [];
    return found.map((index) => toInstance({ file, index }));
  }

  #named(module: string): readonly DefinitionRef[] {
    return this.#project.packageNames(programKey("elixir"), module);
  }

  /** A module by its qualified name; a nested module is a member of its parent. */
  #moduleNamed(module: string, resolver: Resolver | undefined): Values {
    const parts = module.split(".");
    for (let count = parts.length; count > 0; count--) {
      let values: Values = this.#named(parts.slice(0, count).join(".")).map(toDefinition);
      if (values.length === 0) continue;
      for (const part of parts.slice(count)) values = this.#inside(values, part, resolver);
      return values;
    }
    return externalOf(module);
  }

  #inside(values: Values, name: string, resolver: Resolver | undefined): Values {
    if (resolver !== undefined) return resolver.memberOf(values, name);
    return definitionsOf(values).flatMap(({ file, index }) => {
      const inside = this.#project.childrenNamed(file, index, name) ?? [];
      return inside.map((each) => toDefinition({ file, index: each }));
    });
  }

  #enclosing(file: number, scope: number): Values {
    for (let at = scope; at >= 0; ) {
      const one = this.#project.definition({ file, index: at });
      if (one === undefined) break;
      if (one.kind === "class" || one.kind === "interface")
        return [toDefinition({ file, index: at })];
      at = one.parent;
    }
    return NOTHING;
  }
}

function definitionsOf(values: Values): DefinitionRef[] {
  return values.flatMap((value) =>
    value.kind === "definition" ? [{ file: value.file, index: value.index }] : [],
  );
}

function externalUnless(files: readonly number[], module: string): Partial<Resolution> {
  return files.length > 0 ? {} : { external: module, how: "external" };
}
