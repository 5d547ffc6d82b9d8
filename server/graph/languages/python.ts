/** Python: absolute modules from a source root, and relative modules by leading dots. */

import { getOrCreate } from "../../common/get-or-create.ts";
import { folderOf } from "../../common/relative-path.ts";
import type { ImportFact } from "../../contracts/facts.ts";
import { foldersAbove, joinPath } from "../project/paths.ts";
import type { Project } from "../project/project.ts";
import type { Resolution, Resolver, Rules } from "../resolve/rules.ts";
import { externalOf, type Module, NOTHING, type Value, type Values } from "../resolve/values.ts";

const SUFFIXES = [".py", ".pyi", "/__init__.py", "/__init__.pyi"];
/** Common source roots below the workspace folder. */
const SOURCE_FOLDERS = ["src", "lib", "python"];

export class PythonRules implements Rules {
  readonly #project: Project;
  /** Absolute modules by folder and name. */
  readonly #absolute = new Map<string, () => Module | undefined>();

  constructor(project: Project) {
    this.#project = project;
  }

  resolve(file: number, statement: ImportFact, names: Resolver): Resolution {
    const { module: written, kind } = statement;
    const module = this.#moduleOf(file, written);
    if (module === undefined) return outside(statement);
    if (kind === "wildcard")
      return { files: module.files, bindings: [], wildcards: [module], how: "module" };
    if (statement.names.length === 0) return this.#dottedImport(file, written, module);
    const targets: Value[] = [];
    const bindings = statement.names.map(({ name, alias }) => {
      if (name === undefined) {
        targets.push(module);
        return { name: alias, values: () => [module] };
      }
      const part = this.submodule(module, name);
      targets.push(...(part.length > 0 && !this.#defines(module, name) ? part : [module]));
      const values = () => {
        const given = names.exportOf(module, name);
        return given.length > 0 ? given : part;
      };
      return { name: alias, values };
    });
    return { files: filesOf(targets), bindings, wildcards: [], how: "module" };
  }

  submodule(module: Value, name: string): Values {
    if (module.kind !== "module") return NOTHING;
    const [file] = module.files;
    if (file !== undefined && !/\/?__init__\.pyi?$/.test(this.#project.path(file))) return NOTHING;
    const found = this.#moduleAt(join(module.name, name));
    return found === undefined ? NOTHING : [found];
  }

  #defines({ files }: Module, name: string): boolean {
    return files.some((file) => this.#project.childrenNamed(file, -1, name) !== undefined);
  }

  /** `import a.b` binds `a`, whose submodule is `b`. */
  #dottedImport(file: number, written: string, module: Module): Resolution {
    const [first = written] = written.split(".");
    const top = this.#moduleOf(file, first) ?? module;
    const bindings = [{ name: first, values: () => [top] }];
    return { files: module.files, bindings, wildcards: [], how: "module" };
  }

  #moduleOf(file: number, name: string): Module | undefined {
    const dots = /^\.*/.exec(name)?.[0].length ?? 0;
    if (dots === 0) return this.#absoluteModule(file, name);
    const folder = joinPath(folderOf(this.#project.path(file)), "../".repeat(dots - 1));
    const rest = name.slice(dots).replaceAll(".", "/");
    return folder === undefined ? undefined : this.#moduleAt(joinPath(folder, rest));
  }

  /** Resolves an absolute name from its source root: the nearest ancestor folder that contains its first part. */
  #absoluteModule(file: number, name: string): Module | undefined {
    const folder = folderOf(this.#project.path(file));
    const key = `${folder}:${name}`;
    const { reads } = this.#project;
    const find = () => reads.shared(() => this.#fromRoots(folder, name));
    return getOrCreate(this.#absolute, key, find)();
  }

  #fromRoots(folder: string, name: string): Module | undefined {
    const [first = ""] = name.split(".");
    // The folder of a package is not a source root.
    const root = [...foldersAbove(folder), ...SOURCE_FOLDERS].find(
      (one) =>
        this.#project.find(join(one, "__init__.py")) === undefined &&
        this.#moduleAt(join(one, first)) !== undefined,
    );
    if (root !== undefined) return this.#moduleAt(join(root, name.replaceAll(".", "/")));
    return first === this.#project.rootName ? this.#inWorkspacePackage(name) : undefined;
  }

  /** If the workspace is itself a package, absolute names begin with its folder name. */
  #inWorkspacePackage(name: string): Module | undefined {
    if (this.#project.find("__init__.py") === undefined) return undefined;
    return this.#moduleAt(name.split(".").slice(1).join("/"));
  }

  /** The module at a path without suffix: a file, a package, or a folder without `__init__`. */
  #moduleAt(path: string | undefined): Module | undefined {
    if (path === undefined) return undefined;
    const candidates = SUFFIXES.map((suffix) => (path === "" ? suffix.slice(1) : path + suffix));
    const file = candidates.flatMap((candidate) => this.#project.find(candidate) ?? [])[0];
    if (file === undefined && !(path !== "" && this.#project.hasPythonBelow(path)))
      return undefined;
    return { kind: "module", files: file === undefined ? [] : [file], name: path, inside: -1 };
  }
}

function outside({ module, names }: ImportFact): Resolution {
  const [first = module] = module.split(".");
  const isRelative = module.startsWith(".");
  const bound = names.length === 0 ? [{ name: undefined, alias: first }] : names;
  const bindings = bound.map(({ name, alias }) => ({
    name: alias,
    values: () => externalOf(name === undefined ? module : `${module}.${name}`),
  }));
  if (isRelative) return { files: [], bindings, wildcards: [], how: "unresolved" };
  return { files: [], bindings, wildcards: [], external: first, how: "external" };
}

function filesOf(values: Values): number[] {
  return [...new Set(values.flatMap((value) => (value.kind === "module" ? value.files : [])))];
}

function join(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
