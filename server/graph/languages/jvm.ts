/** Classes of Java and its neighbors by package and name, wherever their files are. */

import type { ImportFact } from "../../contracts/facts.ts";
import { jvmPackageKey } from "../package-key.ts";
import { folderOf } from "../paths.ts";
import type { DefinitionRef, Project } from "../project.ts";
import type { ModuleNames, Resolution, Rules } from "../rules.ts";
import { usedNames } from "../used-names.ts";
import { externalOf, type Module, NOTHING, type Value, type Values } from "../values.ts";

export class JvmRules implements Rules {
  readonly reexportsImports = false;
  readonly hasVisibleReexports = true;
  readonly hasImplicitThis = true;
  readonly unboundIsExternal = true;
  readonly #project: Project;

  constructor(project: Project) {
    this.#project = project;
  }

  resolve(file: number, { module, names, kind }: ImportFact, asking: ModuleNames): Resolution {
    if (kind === "wildcard") return this.#wildcard(file, module);
    const found = this.#owner(file, module);
    const alias = names[0]?.alias ?? "";
    if (found === undefined) return outside(module, alias);
    const values = () => {
      let at = toValues(found.refs);
      for (const part of found.rest) at = asking.memberOf(at, part);
      return at;
    };
    const bindings = [{ name: alias, values }];
    return { files: filesOf(found.refs), bindings, wildcards: [], how: "class" };
  }

  submodule(module: Value, name: string): Values {
    if (module.kind !== "module") return NOTHING;
    const inside = this.#packageNamed(`${module.name}.${name}`);
    return inside === undefined ? NOTHING : [inside];
  }

  /** A top-level class; where several source sets have one of the name, the nearest. */
  #classNamed(file: number, name: string): readonly DefinitionRef[] {
    const at = name.lastIndexOf(".");
    const key = jvmPackageKey(at < 0 ? "" : name.slice(0, at));
    const found = this.#project.packageNames(key, name.slice(at + 1));
    if (found.length < 2) return found;
    const own = folderOf(this.#project.path(file));
    const nearness = (ref: DefinitionRef) => sharedLength(own, this.#project.path(ref.file));
    const best = Math.max(...found.map(nearness));
    return found.filter((ref) => nearness(ref) === best);
  }

  #packageNamed(name: string): Module | undefined {
    const packageKey = jvmPackageKey(name);
    const files = this.#project.filesOfPackage(packageKey);
    return files.length === 0 ? undefined : { kind: "module", files, name, inside: -1, packageKey };
  }

  /** The longest beginning of a dotted name that is a class; the rest are members. */
  #owner(file: number, name: string) {
    const parts = name.split(".");
    for (let count = parts.length; count > 0; count--) {
      const refs = this.#classNamed(file, parts.slice(0, count).join("."));
      if (refs.length > 0) return { refs, rest: parts.slice(count) };
    }
    return undefined;
  }

  /** Which of a package's files are meant shows only where their names are used. */
  #wildcard(file: number, module: string): Resolution {
    const whole = this.#packageNamed(module);
    if (whole !== undefined) {
      const facts = this.#project.facts(file);
      const used = facts === undefined ? [] : usedNames(facts).all;
      const key = jvmPackageKey(module);
      const meant = new Set(
        used.flatMap((name) => this.#project.packageNames(key, name).map((entry) => entry.file)),
      );
      const files = whole.files.filter((one) => meant.has(one));
      return { files, bindings: [], wildcards: [whole], how: "package" };
    }
    const found = this.#owner(file, module);
    if (found === undefined) return { ...outside(module, ""), bindings: [] };
    const wildcards = toValues(found.refs);
    return { files: filesOf(found.refs), bindings: [], wildcards, how: "class" };
  }
}

function toValues(refs: readonly DefinitionRef[]): Values {
  return refs.map(({ file, index }) => ({ kind: "definition", file, index }));
}

function filesOf(refs: readonly DefinitionRef[]): number[] {
  return [...new Set(refs.map(({ file }) => file))];
}

function outside(module: string, alias: string): Resolution {
  const bindings = [{ name: alias, values: () => externalOf(module) }];
  return { files: [], bindings, wildcards: [], external: module, how: "external" };
}

function sharedLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}
