/** Go: packages are folders, addressed by the module path of a go.mod and by its `replace` directives. */

import { getOrCreate } from "../../common/get-or-create.ts";
import { baseNameOf, folderOf } from "../../common/relative-path.ts";
import type { ImportFact } from "../../contracts/facts.ts";
import { joinPath } from "../project/paths.ts";
import type { Project } from "../project/project.ts";
import { usedNames } from "../project/used-names.ts";
import { type Resolution, type Rules, withLazyFiles } from "../resolve/rules.ts";
import { externalOf, type Module, NOTHING, type Values } from "../resolve/values.ts";

interface GoModule {
  readonly folder: string;
  readonly path: string;
  /** Folders by import path. */
  readonly replacements: ReadonlyMap<string, string>;
}

export class GoRules implements Rules {
  readonly #project: Project;
  readonly #modules: readonly GoModule[];
  /** Packages by folder; valid because rules are recreated after each change. */
  readonly #packages = new Map<string, () => Module | undefined>();

  constructor(project: Project) {
    this.#project = project;
    this.#modules = project
      .manifests("go.mod")
      .map(({ path, manifest }) => toModule(path, manifest));
  }

  resolve(file: number, { module: path, names, kind }: ImportFact): Resolution {
    const folder = this.#folderOf(file, path);
    const found = folder === undefined ? undefined : this.#packageAt(folder);
    if (found === undefined) return outside(path, names[0]?.alias);
    const packageName = this.#packageName(found.files[0]) ?? baseNameOf(path);
    const bindings = names.map(({ alias }) => ({
      name: alias === "" ? packageName : alias,
      values: () => [found],
    }));
    const wildcards = kind === "wildcard" ? [found] : [];
    return withLazyFiles(this.#project, { bindings, wildcards, how: "package" }, () =>
      this.#usedFiles(file, found.files, bindings[0]?.name),
    );
  }

  submodule(): Values {
    return NOTHING;
  }

  #packageName(file: number | undefined): string | undefined {
    if (file === undefined || this.#project.language(file) !== "go") return undefined;
    return this.#project.packageName(file);
  }

  /** The package of a folder, without test files. */
  #packageAt(folder: string): Module | undefined {
    const { reads } = this.#project;
    const find = () => reads.shared(() => this.#findPackage(folder));
    return getOrCreate(this.#packages, folder, find)();
  }

  #findPackage(folder: string): Module | undefined {
    const files = this.#project
      .inFolder(folder)
      .filter((file) => /(?<!_test)\.go$/.test(this.#project.path(file)));
    if (files.length === 0) return undefined;
    const packageKey = this.#project.packageOf(files[0] ?? -1);
    const key = packageKey === undefined ? {} : { packageKey };
    return { kind: "module", files, name: folder, inside: -1, ...key };
  }

  /** The files of a package that define a member that the importer uses; all files if there are none. */
  #usedFiles(file: number, files: readonly number[], name: string | undefined) {
    const facts = this.#project.facts(file);
    if (facts === undefined || name === undefined) return files;
    const key = this.#project.packageOf(files[0] ?? -1);
    if (key === undefined) return files;
    const members = [...usedNames(facts).membersOf(name)];
    const defining = new Set(
      members.flatMap((member) =>
        this.#project.packageNames(key, member).map((entry) => entry.file),
      ),
    );
    const used = files.filter((one) => defining.has(one));
    return used.length > 0 ? used : files;
  }

  #folderOf(file: number, path: string): string | undefined {
    const own = folderOf(this.#project.path(file));
    // The module of the importing file comes first, because module paths can repeat.
    const near = this.#modules.toSorted(
      (a, b) => distance(own, a.folder) - distance(own, b.folder),
    );
    for (const module of near) {
      const folder = folderIn(module, path);
      if (folder !== undefined && this.#packageAt(folder) !== undefined) return folder;
    }
    return this.#modules.length === 0 ? this.#inPartialWorkspace(own, path) : undefined;
  }

  /** If the workspace is a folder of a larger module, its name is a part of the import paths of its packages. */
  #inPartialWorkspace(from: string, path: string): string | undefined {
    const parts = path.split("/");
    const at = parts.lastIndexOf(this.#project.rootName);
    // Without a dot in the first part, it is a package of the standard library.
    if (at < 1 || parts[0]?.includes(".") !== true) return undefined;
    const folder = parts.slice(at + 1).join("/");
    return folder !== from && this.#packageAt(folder) !== undefined ? folder : undefined;
  }
}

function toModule(path: string, manifest: Readonly<Record<string, unknown>>): GoModule {
  const { module = "", replace = {} } = manifest as {
    module?: string;
    replace?: Record<string, string>;
  };
  const folder = folderOf(path);
  const replacements = new Map<string, string>();
  for (const [name, target] of Object.entries(replace)) {
    const at = joinPath(folder, target);
    if (at !== undefined) replacements.set(name, at);
  }
  return { folder, path: module, replacements };
}

function folderIn(
  { folder, path: module, replacements }: GoModule,
  path: string,
): string | undefined {
  for (const [name, target] of replacements) {
    if (path === name) return target;
    if (path.startsWith(`${name}/`)) return joinPath(target, path.slice(name.length + 1));
  }
  if (module === "") return undefined;
  if (path === module) return folder;
  return path.startsWith(`${module}/`)
    ? joinPath(folder, path.slice(module.length + 1))
    : undefined;
}

function outside(path: string, alias: string | undefined): Resolution {
  const last = path.split("/").findLast((part) => !/^v\d+$/.test(part)) ?? path;
  // The package of `gopkg.in/yaml.v3` is `yaml`, that of `github.com/x/go-y` is usually `y`.
  const guess = last.replace(/\.v\d+$/, "").replace(/^go-|-go$|\.go$/g, "");
  const name = alias === undefined || alias === "" ? guess : alias;
  const bindings = alias === undefined ? [] : [{ name, values: () => externalOf(path) }];
  return { files: [], bindings, wildcards: [], external: path, how: "external" };
}

/** The distance from a folder up to the folder of a module; modules that do not contain it come last. */
function distance(from: string, folder: string): number {
  const isAbove = folder === "" || from === folder || from.startsWith(`${folder}/`);
  return isAbove ? from.length - folder.length : 10_000 + folder.length;
}
