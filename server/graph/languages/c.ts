/** C and C++: include resolution by path, and names that the linker resolves across files. */

import { baseNameOf, folderOf } from "../../common/relative-path.ts";
import { FLAG, type ImportFact } from "../../contracts/facts.ts";
import { openNamespaceKey, programKey, splitQualifiedName } from "../project/package-key.ts";
import { joinPath } from "../project/paths.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import type { Resolution, Rules, UnboundName } from "../resolve/rules.ts";
import { NOTHING, toDefinition, type Values } from "../resolve/values.ts";
import { filesBySuffix } from "./files-by-suffix.ts";
import { isStandardHeader, STANDARD_FUNCTIONS } from "./standard-library.ts";

/** C and C++ share one program scope. */
const PROGRAM = "c";
const HEADER = /\.(?:h|hh|hpp|hxx|h\+\+|inc|inl|ipp|tpp|tcc|def)$/i;

export class CRules implements Rules {
  readonly #project: Project;

  constructor(project: Project) {
    this.#project = project;
  }

  /** In the folder of the file first, then by path suffix, because only the build knows the include folders. */
  resolve(file: number, { kind, module }: ImportFact): Resolution {
    const isOfSystem = kind === "systemInclude" && isStandardHeader(module);
    const files = isOfSystem ? this.#ownSystemHeader(module) : this.#headers(file, module);
    const how = files.length > 1 ? "one of several headers" : "header";
    if (files.length > 0) return { files, bindings: [], wildcards: [], how };
    return { files: [], bindings: [], wildcards: [], external: module, how: "external" };
  }

  /** A system header that the workspace itself provides, as a kernel or a C library does: `include/linux/list.h`. */
  #ownSystemHeader(module: string): readonly number[] {
    const provided = module.includes("/") ? this.#project.find(`include/${module}`) : undefined;
    return provided === undefined ? [] : [provided];
  }

  #headers(file: number, module: string): readonly number[] {
    const path = this.#project.path(file);
    const beside = this.#project.find(joinPath(folderOf(path), module));
    return beside === undefined ? filesBySuffix(this.#project, path, module) : [beside];
  }

  submodule(): Values {
    return NOTHING;
  }

  /** In the enclosing namespaces, then in the program, where the linker knows one definition per name. */
  resolveUnbound({ file, scope, name, reachable }: UnboundName): Values | undefined {
    const inNamespace = this.#inNamespaces(file, scope, name);
    const found =
      inNamespace.length > 0 ? inNamespace : this.#project.packageNames(programKey(PROGRAM), name);
    const visible = found.length === 0 ? found : this.#visible(file, found, reachable());
    return visible.length === 0 ? undefined : visible.map(toDefinition);
  }

  /**
   * Included definitions take precedence. Otherwise functions and variables with external linkage count; if several programs
   * define one, the definition whose header is included, or the one in the same folder.
   */
  #visible(
    file: number,
    found: readonly DefinitionRef[],
    reachable: ReadonlySet<number>,
  ): readonly DefinitionRef[] {
    const candidates = found.filter((ref) => !this.#isStandardFunction(ref));
    const included = candidates.filter((ref) => reachable.has(ref.file) || this.#isNamespace(ref));
    if (included.length > 0) return included;
    const linked = candidates.filter((ref) => this.#hasExternalLinkage(ref));
    if (areInOneFile(linked)) return linked;
    const stems = new Set([...reachable].map((one) => stemOf(this.#project.path(one))));
    const ofHeader = linked.filter((ref) => stems.has(stemOf(this.#project.path(ref.file))));
    if (ofHeader.length > 0 && areInOneFile(ofHeader)) return ofHeader;
    const folder = folderOf(this.#project.path(file));
    const near = linked.filter((ref) => folderOf(this.#project.path(ref.file)) === folder);
    return areInOneFile(near) ? near : [];
  }

  /** Whether a definition replaces a function of the standard library, for debugging or for systems that lack it. */
  #isStandardFunction(ref: DefinitionRef): boolean {
    const { kind, name = "", flags = 0 } = this.#project.definition(ref) ?? {};
    // A macro without parameters is a variable.
    const isMacro = kind === "variable" && (flags & FLAG.static) !== 0;
    return (kind === "function" || isMacro) && STANDARD_FUNCTIONS.has(name);
  }

  #isNamespace(ref: DefinitionRef): boolean {
    return this.#project.definition(ref)?.kind === "namespace";
  }

  #hasExternalLinkage(ref: DefinitionRef): boolean {
    const { kind, flags = 0 } = this.#project.definition(ref) ?? {};
    const isInHeader = HEADER.test(this.#project.path(ref.file));
    // In a source file, it is usually a forward declaration.
    if (kind === "class" || kind === "alias") return isInHeader;
    if (kind !== "function" && kind !== "variable") return false;
    return (flags & FLAG.static) === 0 && !isInHeader;
  }

  /** The definitions of a name in the innermost enclosing namespace that has any. */
  #inNamespaces(file: number, scope: number, name: string): readonly DefinitionRef[] {
    const enclosing: string[] = [];
    for (const [, { kind, name: namespace, owner }] of this.#project.enclosing({
      file,
      index: scope,
    }))
      if (kind === "namespace") enclosing.unshift(...splitQualifiedName(owner), namespace);
    for (let count = enclosing.length; count > 0; count--) {
      const key = openNamespaceKey("cpp", enclosing.slice(0, count));
      const found = this.#project.packageNames(key, name);
      if (found.length > 0) return found;
    }
    return [];
  }
}

function areInOneFile(refs: readonly DefinitionRef[]): boolean {
  return refs.every(({ file }) => file === refs[0]?.file);
}

/** The base name without extension, equal for `src/pool.c` and `include/pool.h`. */
function stemOf(path: string): string {
  return baseNameOf(path).replace(/\.[^.]*$/, "");
}
