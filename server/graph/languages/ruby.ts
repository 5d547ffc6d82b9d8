/** Ruby: required files, and constants, which are global once loaded. */

import { folderOf } from "../../common/relative-path.ts";
import type { ImportFact } from "../../contracts/facts.ts";
import { openNamespaceKey, splitQualifiedName } from "../project/package-key.ts";
import { joinPath } from "../project/paths.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import type { Resolution, Resolver, Rules, UnboundName } from "../resolve/rules.ts";
import { NOTHING, toDefinition, toInstance, type Values } from "../resolve/values.ts";
import { RUBY_METHODS } from "./built-in-methods.ts";
import { filesBySuffix } from "./files-by-suffix.ts";
import { isConstant, RubyClasses } from "./ruby-classes.ts";

/** Folders that are usually on the load path. */
const LOAD_FOLDERS =
  /(?:^|\/)(?:lib|test|tests|spec|features|ext|app|app\/\w+|config|bin|vendor)\/$/;

/**
 * Whether a required path can refer to a file below `folder`. A name without folders usually refers to a gem: `json` is not
 * `lib/shop/json.rb`. It refers to a file on the load path, or in an ancestor folder of a file that is not in `lib`.
 */
function mayLoad(from: string, folder: string, written: string): boolean {
  if (folder === "" || written.includes("/") || LOAD_FOLDERS.test(folder)) return true;
  return from.startsWith(folder) && !/(?:^|\/)lib\//.test(folder);
}

export class RubyRules implements Rules {
  readonly #project: Project;
  readonly #classes: RubyClasses;

  constructor(project: Project) {
    this.#project = project;
    this.#classes = new RubyClasses(project);
  }

  resolve(file: number, { module }: ImportFact): Resolution {
    const path = this.#project.path(file);
    const written = module.endsWith(".rb") ? module : `${module}.rb`;
    const files = module.startsWith(".")
      ? [this.#project.find(joinPath(folderOf(path), written)) ?? -1].filter((one) => one >= 0)
      : filesBySuffix(this.#project, path, written, (found) =>
          mayLoad(path, found.slice(0, -written.length), written),
        ).slice(0, 1);
    if (files.length > 0) return { files, bindings: [], wildcards: [], how: "required file" };
    const [external = module] = module.split("/");
    const leaf = module.startsWith(".") ? {} : { external };
    const how = module.startsWith(".") ? "unresolved" : "external";
    return { files: [], bindings: [], wildcards: [], how, ...leaf };
  }

  submodule(): Values {
    return NOTHING;
  }

  resultOfMember(values: Values, name: string, resolver: Resolver): Values {
    return this.#classes.resultOf(values, name, resolver);
  }

  classMember(type: DefinitionRef, name: string, resolver: Resolver): Values {
    return this.#classes.member(type, name, resolver);
  }

  basesOf(type: DefinitionRef, written: () => Values): Values {
    const isModule = this.#project.definition(type)?.kind === "namespace";
    const classMethods = isModule ? this.#classes.classMethods(type) : [];
    return [...written(), ...classMethods.map(toInstance)];
  }

  /**
   * A constant of the enclosing modules, innermost first, then of the program. It is looked up as a qualified name too, because
   * autoloading defines modules for folders: `class Admin::Page` needs no `module Admin`.
   */
  resolveUnbound({ file, scope, name, reachable }: UnboundName): Values | undefined {
    if (!isConstant(name)) return this.#functionOfProgram(file, scope, name);
    const enclosing: string[] = [];
    for (const [, { kind, owner, name: each }] of this.#project.enclosing({ file, index: scope }))
      if (kind === "namespace" || kind === "class")
        enclosing.unshift(...[owner, each].filter((part) => part !== ""));
    const inside = name.split(".");
    const last = inside.pop() ?? name;
    for (let count = enclosing.length; count >= 0; count--) {
      const key = openNamespaceKey("ruby", [...enclosing.slice(0, count), ...inside]);
      const found = this.#project.packageNames(key, last);
      if (found.length > 0) return found.map(toDefinition);
    }
    return this.#includedAtTop(name, reachable);
  }

  /** A constant of a module that a loaded file includes at its top level. */
  #includedAtTop(name: string, reachable: UnboundName["reachable"]): Values | undefined {
    for (const ref of this.#project.extensionsOf("Object")) {
      const extension = this.#project.definition(ref);
      if (extension?.kind !== "extension" || this.#project.language(ref.file) !== "ruby") continue;
      if (!reachable().has(ref.file)) continue;
      for (const base of extension.bases) {
        const key = openNamespaceKey("ruby", splitQualifiedName(base.replace(/^::/, "")));
        const found = this.#project.packageNames(key, name);
        if (found.length > 0) return found.map(toDefinition);
      }
    }
    return undefined;
  }

  /** A top-level method that is called outside classes, if only one file defines it. */
  #functionOfProgram(file: number, scope: number, name: string): Values | undefined {
    for (const [, { kind }] of this.#project.enclosing({ file, index: scope }))
      if (kind === "class" || kind === "namespace") return undefined;
    if (RUBY_METHODS.has(name)) return undefined;
    const found = this.#project
      .packageNames(openNamespaceKey("ruby", []), name)
      .filter((ref) => this.#project.definition(ref)?.kind === "function");
    const areInOneFile = found.every((ref) => ref.file === found[0]?.file);
    return found.length > 0 && areInOneFile ? found.map(toDefinition) : undefined;
  }
}
