/** Packages of Go: folders, named by the module path of the nearest go.mod, by `replace` and by go.work. */

import { manifestsOf } from "../manifests.ts";
import { baseNameOf, folderOf, joinPath } from "../paths.ts";
import type { Project } from "../project.ts";
import type { Resolution, Rules } from "../rules.ts";
import { usedNames } from "../used-names.ts";
import { externalOf, NOTHING, type Value } from "../values.ts";

interface GoModule {
  readonly folder: string;
  readonly path: string;
  /** From import path to folder. */
  readonly replaced: ReadonlyMap<string, string>;
}

export function goRules(project: Project): Rules {
  const modules: GoModule[] = manifestsOf(project, "go.mod").map(({ path, manifest }) => {
    const { module = "", replace = {} } = manifest as {
      module?: string;
      replace?: Record<string, string>;
    };
    const folder = folderOf(path);
    const replaced = new Map<string, string>();
    for (const [name, target] of Object.entries(replace)) {
      const at = joinPath(folder, target);
      if (at !== undefined) replaced.set(name, at);
    }
    return { folder, path: module, replaced };
  });
  const siblings = new Map<string, readonly number[]>();
  const packages = new Map<string, Value & { kind: "module" }>();

  /** The files of a folder that are one package; tests only where there is nothing else. */
  const packageAt = (folder: string): (Value & { kind: "module" }) | undefined => {
    const known = packages.get(folder);
    if (known !== undefined) return known;
    const all = project.inFolder(folder).filter((file) => project.path(file).endsWith(".go"));
    const files = all.filter((file) => !project.path(file).endsWith("_test.go"));
    if (files.length === 0) return undefined;
    const name = project.facts(files[0] ?? -1)?.packageName ?? baseNameOf(folder);
    const made = { kind: "module", files, name: folder, inside: -1 } as const;
    packages.set(folder, { ...made, name: `${folder}:${name}` });
    return packages.get(folder);
  };

  /** The files of a package that define what is asked of it; all where that does not show. */
  const meantFiles = (file: number, files: readonly number[], name: string | undefined) => {
    const facts = project.facts(file);
    if (facts === undefined || name === undefined) return files;
    const asked = usedNames(facts).membersOf(name);
    const meant = files.filter((one) =>
      [...asked].some((member) => project.children(one, -1).has(member)),
    );
    return meant.length > 0 ? meant : files;
  };

  const folderOfImport = (file: number, path: string): string | undefined => {
    const own = folderOf(project.path(file));
    // The module of the importing file first: two may have one name.
    const near = modules.toSorted((a, b) => distance(own, a.folder) - distance(own, b.folder));
    for (const { folder, path: module, replaced } of near) {
      for (const [name, target] of replaced) {
        if (path === name) return target;
        if (path.startsWith(`${name}/`)) return joinPath(target, path.slice(name.length + 1));
      }
      if (module === "") continue;
      if (path === module) return folder;
      if (path.startsWith(`${module}/`)) {
        const target = joinPath(folder, path.slice(module.length + 1));
        if (target !== undefined && packageAt(target) !== undefined) return target;
      }
    }
    return undefined;
  };

  return {
    resolve: (file, { module: path, names, kind }) => {
      const folder = folderOfImport(file, path);
      const found = folder === undefined ? undefined : packageAt(folder);
      if (found === undefined) return outside(path, names[0]?.alias);
      const packageName = project.facts(found.files[0] ?? -1)?.packageName ?? baseNameOf(path);
      const isWildcard = kind === "wildcard";
      const bindings = names.map(({ alias }) => ({
        name: alias === "" ? packageName : alias,
        values: () => [found],
      }));
      const files = meantFiles(file, found.files, bindings[0]?.name);
      return { files, bindings, wildcards: isWildcard ? [found] : [], how: "package" };
    },
    siblings: (file) => {
      const name = project.facts(file)?.packageName;
      const folder = folderOf(project.path(file));
      const key = `${folder}:${name}`;
      const known = siblings.get(key);
      if (known !== undefined) return known;
      const files = project
        .inFolder(folder)
        .filter(
          (other) =>
            project.facts(other)?.language === "go" && project.facts(other)?.packageName === name,
        );
      siblings.set(key, files);
      return files;
    },
    submodule: () => NOTHING,
    reexportsImports: false,
    hasVisibleReexports: true,
    hasImplicitThis: false,
    unboundIsExternal: true,
  };
}

function outside(path: string, alias: string | undefined): Resolution {
  const last = path.split("/").findLast((part) => !/^v\d+$/.test(part)) ?? path;
  // `gopkg.in/yaml.v3` is yaml, `github.com/x/go-y` is most often y.
  const guess = last.replace(/\.v\d+$/, "").replace(/^go-|-go$|\.go$/g, "");
  const name = alias === undefined || alias === "" ? guess : alias;
  const bindings = alias === undefined ? [] : [{ name, values: () => externalOf(path) }];
  return { files: [], bindings, wildcards: [], external: path, how: "external" };
}

/** How far a module's folder is above another; those beside come last. */
function distance(from: string, folder: string): number {
  const isAbove = folder === "" || from === folder || from.startsWith(`${folder}/`);
  return isAbove ? from.length - folder.length : 10_000 + folder.length;
}
