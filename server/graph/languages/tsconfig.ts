/** Resolves specifiers by `paths` and `baseUrl` of the nearest tsconfig.json or jsconfig.json, including `extends`. */

import { getOrCreate } from "../../common/get-or-create.ts";
import { folderOf } from "../../common/relative-path.ts";
import { foldersAbove, joinPath } from "../project/paths.ts";
import type { PackageManifest, Project } from "../project/project.ts";
import type { FindFile } from "./ecmascript-files.ts";

interface Config {
  readonly folder: string;
  /** Relative to the root of the workspace. */
  readonly baseUrl: string | undefined;
  readonly paths: readonly (readonly [pattern: string, targets: readonly string[]])[];
}

interface ConfigFile {
  readonly bases: readonly string[];
  readonly baseUrl: string | undefined;
  readonly paths: Config["paths"] | undefined;
}

const MAX_EXTENDS = 8;

export class TsConfigs {
  readonly #find: FindFile;
  readonly #files: ReadonlyMap<string, ConfigFile>;
  readonly #byFolder = new Map<string, Config[]>();

  constructor(project: Project, find: FindFile) {
    this.#find = find;
    this.#files = new Map(
      project.manifests("tsconfig.json").map(({ path, manifest }) => [path, parseConfig(manifest)]),
    );
    for (const path of [...this.#files.keys()].toSorted(comparePaths)) {
      const config = this.#read(path, 0);
      if (config === undefined) continue;
      getOrCreate(this.#byFolder, config.folder, () => []).push(config);
    }
  }

  /** The file of a bare specifier; undefined if no configuration maps it. */
  resolve(folder: string, specifier: string): number | undefined {
    for (const above of foldersAbove(folder)) {
      for (const config of this.#byFolder.get(above) ?? []) {
        const file = byConfig(config, specifier, this.#find);
        if (file !== undefined) return file;
      }
    }
    return undefined;
  }

  #read(path: string, depth: number): Config | undefined {
    const own = this.#files.get(path);
    if (own === undefined || depth > MAX_EXTENDS) return undefined;
    const folder = folderOf(path);
    const inherited = this.#inherited(own, folder, depth);
    const ownBase = own.baseUrl === undefined ? undefined : joinPath(folder, own.baseUrl);
    const baseUrl =
      ownBase ?? inherited.findLast((config) => config.baseUrl !== undefined)?.baseUrl;
    if (own.paths === undefined) {
      const paths = inherited.findLast((config) => config.paths.length > 0)?.paths ?? [];
      return { folder, baseUrl, paths };
    }
    const paths = own.paths.map(([pattern, targets]) => {
      const absolute = targets.flatMap((target) => joinPath(ownBase ?? folder, target) ?? []);
      return [pattern, absolute] as const;
    });
    return { folder, baseUrl, paths };
  }

  #inherited(own: ConfigFile, folder: string, depth: number): Config[] {
    return own.bases.flatMap((base) => {
      const path = joinPath(folder, base);
      if (path === undefined) return [];
      const candidates = [path, `${path}.json`, `${path}/tsconfig.json`];
      return candidates.flatMap((one) => this.#read(one, depth + 1) ?? []);
    });
  }
}

/** Values of a wrong type are ignored, because configurations are not validated. */
function parseConfig({ extends: bases, baseUrl, paths }: PackageManifest["manifest"]): ConfigFile {
  return {
    bases: typeof bases === "string" ? [bases] : textsIn(bases),
    baseUrl: typeof baseUrl === "string" ? baseUrl : undefined,
    paths:
      typeof paths === "object" && paths !== null
        ? Object.entries(paths).map(([pattern, targets]) => [pattern, textsIn(targets)])
        : undefined,
  };
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** Orders `tsconfig.json` before its variants. */
function comparePaths(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

function byConfig({ paths, baseUrl }: Config, specifier: string, find: FindFile) {
  const ordered = paths.toSorted(([a], [b]) => b.indexOf("*") - a.indexOf("*"));
  for (const [pattern, targets] of ordered) {
    const star = matchStar(pattern, specifier);
    if (star === undefined) continue;
    for (const target of targets) {
      const file = find(target.replace("*", star));
      if (file !== undefined) return file;
    }
  }
  return baseUrl === undefined ? undefined : find(joinPath(baseUrl, specifier));
}

/** The text that `*` matches, or empty for a pattern without `*`; undefined if the pattern does not match. */
export function matchStar(pattern: string, text: string): string | undefined {
  const at = pattern.indexOf("*");
  if (at < 0) return pattern === text ? "" : undefined;
  const [before, after] = [pattern.slice(0, at), pattern.slice(at + 1)];
  const fits =
    text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after);
  return fits ? text.slice(before.length, text.length - after.length) : undefined;
}
