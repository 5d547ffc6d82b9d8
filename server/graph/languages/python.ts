/** Modules of Python: dotted names from a source root, or relative by dots. A submodule counts before an attribute. */

import type { ImportFact } from "../../contracts/facts.ts";
import { folderOf, foldersAbove, joinPath } from "../paths.ts";
import type { Project } from "../project.ts";
import type { Resolution, Rules } from "../rules.ts";
import { externalOf, NOTHING, type Value, type Values } from "../values.ts";

const SUFFIXES = [".py", ".pyi", "/__init__.py", "/__init__.pyi"];

export function pythonRules(project: Project): Rules {
  const modules = new Map<string, Value | undefined>();

  /** The module at a path without suffix: a file, a package, or a folder without `__init__`. */
  const at = (path: string | undefined): (Value & { kind: "module" }) | undefined => {
    if (path === undefined) return undefined;
    const files = SUFFIXES.flatMap(
      (suffix) => project.find(path === "" ? suffix.slice(1) : path + suffix) ?? [],
    );
    if (files.length === 0 && !isNamespace(path)) return undefined;
    return { kind: "module", files: files.slice(0, 1), name: path, inside: -1 };
  };
  const isNamespace = (path: string) =>
    path !== "" && project.inFolder(path).some((file) => project.path(file).endsWith(".py"));

  /** An absolute name, from the nearest folder above in which its first part is found: the source root. */
  const absolute = (file: number, name: string) => {
    const folder = folderOf(project.path(file));
    const key = `${folder}:${name}`;
    if (modules.has(key)) return modules.get(key);
    const path = name.replaceAll(".", "/");
    const [first = ""] = name.split(".");
    let found: Value | undefined;
    for (const root of [...foldersAbove(folder), "src", "lib", "python"]) {
      // The folder of a package is no source root for what is in it.
      if (project.find(join(root, "__init__.py")) !== undefined) continue;
      if (at(join(root, first)) === undefined) continue;
      found = at(join(root, path));
      break;
    }
    modules.set(key, found);
    return found;
  };

  const moduleOf = (file: number, name: string): Value | undefined => {
    const dots = /^\.*/.exec(name)?.[0].length ?? 0;
    if (dots === 0) return absolute(file, name);
    const folder = joinPath(folderOf(project.path(file)), "../".repeat(dots - 1));
    const rest = name.slice(dots).replaceAll(".", "/");
    return folder === undefined ? undefined : at(joinPath(folder, rest));
  };

  const submodule = (module: Value, name: string): Values => {
    if (module.kind !== "module") return NOTHING;
    const [file] = module.files;
    if (file !== undefined && !/\/?__init__\.pyi?$/.test(project.path(file))) return NOTHING;
    const found = at(join(module.name, name));
    return found === undefined ? NOTHING : [found];
  };

  const resolve: Rules["resolve"] = (file, statement, names) => {
    const { module: written, kind } = statement;
    const module = moduleOf(file, written);
    if (module === undefined) return outside(statement);
    if (kind === "wildcard")
      return { files: filesOf([module]), bindings: [], wildcards: [module], how: "module" };
    if (statement.names.length === 0) return plainImport(file, written, module);
    const targets: Value[] = [];
    const bindings = statement.names.map(({ name, alias }) => {
      if (name === undefined) {
        targets.push(module);
        return { name: alias, values: () => [module] };
      }
      const part = submodule(module, name);
      const isAttribute =
        module.kind === "module" && module.files.some((own) => definesName(own, name));
      targets.push(...(part.length > 0 && !isAttribute ? part : [module]));
      return {
        name: alias,
        values: () => {
          const given = names.exportOf(module, name);
          return given.length > 0 ? given : part;
        },
      };
    });
    return { files: filesOf(targets), bindings, wildcards: [], how: "module" };
  };

  const definesName = (file: number, name: string) => {
    const own = project.children(file, -1).get(name);
    return own !== undefined;
  };

  /** `import a.b` binds `a`, of which `b` is a part. */
  const plainImport = (file: number, written: string, module: Value): Resolution => {
    const [first = written] = written.split(".");
    const top = moduleOf(file, first) ?? module;
    const bindings = [{ name: first, values: () => [top] }];
    return { files: filesOf([module]), bindings, wildcards: [], how: "module" };
  };

  return {
    resolve,
    siblings: () => [],
    submodule,
    reexportsImports: true,
    hasVisibleReexports: true,
    hasImplicitThis: false,
    unboundIsExternal: true,
  };
}

function outside({ module, names }: ImportFact): Resolution {
  const [first = module] = module.split(".");
  const isRelative = module.startsWith(".");
  const bound = names.length === 0 ? [{ name: undefined, alias: first }] : names;
  return {
    files: [],
    bindings: bound.map(({ name, alias }) => ({
      name: alias,
      values: () => externalOf(name === undefined ? module : `${module}.${name}`),
    })),
    wildcards: [],
    ...(isRelative ? {} : { external: first }),
    how: isRelative ? "unresolved" : "external",
  };
}

function filesOf(values: Values): number[] {
  return [...new Set(values.flatMap((value) => (value.kind === "module" ? value.files : [])))];
}

function join(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
