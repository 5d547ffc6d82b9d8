/** Modules of JavaScript and TypeScript: relative files, `paths` of tsconfig, and the packages of the workspace. */

import type { ImportFact } from "../../contracts/facts.ts";
import { folderOf, joinPath } from "../paths.ts";
import type { Project } from "../project.ts";
import type { Resolution, Rules } from "../rules.ts";
import { externalOf, NOTHING, type Value } from "../values.ts";
import { createPackages } from "./ecmascript-packages.ts";
import { createTsConfigs } from "./tsconfig.ts";

const EXTENSIONS = [
  ".ts",
  ".tsx",
  ".d.ts",
  ".mts",
  ".cts",
  ".js",
  ".jsx",
  ".mjs",
  ".cjs",
  ".json",
  ".vue",
  ".svelte",
  ".astro",
];
/** What TypeScript lets people write for the file that they mean. */
const WRITTEN_FOR: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".d.ts", ".jsx"],
  ".jsx": [".tsx", ".ts"],
  ".mjs": [".mts", ".d.mts", ".ts"],
  ".cjs": [".cts", ".d.cts", ".ts"],
};

export type FindModule = (path: string | undefined) => number | undefined;

export function ecmascriptRules(project: Project): Rules {
  const fileAt = (path: string): number | undefined => {
    const exact = project.find(path);
    if (exact !== undefined) return exact;
    for (const extension of EXTENSIONS) {
      const found = project.find(path + extension);
      if (found !== undefined) return found;
    }
    const suffix = /\.[cm]?jsx?$/.exec(path)?.[0] ?? "";
    const stem = path.slice(0, path.length - suffix.length);
    for (const extension of WRITTEN_FOR[suffix] ?? []) {
      const found = project.find(stem + extension);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const find: FindModule = (path) => {
    if (path === undefined) return undefined;
    const file = path === "" ? undefined : fileAt(path);
    return file ?? packages.main(path) ?? fileAt(path === "" ? "index" : `${path}/index`);
  };
  const packages = createPackages(project, (path) =>
    path === undefined ? undefined : fileAt(path),
  );
  const configs = createTsConfigs(project, find);

  const locate = (
    file: number,
    specifier: string,
  ): { file?: number; how: string; external?: string } => {
    const folder = folderOf(project.path(file));
    const plain = specifier.replace(/[?#](?:raw|url|inline|worker)\b.*$/, "");
    if (/^\.{1,2}(?:\/|$)/.test(plain)) return found(find(joinPath(folder, plain)), "relative");
    if (plain.startsWith("#")) {
      const own = packages.imported(folder, plain);
      if (own !== undefined) return found(own, "package imports");
    }
    const mapped = configs.resolve(folder, plain);
    if (mapped !== undefined) return found(mapped, "tsconfig");
    const own = packages.resolve(folder, plain);
    if (own !== undefined) return found(own, "workspace package");
    return { how: "external", external: packageNameOf(plain) };
  };

  const resolve: Rules["resolve"] = (file, statement, names) => {
    const { file: target, how, external } = locate(file, statement.module);
    if (target === undefined) return outside(statement, how, external);
    const module: Value & { kind: "module" } = {
      kind: "module",
      files: [target],
      name: project.path(target),
      inside: -1,
    };
    const bindings = statement.names.map(({ name, alias }) => ({
      name: alias,
      values: () => (name === undefined ? [module] : named(module, name, names)),
    }));
    const isStar = statement.kind === "wildcardReexport";
    return { files: [target], bindings, wildcards: isStar ? [module] : [], how };
  };

  const named = (
    module: Value,
    name: string,
    { exportOf, memberOf }: Parameters<Rules["resolve"]>[2],
  ) => {
    const given = exportOf(module, name);
    if (given.length > 0) return given;
    const whole = exportOf(module, "default");
    // A module of CommonJS has only a whole: its parts are what is exported by name.
    if (name === "default") return [module];
    return memberOf(whole, name);
  };

  return {
    resolve,
    siblings: () => [],
    submodule: () => NOTHING,
    reexportsImports: false,
    hasVisibleReexports: false,
    hasImplicitThis: false,
    unboundIsExternal: true,
  };
}

function found(file: number | undefined, how: string) {
  return file === undefined ? { how: "unresolved" } : { file, how };
}

function outside({ module, names }: ImportFact, how: string, external?: string): Resolution {
  const bindings = names.map(({ name, alias }) => ({
    name: alias,
    values: () => externalOf(name === undefined ? module : `${module}.${name}`),
  }));
  return {
    files: [],
    bindings,
    wildcards: [],
    how,
    ...(external === undefined ? {} : { external }),
  };
}

/** `@scope/name/deep` is of `@scope/name`. */
function packageNameOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
