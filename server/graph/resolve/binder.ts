/** The bindings of imports and the exports of modules. Re-exports are followed to the definition of a name. */

import type { ImportFact } from "../../contracts/facts.ts";
import type { Project } from "../project/project.ts";
import { lazy } from "./lazy.ts";
import { type Resolution, type Resolver, type Rules, UNRESOLVED } from "./rules.ts";
import { type Module, NOTHING, toDefinition, type Value, type Values } from "./values.ts";

/** A wildcard import. */
interface Wildcard {
  readonly module: Value;
  /** The scope of the import; -1 for the whole file. */
  readonly scope: number;
}

export interface Binder {
  /** The resolved imports of a file, in the order of its facts. */
  resolutions(file: number): readonly Resolution[];
  /** The values of a name that an import of the file binds; undefined if none does. */
  binding(file: number, name: string): Values | undefined;
  wildcards(file: number): readonly Wildcard[];
  exportOf(module: Module, name: string): Values;
}

/** Longer chains of re-exports are cycles. */
const MAX_DEPTH = 20;

type Thunk = () => Values;

interface FileBindings {
  readonly resolutions: readonly Resolution[];
  readonly names: ReadonlyMap<string, Thunk>;
  /** Re-exports by exported name. */
  readonly exported: ReadonlyMap<string, Thunk>;
  readonly wildcards: () => readonly Wildcard[];
  /** Their modules are read on demand, because two modules can re-export each other. */
  readonly exportedWildcards: readonly Resolution[];
}

export function createBinder(
  project: Project,
  rulesOf: (file: number) => Rules,
  names: Resolver,
): Binder {
  const bindingsByFile: (FileBindings | undefined)[] = [];
  const exports = new Map<string, Values>();
  const visiting = new Set<string>();

  const bindingsOf = (file: number): FileBindings => {
    bindingsByFile[file] ??= bind(project, file, rulesOf(file), names);
    return bindingsByFile[file];
  };

  const inFile = (file: number, inside: number, name: string): Values => {
    const own = project.childrenNamed(file, inside, name);
    if (own !== undefined) return own.map((index) => ({ kind: "definition", file, index }));
    if (inside >= 0) return NOTHING;
    const { reexportsImports } = project.traits(file);
    const { exported, names: imported, exportedWildcards } = bindingsOf(file);
    const thunk = exported.get(name) ?? (reexportsImports ? imported.get(name) : undefined);
    const given = thunk?.();
    if (given !== undefined && given.length > 0) return given;
    for (const { wildcards } of exportedWildcards)
      for (const module of wildcards) {
        const values = module.kind === "module" ? exportOf(module, name) : NOTHING;
        if (values.length > 0 && name !== "default") return values;
      }
    return NOTHING;
  };

  const exportOf: Binder["exportOf"] = (module, name) => {
    const which = module.packageKey ?? module.files.join();
    const key = `${which}:${module.inside}:${module.name}:${name}`;
    const known = exports.get(key);
    if (known !== undefined) return known;
    if (visiting.has(key) || visiting.size > MAX_DEPTH) return NOTHING;
    visiting.add(key);
    const values = find(module, name);
    visiting.delete(key);
    exports.set(key, values);
    return values;
  };

  const find: Binder["exportOf"] = (module, name) => {
    const { files, inside, packageKey } = module;
    const own = ofPackage(project, module, name);
    if (own.length > 0) return own;
    const submodule = () =>
      files[0] === undefined ? NOTHING : rulesOf(files[0]).submodule(module, name);
    // The names of a package were looked up above, for all of its files.
    for (const file of packageKey === undefined ? files : []) {
      const values = inFile(file, inside, name);
      if (mayShareModuleName(project, file, values)) return [...values, ...submodule()];
      if (values.length > 0) return values;
    }
    return submodule();
  };

  return {
    resolutions: (file) => bindingsOf(file).resolutions,
    binding: (file, name) => bindingsOf(file).names.get(name)?.(),
    wildcards: (file) => bindingsOf(file).wildcards(),
    exportOf,
  };
}

