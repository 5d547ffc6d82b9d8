/** Headers of C and C++ by their paths, and what the program defines once. */

import type { ImportFact } from "../../contracts/facts.ts";
import { openNamespaceKey, programKey } from "../package-key.ts";
import { folderOf, joinPath } from "../paths.ts";
import type { Project } from "../project.ts";
import type { Resolution, Rules } from "../rules.ts";
import { NOTHING, toDefinition, type Values } from "../values.ts";
import { filesBySuffix } from "./suffixes.ts";

export class CRules implements Rules {
  readonly reexportsImports = false;
  readonly hasVisibleReexports = true;
  readonly unboundIsExternal = true;
  readonly hasImplicitThis: boolean;
  readonly #project: Project;

  constructor(project: Project, hasImplicitThis: boolean) {
    this.#project = project;
    this.hasImplicitThis = hasImplicitThis;
  }

  /** Beside the file first, then wherever a path ends so: include folders are known to the build only. */
  resolve(file: number, { module }: ImportFact): Resolution {
    const path = this.#project.path(file);
    const beside = this.#project.find(joinPath(folderOf(path), module));
    const files = beside === undefined ? filesBySuffix(this.#project, path, module) : [beside];
    const how = files.length > 1 ? "one of several headers" : "header";
    if (files.length > 0) return { files, bindings: [], wildcards: [], how };
    return { files: [], bindings: [], wildcards: [], external: module, how: "external" };
  }

  submodule(): Values {
    return NOTHING;
  }

  /** The linker knows one definition of a name; where files of several programs define it, one in the same folder counts. */
  builtIn(file: number, scope: number, name: string): Values | undefined {
    const inNamespace = this.#inNamespaces(file, scope, name);
    if (inNamespace.length > 0) return inNamespace;
    const all = this.#project.packageNames(programKey("c"), name);
    const folder = folderOf(this.#project.path(file));
    const near =
      all.length > 1
        ? all.filter((entry) => folderOf(this.#project.path(entry.file)) === folder)
        : all;
    return near.length === 1 ? near.map(toDefinition) : undefined;
  }

  /** In the namespaces around the place, innermost first. */
  #inNamespaces(file: number, scope: number, name: string): Values {
    const around: string[] = [];
    for (const [, one] of this.#project.around({ file, index: scope }))
      if (one.kind === "namespace") around.unshift(one.name);
    for (let count = around.length; count > 0; count--) {
      const key = openNamespaceKey("cpp", around.slice(0, count));
      const found = this.#project.packageNames(key, name);
      if (found.length > 0) return found.map(toDefinition);
    }
    return NOTHING;
  }
}
