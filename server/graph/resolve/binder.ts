/** What the imports of files bind, and what modules give to others: barrels are followed to where a name is defined. */

import type { ImportFact } from "../../contracts/facts.ts";
import type { Project } from "../project/project.ts";
import { type ModuleNames, type Resolution, type Rules, UNRESOLVED } from "./rules.ts";
import { type Module, NOTHING, toDefinition, type Value, type Values } from "./values.ts";

/** A module all of whose names are visible. */
interface Wildcard {
  readonly module: Value;
  /** The definition in which they are; -1 for the file. */
  readonly scope: number;
}

export interface Binder {
  /** The imports of a file, each with where it leads; in the order of its facts. */
  resolutions(file: number): readonly Resolution[];
  /** What a name means that an import of the file binds; undefined where none does. */
  binding(file: number, name: string): Values | undefined;
  wildcards(file: number): readonly Wildcard[];
  exportOf(module: Module, name: string): Values;
}

/** Re-exports of re-exports: deeper ones are cycles. */
const MAX_DEPTH = 20;

type Thunk = () => Values;

interface Bound {
  readonly resolutions: readonly Resolution[];
  readonly names: ReadonlyMap<string, Thunk>;
  /** Re-exported under these names. */
  readonly exported: ReadonlyMap<string, Thunk>;
  readonly wildcards: readonly Wildcard[];
  readonly exportedWildcards: readonly Value[];
}

export function createBinder(
  project: Project,
  rulesOf: (file: number) => Rules,
  names: ModuleNames,
): Binder {
  const bound: (Bound | undefined)[] = [];
  const exports = new Map<string, Values>();
  const busy = new Set<string>();

  const boundOf = (file: number): Bound => {
    bound[file] ??= bind(project, file, rulesOf(file), names);
    return bound[file];
  };

  const inFile = (file: number, inside: number, name: string): Values => {
    const own = project.childrenNamed(file, inside, name);
    if (own !== undefined) return own.map((index) => ({ kind: "definition", file, index }));
    if (inside >= 0) return NOTHING;
    const rules = rulesOf(file);
    const { exported, names: imported, exportedWildcards } = boundOf(file);
    const thunk = exported.get(name) ?? (rules.reexportsImports ? imported.get(name) : undefined);
    const given = thunk?.();
    if (given !== undefined && given.length > 0) return given;
    for (const module of exportedWildcards) {
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
    if (busy.has(key) || busy.size > MAX_DEPTH) return NOTHING;
    busy.add(key);
    const values = find(module, name);
    busy.delete(key);
    exports.set(key, values);
    return values;
  };

  const find: Binder["exportOf"] = (module, name) => {
    const { files, inside, packageKey } = module;
    const own = ofPackage(project, module, name);
    if (own.length > 0) return own;
    const submodule = () =>
      files[0] === undefined ? NOTHING : rulesOf(files[0]).submodule(module, name);
    // The names of a package's files are those of the package.
    for (const file of packageKey === undefined ? files : []) {
      const values = inFile(file, inside, name);
      if (areBesideModules(project, rulesOf(file), values)) return [...values, ...submodule()];
      if (values.length > 0) return values;
    }
    return submodule();
  };

  return {
    resolutions: (file) => boundOf(file).resolutions,
    binding: (file, name) => boundOf(file).names.get(name)?.(),
    wildcards: (file) => boundOf(file).wildcards,
    exportOf,
  };
}

/** Whether a module of their name may be beside them. */
function areBesideModules(project: Project, rules: Rules, values: Values): boolean {
  if (rules.hasModuleNames !== true || values.length === 0) return false;
  return values.every(
    (value) => value.kind === "definition" && project.definition(value)?.kind === "function",
  );
}

/** What the files of a package define by a name. */
function ofPackage(project: Project, { packageKey, files }: Module, name: string): Values {
  if (packageKey === undefined) return NOTHING;
  const named = project.packageNames(packageKey, name);
  return named.filter(({ file }) => files.includes(file)).map(toDefinition);
}

function bind(project: Project, file: number, rules: Rules, names: ModuleNames): Bound {
  const own = project.imports(file);
  const statements = [...own, ...(rules.importsOfProject?.(file) ?? [])];
  const resolutions = statements.map((statement) => {
    if (statement.module === "" && statement.kind === "reexport") return UNRESOLVED;
    return rules.resolve(file, statement, names);
  });
  const imported = new Map<string, Thunk>();
  const modulesByName = new Map<string, Thunk>();
  const exported = new Map<string, Thunk>();
  const wildcards: Wildcard[] = [];
  const exportedWildcards: Value[] = [];
  statements.forEach((statement, i) => {
    const { bindings, wildcards: modules } = resolutions[i] ?? UNRESOLVED;
    const isExport = statement.kind === "reexport" || statement.kind === "wildcardReexport";
    for (const { name, values } of bindings) {
      const thunk = once(values);
      // Of a trait and a derive macro of one name, the first: most often it is the trait.
      if (isExport) setFirst(exported, name, thunk);
      // A re-export of TypeScript binds nothing in its own file; of Rust it does.
      if (rules.hasModuleNames === true && statement.kind === "module")
        modulesByName.set(name, thunk);
      else if (!isExport || rules.hasVisibleReexports) setFirst(imported, name, thunk);
    }
    if (isExport || rules.reexportsImports) exportedWildcards.push(...modules);
    const scope = rules.hasScopedImports === true ? statement.scope : -1;
    if (!isExport || rules.hasVisibleReexports)
      wildcards.push(...modules.map((module) => ({ module, scope })));
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
    wildcards,
    exportedWildcards,
  };
}

/** `export { a as b }` and `export default a`, of what the file defines or imports. */
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

/** Asked again while it is being found, it says that nothing is known. */
function once(find: Thunk): Thunk {
  let values: Values | undefined;
  let isBusy = false;
  return () => {
    if (values !== undefined) return values;
    if (isBusy) return NOTHING;
    isBusy = true;
    try {
      values = find();
      return values;
    } finally {
      isBusy = false;
    }
  };
}
