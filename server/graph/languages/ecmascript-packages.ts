/** Packages of the workspace by name: resolves `exports`, `imports` and `main` of package.json to source files. */

import { folderOf } from "../../common/relative-path.ts";
import { foldersAbove, joinPath, sharedLength } from "../project/paths.ts";
import type { Project } from "../project/project.ts";
import { fileAt } from "./ecmascript-files.ts";
import { matchStar } from "./tsconfig.ts";

interface Package {
  readonly folder: string;
  readonly manifest: Manifest;
}

type Manifest = Readonly<Record<string, unknown>>;

export class Packages {
  readonly #project: Project;
  readonly #byFolder: ReadonlyMap<string, Package>;
  readonly #byName = new Map<string, Package[]>();

  constructor(project: Project) {
    this.#project = project;
    const all: Package[] = project.manifests("package.json").map(({ path, manifest }) => ({
      folder: folderOf(path),
      manifest,
    }));
    this.#byFolder = new Map(all.map((one) => [one.folder, one]));
    for (const one of all) {
      const { name } = one.manifest;
      if (typeof name === "string" && name !== "")
        this.#byName.set(name, [...(this.#byName.get(name) ?? []), one]);
    }
  }

  /** The entry file of the package in a folder. */
  main(folder: string): number | undefined {
    const one = this.#byFolder.get(folder);
    return one === undefined ? undefined : this.#mainOf(one);
  }

  /** Resolves `#internal/x` by the `imports` of the nearest manifest. */
  imported(folder: string, specifier: string): number | undefined {
    const [own] = foldersAbove(folder).flatMap((above) => this.#byFolder.get(above) ?? []);
    if (own === undefined) return undefined;
    return this.#first(own.folder, targetsOf(own.manifest["imports"], specifier));
  }

  /** Resolves a specifier to a package of the workspace; of several with the name, the nearest. */
  resolve(folder: string, specifier: string): number | undefined {
    const parts = specifier.split("/");
    const count = specifier.startsWith("@") ? 2 : 1;
    const named = this.#byName.get(parts.slice(0, count).join("/")) ?? [];
    const near = named.toSorted(
      (a, b) => sharedLength(folder, b.folder) - sharedLength(folder, a.folder),
    );
    for (const one of near) {
      const file = this.#inside(one, parts.slice(count).join("/"));
      if (file !== undefined) return file;
    }
    return undefined;
  }

  #mainOf({ folder, manifest }: Package): number | undefined {
    const { source, types, module, main, exports } = manifest;
    const written = [...targetsOf(exports, "."), source, module, main, types];
    return this.#first(folder, [...written, "src/index", "index", "src/main", "lib/index"]);
  }

  #inside(one: Package, subpath: string): number | undefined {
    if (subpath === "") return this.#mainOf(one);
    const targets = targetsOf(one.manifest["exports"], `./${subpath}`);
    return this.#first(one.folder, [...targets, subpath, `src/${subpath}`]);
  }

  /** The first target with a file; values other than strings are skipped, because manifests are not validated. */
  #first(folder: string, targets: readonly unknown[]): number | undefined {
    for (const target of targets) {
      const file = typeof target === "string" ? this.#located(folder, target) : undefined;
      if (file !== undefined) return file;
    }
    return undefined;
  }

  /** The file of a target, or the source that it is built from. */
  #located(folder: string, target: string): number | undefined {
    for (const path of [target, ...sourcesOf(target)]) {
      const absolute = joinPath(folder, path);
      if (absolute === undefined || absolute === "") continue;
      const file = fileAt(this.#project, absolute) ?? fileAt(this.#project, `${absolute}/index`);
      if (file !== undefined) return file;
    }
    return undefined;
  }
}

/** The targets of a key of `exports` or `imports`, for all conditions, in their order. */
function targetsOf(map: unknown, key: string): string[] {
  if (typeof map === "string") return key === "." ? [map] : [];
  if (typeof map !== "object" || map === null) return [];
  const entries = Object.entries(map as Record<string, unknown>);
  const isConditions = entries.every(([name]) => !name.startsWith(".") && !name.startsWith("#"));
  if (isConditions) return key === "." ? leavesOf(map) : [];
  return entries.flatMap(([pattern, value]) => {
    const star = matchStar(pattern, key);
    return star === undefined ? [] : leavesOf(value).map((target) => target.replaceAll("*", star));
  });
}

function leavesOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
}

/** Possible sources of a build output: `dist/x.js` is usually built from `src/x.ts`. */
function sourcesOf(target: string): string[] {
  const plain = target.replace(/^\.\//, "");
  const stem = plain.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, "");
  const moved = stem.replace(
    /^(?:dist|build|lib|out|es|esm|cjs|umd)\/(?:(?:esm|cjs|es|types|src)\/)?/,
    "src/",
  );
  return [stem, moved, stem.replace(/^(?:dist|build|lib|out)\//, "")];
}
