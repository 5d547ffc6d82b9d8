/** The module tree of Rust files, and the crates of the workspace. */

import { getOrCreate } from "../../common/get-or-create.ts";
import { folderOf } from "../../common/relative-path.ts";
import { joinPath } from "../project/paths.ts";
import type { Project } from "../project/project.ts";
import type { Module, Values } from "../resolve/values.ts";
import { NOTHING } from "../resolve/values.ts";

interface Crate {
  readonly folder: string;
  /** With underscores, as in code. */
  readonly name: string;
  readonly library: number | undefined;
}

/** Deeper trees are cycles of symbolic links. */
const MAX_DEPTH = 32;

export class RustModules {
  readonly #project: Project;
  readonly #crates: readonly Crate[];
  /** By file. */
  readonly #roots = new Map<number, () => Module>();

  constructor(project: Project) {
    this.#project = project;
    const crates = project.manifests("Cargo.toml").flatMap(({ path, manifest }): Crate[] => {
      const { name, lib, libName } = manifest as { name?: string; lib?: string; libName?: string };
      const folder = folderOf(path);
      if (name === undefined) return [];
      const library = project.find(joinPath(folder, lib ?? "src/lib.rs"));
      return [{ folder, name: (libName ?? name).replaceAll("-", "_"), library }];
    });
    this.#crates = crates.toSorted((a, b) => b.folder.length - a.folder.length);
  }

  ofFile(file: number): Module {
    return { kind: "module", files: [file], name: this.#project.path(file), inside: -1 };
  }

  /** The folder of the package of a file. */
  packageFolder(file: number): string | undefined {
    return this.#packageOf(this.#project.path(file))?.folder;
  }

  /** The library of a crate; of several crates of the name, the nearest to the file. */
  crate(file: number, name: string): Module | undefined {
    const path = this.#project.path(file);
    const named = this.#crates.filter(
      (crate) => crate.name === name && crate.library !== undefined,
    );
    const near = named.find(({ folder }) => path.startsWith(`${folder}/`)) ?? named.at(-1);
    return near?.library === undefined ? undefined : this.ofFile(near.library);
  }

  /** The file of `mod name;`. */
  child(file: number, name: string): number | undefined {
    const folder = this.#folderInside(this.#project.path(file));
    const find = (path: string) => this.#project.find(joinPath(folder, path));
    return find(`${name}.rs`) ?? find(`${name}/mod.rs`);
  }

  /** A child module in a file of its own. */
  childOf({ files: [file = -1], inside }: Module, name: string): Module | undefined {
    const inFile = inside < 0 ? this.child(file, name) : undefined;
    return inFile === undefined ? undefined : this.ofFile(inFile);
  }

  root(file: number): Module {
    return getOrCreate(this.#roots, file, () =>
      this.#project.reads.shared(() => this.#findRoot(file)),
    )();
  }

  #findRoot(file: number): Module {
    let module = this.ofFile(file);
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      const above = this.#parentOfFile(module.files[0] ?? -1);
      if (above === undefined) break;
      module = above;
    }
    return module;
  }

  /** The module of a scope: an inline module, or the file. */
  enclosing(file: number, scope: number): Module {
    for (const [index, { kind }] of this.#project.enclosing({ file, index: scope })) {
      if (kind !== "namespace") continue;
      const name = `${this.#project.path(file)}#${index}`;
      return { kind: "module", files: [file], name, inside: index };
    }
    return this.ofFile(file);
  }

  parent({ files: [file = -1], inside }: Module): Values {
    if (inside >= 0) {
      const outer = this.#project.definition({ file, index: inside })?.parent ?? -1;
      return [this.enclosing(file, outer)];
    }
    const above = this.#parentOfFile(file);
    return above === undefined ? NOTHING : [above];
  }

  #parentOfFile(file: number): Module | undefined {
    const path = this.#project.path(file);
    if (this.#isRoot(path)) return undefined;
    const folder = path.endsWith("/mod.rs") ? folderOf(folderOf(path)) : folderOf(path);
    const candidates = [
      `${folder}.rs`,
      `${folder}/mod.rs`,
      `${folder}/lib.rs`,
      `${folder}/main.rs`,
    ];
    const found = candidates.flatMap((one) => this.#project.find(joinPath("", one)) ?? [])[0];
    return found === undefined || found === file ? undefined : this.ofFile(found);
  }

  #packageOf(path: string): Crate | undefined {
    return this.#crates.find(({ folder }) => folder === "" || path.startsWith(`${folder}/`));
  }

  /** Whether a file is the root of a crate: a library, a program, a test, an example. */
  #isRoot(path: string): boolean {
    const crate = this.#packageOf(path);
    const from = crate === undefined || crate.folder === "" ? 0 : crate.folder.length + 1;
    const inside = path.slice(from);
    if (/(?:^|\/)(?:lib|main|build)\.rs$/.test(inside)) return true;
    return /^(?:src\/bin|tests|examples|benches)\/[^/]+\.rs$/.test(inside);
  }

  /** The folder of the child modules of a file. */
  #folderInside(path: string): string {
    if (this.#isRoot(path) || path.endsWith("/mod.rs")) return folderOf(path);
    return path.replace(/\.rs$/, "");
  }
}
