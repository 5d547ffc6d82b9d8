/** The `paths` and `baseUrl` of the nearest tsconfig.json or jsconfig.json, with what it extends. */

import { manifestsMatching } from "../manifests.ts";
import { folderOf, foldersAbove, joinPath } from "../paths.ts";
import type { Project } from "../project.ts";
import type { FindModule } from "./ecmascript.ts";

interface Config {
  readonly folder: string;
  /** Relative to the root of the workspace. */
  readonly baseUrl: string | undefined;
  readonly paths: readonly (readonly [pattern: string, targets: readonly string[]])[];
}

interface Written {
  readonly extends?: string | readonly string[];
  readonly baseUrl?: string;
  readonly paths?: Readonly<Record<string, readonly string[]>>;
}

const MAX_EXTENDS = 8;

export function createTsConfigs(project: Project, find: FindModule) {
  const written = new Map(
    manifestsMatching(project, /^(?:ts|js)config(?:\.[\w.-]+)?\.json$/).map(
      ({ path, manifest }) => [path, manifest as Written],
    ),
  );
  const read = (path: string, depth: number): Config | undefined => {
    const own = written.get(path);
    if (own === undefined || depth > MAX_EXTENDS) return undefined;
    const folder = folderOf(path);
    const bases = typeof own.extends === "string" ? [own.extends] : (own.extends ?? []);
    const inherited = bases
      .map((base) => joinPath(folder, base))
      .flatMap((base) =>
        base === undefined ? [] : [base, `${base}.json`, `${base}/tsconfig.json`],
      )
      .flatMap((base) => read(base, depth + 1) ?? []);
    const baseUrl =
      own.baseUrl === undefined ? inherited.at(-1)?.baseUrl : joinPath(folder, own.baseUrl);
    const base = own.baseUrl === undefined ? folder : (baseUrl ?? folder);
    const paths =
      own.paths === undefined
        ? (inherited.findLast((config) => config.paths.length > 0)?.paths ?? [])
        : Object.entries(own.paths).map(([pattern, targets]) => {
            const absolute = targets.flatMap((target) => joinPath(base, target) ?? []);
            return [pattern, absolute] as const;
          });
    return { folder, baseUrl, paths };
  };
  const configs = new Map<string, Config[]>();
  for (const path of [...written.keys()].toSorted(byPlainness)) {
    const config = read(path, 0);
    if (config === undefined) continue;
    const beside = configs.get(config.folder);
    if (beside === undefined) configs.set(config.folder, [config]);
    else beside.push(config);
  }

  return {
    /** The file that a bare specifier means by configuration; undefined where none says so. */
    resolve: (folder: string, specifier: string): number | undefined => {
      for (const above of foldersAbove(folder)) {
        for (const config of configs.get(above) ?? []) {
          const file = byConfig(config, specifier, find);
          if (file !== undefined) return file;
        }
      }
      return undefined;
    },
  };
}

/** `tsconfig.json` itself before its variants. */
function byPlainness(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

function byConfig({ paths, baseUrl }: Config, specifier: string, find: FindModule) {
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

/** What the star of a pattern stands for; empty for a pattern without one that fits. */
export function matchStar(pattern: string, text: string): string | undefined {
  const at = pattern.indexOf("*");
  if (at < 0) return pattern === text ? "" : undefined;
  const [before, after] = [pattern.slice(0, at), pattern.slice(at + 1)];
  const fits =
    text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after);
  return fits ? text.slice(before.length, text.length - after.length) : undefined;
}
