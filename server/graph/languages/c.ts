/** Headers of C and C++ by their paths, and what the program defines once. */

import { baseNameOf, folderOf } from "../../common/relative-path.ts";
import { FLAG, type ImportFact } from "../../contracts/facts.ts";
import { openNamespaceKey, programKey, splitQualifiedName } from "../project/package-key.ts";
import { joinPath } from "../project/paths.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import type { Resolution, Rules, UnboundName } from "../resolve/rules.ts";
import { NOTHING, toDefinition, type Values } from "../resolve/values.ts";
import { filesBySuffix } from "./files-by-suffix.ts";
import { isStandardHeader, STANDARD_FUNCTIONS } from "./standard-library.ts";

/** C and C++ are linked together. */
const PROGRAM = "c";
const HEADER = /\.(?:h|hh|hpp|hxx|h\+\+|inc|inl|ipp|tpp|tcc|def)$/i;

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
  resolve(file: number, { kind, module }: ImportFact): Resolution {
    const isOfSystem = kind === "systemInclude" && isStandardHeader(module);
    const files = isOfSystem ? this.#ownSystemHeader(module) : this.#headers(file, module);
    const how = files.length > 1 ? "one of several headers" : "header";
    if (files.length > 0) return { files, bindings: [], wildcards: [], how };
    return { files: [], bindings: [], wildcards: [], external: module, how: "external" };
  }

  /** Of a workspace that is the system, as a kernel or a library of C: `include/linux/list.h`. */
  #ownSystemHeader(module: string): readonly number[] {
    const own = module.includes("/") ? this.#project.find(`include/${module}`) : undefined;
    return own === undefined ? [] : [own];
  }

  #headers(file: number, module: string): readonly number[] {
    const path = this.#project.path(file);
    const beside = this.#project.find(joinPath(folderOf(path), module));
    return beside === undefined ? filesBySuffix(this.#project, path, module) : [beside];
  }

  submodule(): Values {
    return NOTHING;
  }

  /** In the namespaces around, then in the program: the linker knows one definition of a name. */
  resolveUnbound({ file, scope, name, reachable }: UnboundName): Values | undefined {
    const inNamespace = this.#inNamespaces(file, scope, name);
    const found =
      inNamespace.length > 0 ? inNamespace : this.#project.packageNames(programKey(PROGRAM), name);
    const visible = found.length === 0 ? found : this.#visible(file, found, reachable());
    return visible.length === 0 ? undefined : visible.map(toDefinition);
  }

  /**
   * What is included counts first. Of the rest only functions and variables that the linker sees; where several programs
   * define one, that whose header is included, or that in the same folder.
   */
  #visible(
    file: number,
    found: readonly DefinitionRef[],
    reachable: ReadonlySet<number>,
  ): readonly DefinitionRef[] {
    const own = found.filter((ref) => !this.#isStandardFunction(ref));
    const included = own.filter((ref) => reachable.has(ref.file) || this.#isNamespace(ref));
    if (included.length > 0) return included;
    const linked = own.filter((ref) => this.#isLinked(ref));
    if (isOfOneFile(linked)) return linked;
    const stems = new Set([...reachable].map((one) => stemOf(this.#project.path(one))));
    const ofHeader = linked.filter((ref) => stems.has(stemOf(this.#project.path(ref.file))));
    if (ofHeader.length > 0 && isOfOneFile(ofHeader)) return ofHeader;
    const folder = folderOf(this.#project.path(file));
    const near = linked.filter((ref) => folderOf(this.#project.path(ref.file)) === folder);
    return isOfOneFile(near) ? near : [];
  }

  /** A program that has one of its own has it for debugging, or for systems that lack it. */
  #isStandardFunction(ref: DefinitionRef): boolean {
    const { kind, name = "", flags = 0 } = this.#project.definition(ref) ?? {};
    // A macro without parameters is a variable.
    const isMacro = kind === "variable" && (flags & FLAG.static) !== 0;
    return (kind === "function" || isMacro) && STANDARD_FUNCTIONS.has(name);
  }

  #isNamespace(ref: DefinitionRef): boolean {
    return this.#project.definition(ref)?.kind === "namespace";
  }

  #isLinked(ref: DefinitionRef): boolean {
    const { kind, flags = 0 } = this.#project.definition(ref) ?? {};
    const isInHeader = HEADER.test(this.#project.path(ref.file));
    // Most often the file only says that there is such a type.
    if (kind === "class" || kind === "alias") return isInHeader;
    if (kind !== "function" && kind !== "variable") return false;
    return (flags & FLAG.static) === 0 && !isInHeader;
  }

  /** In the namespaces around the place, innermost first. */
  #inNamespaces(file: number, scope: number, name: string): readonly DefinitionRef[] {
    const around: string[] = [];
    for (const [, { kind, name: own, owner }] of this.#project.around({ file, index: scope }))
      if (kind === "namespace") around.unshift(...splitQualifiedName(owner), own);
    for (let count = around.length; count > 0; count--) {
      const key = openNamespaceKey("cpp", around.slice(0, count));
      const found = this.#project.packageNames(key, name);
      if (found.length > 0) return found;
    }
    return [];
  }
}

function isOfOneFile(refs: readonly DefinitionRef[]): boolean {
  return refs.every(({ file }) => file === refs[0]?.file);
}

/** `src/pool.c` and `include/pool.h` have the same. */
function stemOf(path: string): string {
  return baseNameOf(path).replace(/\.[^.]*$/, "");
}
