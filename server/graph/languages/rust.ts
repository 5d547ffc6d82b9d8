/** Modules of Rust: the tree that `mod` makes of files, `crate`, `self` and `super`, and the crates of the workspace. */

import { manifestsOf } from "../manifests.ts";
import { folderOf, joinPath } from "../paths.ts";
import type { Project } from "../project.ts";
import type { Resolution, Rules } from "../rules.ts";
import { externalOf, NOTHING, type Value, type Values } from "../values.ts";

type Module = Value & { readonly kind: "module" };

interface Crate {
  readonly folder: string;
  /** As code writes it: with underscores. */
  readonly name: string;
  readonly library: number | undefined;
}

export function rustRules(project: Project): Rules {
  const crates: Crate[] = manifestsOf(project, "Cargo.toml").flatMap(({ path, manifest }) => {
    const { name, lib } = manifest as { name?: string; lib?: string; libName?: string };
    const folder = folderOf(path);
    if (name === undefined) return [];
    const library = project.find(joinPath(folder, lib ?? "src/lib.rs"));
    const own = (manifest as { libName?: string }).libName ?? name;
    return [{ folder, name: own.replaceAll("-", "_"), library }];
  });
  const deepestFirst = crates.toSorted((a, b) => b.folder.length - a.folder.length);
  const crateOf = (path: string) =>
    deepestFirst.find(({ folder }) => folder === "" || path.startsWith(`${folder}/`));

  const fileModule = (file: number): Module => ({
    kind: "module",
    files: [file],
    name: project.path(file),
    inside: -1,
  });

  /** Whether a file is the root of a crate: a library, a program, a test, an example. */
  const isRoot = (path: string) => {
    const crate = crateOf(path);
    const inside =
      crate === undefined || crate.folder === "" ? path : path.slice(crate.folder.length + 1);
    if (/(?:^|\/)(?:lib|main|build)\.rs$/.test(inside)) return true;
    return /^(?:src\/bin|tests|examples|benches)\/[^/]+\.rs$/.test(inside);
  };

  /** The folder in which the files of a module's own modules are. */
  const folderInside = (path: string) => {
    if (isRoot(path) || path.endsWith("/mod.rs")) return folderOf(path);
    return path.replace(/\.rs$/, "");
  };

  const childFile = (path: string, name: string): number | undefined => {
    const folder = folderInside(path);
    return (
      project.find(joinPath(folder, `${name}.rs`)) ??
      project.find(joinPath(folder, `${name}/mod.rs`))
    );
  };

  const parentModule = (file: number): Module | undefined => {
    const path = project.path(file);
    if (isRoot(path)) return undefined;
    const folder = path.endsWith("/mod.rs") ? folderOf(folderOf(path)) : folderOf(path);
    const candidates = [
      `${folder}.rs`,
      `${folder}/mod.rs`,
      `${folder}/lib.rs`,
      `${folder}/main.rs`,
    ];
    const found = candidates
      .map((one) => project.find(joinPath("", one)))
      .find((one) => one !== undefined);
    return found === undefined ? undefined : fileModule(found);
  };

  const rootOf = (file: number): Module | undefined => {
    let module: Module = fileModule(file);
    for (let depth = 0; depth < 32; depth++) {
      const above = parentModule(module.files[0] ?? -1);
      if (above === undefined) break;
      module = above;
    }
    return module;
  };

  /** The module around a place: an inline one, or the file. */
  const moduleAround = (file: number, scope: number): Module => {
    const definitions = project.facts(file)?.definitions ?? [];
    for (let at = scope; at >= 0; at = definitions[at]?.parent ?? -1) {
      if (definitions[at]?.kind === "namespace")
        return { kind: "module", files: [file], name: `${project.path(file)}#${at}`, inside: at };
    }
    return fileModule(file);
  };

  const above = (module: Module): Module | undefined => {
    const [file = -1] = module.files;
    if (module.inside < 0) return parentModule(file);
    return moduleAround(file, project.facts(file)?.definitions[module.inside]?.parent ?? -1);
  };

  const start = (file: number, scope: number, first: string): Values | undefined => {
    const own = moduleAround(file, scope);
    if (first === "crate") return listOf(rootOf(file));
    if (first === "self") return [own];
    if (first === "super") return listOf(above(own));
    const crate = crates.find(({ name, library }) => name === first && library !== undefined);
    return crate?.library === undefined ? undefined : [fileModule(crate.library)];
  };

  const resolve: Rules["resolve"] = (file, statement, names) => {
    const { module: written, scope } = statement;
    const alias = statement.names[0]?.alias ?? "";
    if (statement.kind === "module") {
      const child = childFile(project.path(file), written);
      if (child === undefined) return { files: [], bindings: [], wildcards: [], how: "unresolved" };
      return {
        files: [child],
        bindings: [{ name: alias, values: () => [fileModule(child)] }],
        wildcards: [],
        how: "mod",
      };
    }
    const parts = written
      .replace(/^::/, "")
      .split("::")
      .filter((part) => part !== "");
    const walked = walk(file, scope, parts, names);
    if (walked === undefined) return outside(parts, alias);
    const { values, files } = walked;
    const isWildcard = statement.kind === "wildcard" || statement.kind === "wildcardReexport";
    return {
      files: files.filter((one) => one !== file),
      bindings: isWildcard
        ? []
        : [{ name: alias, values: () => walk(file, scope, parts, names)?.values ?? values }],
      wildcards: isWildcard ? values : [],
      how: "path",
    };
  };

  /** The values of a path, and the files that it leads through: of its last module, and of what it names. */
  const walk = (
    file: number,
    scope: number,
    parts: readonly string[],
    names: Parameters<Rules["resolve"]>[2],
  ) => {
    const [first = "", ...rest] = parts;
    let values = start(file, scope, first);
    if (values === undefined) {
      const own = names
        .exportOf(moduleAround(file, scope), first)
        .filter(({ kind }) => kind !== "external");
      const inRoot = own.length > 0 ? own : [];
      if (inRoot.length === 0) return undefined;
      values = inRoot;
    }
    let files = filesOf(values);
    for (const part of rest) {
      const next: Values =
        part === "super"
          ? values.flatMap((value) => (value.kind === "module" ? listOf(above(value)) : []))
          : part === "self"
            ? values
            : names.memberOf(values, part);
      if (next.length === 0) return { values: NOTHING, files };
      values = next;
      const reached = filesOf(values);
      if (reached.length > 0) files = reached;
    }
    return { values, files };
  };

  const filesOf = (values: Values): number[] => [
    ...new Set(
      values.flatMap((value) =>
        value.kind === "module" ? value.files : value.kind === "external" ? [] : [value.file],
      ),
    ),
  ];

  return {
    resolve,
    siblings: () => [],
    builtIn: (file, scope, name) => (name === "self" ? undefined : start(file, scope, name)),
    submodule: (module, name) => {
      if (module.kind !== "module" || module.inside >= 0) return NOTHING;
      const child = childFile(project.path(module.files[0] ?? -1), name);
      return child === undefined ? NOTHING : [fileModule(child)];
    },
    reexportsImports: true,
    hasVisibleReexports: true,
    hasImplicitThis: false,
    unboundIsExternal: true,
  };
}

function listOf(module: Module | undefined): Values {
  return module === undefined ? NOTHING : [module];
}

function outside(parts: readonly string[], alias: string): Resolution {
  const name = parts.join(".");
  const bindings = alias === "" ? [] : [{ name: alias, values: () => externalOf(name) }];
  const [first = ""] = parts;
  return { files: [], bindings, wildcards: [], external: first, how: "external" };
}