/** Whether values are functions, which may share their name with a module. */
function mayShareModuleName(project: Project, file: number, values: Values): boolean {
  if (!project.traits(file).hasModuleNames || values.length === 0) return false;
  return values.every(
    (value) => value.kind === "definition" && project.definition(value)?.kind === "function",
  );
}

/** The definitions of a name in a package. */
function ofPackage(project: Project, { packageKey, files }: Module, name: string): Values {
  if (packageKey === undefined) return NOTHING;
  const named = project.packageNames(packageKey, name);
  return named.filter(({ file }) => files.includes(file)).map(toDefinition);
}

function bind(project: Project, file: number, rules: Rules, names: Resolver): FileBindings {
  const traits = project.traits(file);
  const own = project.imports(file);
  const statements = [...own, ...(rules.projectImports?.(file) ?? [])];
  const resolutions = statements.map((statement) => {
    if (statement.module === "" && statement.kind === "reexport") return UNRESOLVED;
    return rules.resolve(file, statement, names);
  });
  const imported = new Map<string, Thunk>();
  const modulesByName = new Map<string, Thunk>();
  const exported = new Map<string, Thunk>();
  const wildcards: { readonly resolution: Resolution; readonly scope: number }[] = [];
  const exportedWildcards: Resolution[] = [];
  statements.forEach((statement, i) => {
    const resolution = resolutions[i] ?? UNRESOLVED;
    const { bindings } = resolution;
    const isExport = statement.kind === "reexport" || statement.kind === "wildcardReexport";
    for (const { name, values } of bindings) {
      const thunk = lazy(values, NOTHING);
      // If a trait and a derive macro share a name, the first is usually the trait.
      if (isExport) setFirst(exported, name, thunk);
      // A re-export binds its names in its own file in Rust, but not in TypeScript.
      if (traits.hasModuleNames && statement.kind === "module") modulesByName.set(name, thunk);
      else if (!isExport || traits.hasVisibleReexports) setFirst(imported, name, thunk);
    }
    if (isExport || traits.reexportsImports) exportedWildcards.push(resolution);
    const scope = traits.hasScopedImports ? statement.scope : -1;
    if (!isExport || traits.hasVisibleReexports) wildcards.push({ resolution, scope });
  });
  for (const [name, module] of modulesByName) {
    const other = imported.get(name);
    imported.set(name, other === undefined ? module : () => [...other(), ...module()]);
  }
  for (const statement of statements) addLocalExports(project, file, statement, imported, exported);
  return {
    resolutions: resolutions.slice(0, own.length),
    names: imported,
    exported,
    wildcards: () =>
      wildcards.flatMap(({ resolution, scope }) =>
        resolution.wildcards.map((module) => ({ module, scope })),
      ),
    exportedWildcards,
  };
}

/** `export { a as b }` and `export default a`, for names that the file defines or imports. */
function addLocalExports(
  project: Project,
  file: number,
  statement: ImportFact,
  imported: ReadonlyMap<string, Thunk>,
  exported: Map<string, Thunk>,
): void {
  if (statement.module !== "" || statement.kind !== "reexport") return;
  for (const { name, alias } of statement.names) {
    if (name === undefined) continue;
    exported.set(alias, () => {
      const own = project.childrenNamed(file, -1, name);
      if (own !== undefined) return own.map((index) => ({ kind: "definition", file, index }));
      return imported.get(name)?.() ?? NOTHING;
    });
  }
}

function setFirst(map: Map<string, Thunk>, name: string, thunk: Thunk): void {
  const before = map.get(name);
  if (before === undefined) map.set(name, thunk);
  else
    map.set(name, () => {
      const values = before();
      return values.some(({ kind }) => kind !== "external") ? values : thunk();
    });
}
