/** JavaScript and TypeScript: resolves relative specifiers, `paths` of tsconfig.json, and packages of the workspace. */

import { folderOf } from "../../common/relative-path.ts";
import type { ImportFact } from "../../contracts/facts.ts";
import { joinPath } from "../project/paths.ts";
import type { Project } from "../project/project.ts";
import type { Resolution, Resolver, Rules } from "../resolve/rules.ts";
import { externalOf, type Module, NOTHING, type Values } from "../resolve/values.ts";
import { fileAt } from "./ecmascript-files.ts";
import { Packages } from "./ecmascript-packages.ts";
import { TsConfigs } from "./tsconfig.ts";

interface Location {
  readonly file?: number;
  readonly how: string;
  readonly external?: string;
}

export class EcmascriptRules implements Rules {
  readonly #project: Project;
  readonly #packages: Packages;
  readonly #configs: TsConfigs;

  constructor(project: Project) {
    this.#project = project;
    this.#packages = new Packages(project);
    this.#configs = new TsConfigs(project, (path) => this.#find(path));
  }

  submodule(): Values {
    return NOTHING;
  }

  resolve(file: number, statement: ImportFact, names: Resolver): Resolution {
    const { file: target, how, external } = this.#locate(file, statement.module);
    if (target === undefined) return outside(statement, how, external);
    const name = this.#project.path(target);
    const module: Module = { kind: "module", files: [target], name, inside: -1 };
    const bindings = statement.names.map(({ name: own, alias }) => ({
      name: alias,
      values: () => (own === undefined ? [module] : named(module, own, names)),
    }));
    const isStar = statement.kind === "wildcardReexport";
    return { files: [target], bindings, wildcards: isStar ? [module] : [], how };
  }

  #locate(file: number, specifier: string): Location {
    const folder = folderOf(this.#project.path(file));
    const plain = specifier.replace(/[?#](?:raw|url|inline|worker)\b.*$/, "");
    if (/^\.{1,2}(?:\/|$)/.test(plain)) {
      const own = this.#find(joinPath(folder, plain));
      return own === undefined ? { how: "unresolved" } : { file: own, how: "relative" };
    }
    const imported = plain.startsWith("#") ? this.#packages.imported(folder, plain) : undefined;
    if (imported !== undefined) return { file: imported, how: "package imports" };
    const mapped = this.#configs.resolve(folder, plain);
    if (mapped !== undefined) return { file: mapped, how: "tsconfig" };
    const own = this.#packages.resolve(folder, plain);
    if (own !== undefined) return { file: own, how: "workspace package" };
    return { how: "external", external: packageNameOf(plain) };
  }

  /** The file of a path, or the package entry or index file of a folder. */
  #find(path: string | undefined): number | undefined {
    if (path === undefined) return undefined;
    const index = path === "" ? "index" : `${path}/index`;
    const own = path === "" ? undefined : fileAt(this.#project, path);
    return own ?? this.#packages.main(path) ?? fileAt(this.#project, index);
  }
}

function named(module: Module, name: string, names: Resolver): Values {
  const given = names.exportOf(module, name);
  if (given.length > 0) return given;
  // A CommonJS module has one export, an object whose members are the named exports.
  if (name === "default") return [module];
  return names.memberOf(names.exportOf(module, "default"), name);
}

function outside({ module, names }: ImportFact, how: string, external?: string): Resolution {
  const bindings = names.map(({ name, alias }) => ({
    name: alias,
    values: () => externalOf(name === undefined ? module : `${module}.${name}`),
  }));
  const leaf = external === undefined ? {} : { external };
  return { files: [], bindings, wildcards: [], how, ...leaf };
}

/** The package of a specifier: `@scope/name` for `@scope/name/deep`. */
function packageNameOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
