/** Versions of npm packages: by package-lock.json, pnpm-lock.yaml and yarn.lock. */

import { isObject } from "../../common/is-object.ts";
import { folderOf } from "../../common/relative-path.ts";
import { type FindLocked, type LockedPackage, onlyVersions } from "./locked-package.ts";

/** `@scope/name/part` is a part of `@scope/name`. */
function packageOf(module: string): string {
  return module.split("/", module.startsWith("@") ? 2 : 1).join("/");
}

/** The nearest `node_modules` wins, as it does for Node. */
export function lockedByNpm(text: string): FindLocked {
  const lock: unknown = JSON.parse(text);
  const { packages, dependencies } = isObject(lock) ? lock : {};
  const version = (all: unknown, key: string) => {
    const one = isObject(all) && Object.hasOwn(all, key) ? all[key] : undefined;
    return isObject(one) && typeof one["version"] === "string" ? one["version"] : undefined;
  };
  return (module, folder) => {
    const name = packageOf(module);
    for (let at = folder; ; at = folderOf(at)) {
      const found = version(packages, `${at === "" ? "" : `${at}/`}node_modules/${name}`);
      if (found !== undefined) return { name, version: found };
      if (at === "") break;
    }
    const found = version(dependencies, name);
    return found === undefined ? undefined : { name, version: found };
  };
}

/** What each folder of the workspace asked for is under `importers`; of earlier versions all packages are known. */
export function lockedByPnpm(text: string): FindLocked {
  const byFolder = new Map<string, Map<string, string>>();
  const packages: LockedPackage[] = [];
  let [section, folder, name] = ["", "", ""];
  for (const line of text.split(/\r?\n/)) {
    const top = /^(\w+):/.exec(line)?.[1];
    if (top !== undefined) [section, folder] = [top, "."];
    if (section === "importers") {
      folder = unquoted(/^ {2}(\S.*?):$/.exec(line)?.[1]) ?? folder;
      name = unquoted(/^ {6}(\S.*?):$/.exec(line)?.[1]) ?? name;
      const version = /^ {8}version: '?([^'(\s]+)/.exec(line)?.[1];
      if (version !== undefined && /^\d/.test(version)) put(byFolder, folder, name, version);
    } else if (section === "packages") {
      const key = unquoted(/^ {2}(\S.*?):$/.exec(line)?.[1]) ?? "";
      const [, own, version] = /^\/?((?:@[^/@]+\/)?[^/@]+)[@/](\d[^(_]*)/.exec(key) ?? [];
      if (own !== undefined && version !== undefined) packages.push({ name: own, version });
    }
  }
  const known = onlyVersions(packages);
  return (module, at) => {
    const wanted = packageOf(module);
    for (let place = at; ; place = folderOf(place)) {
      const version = byFolder.get(place === "" ? "." : place)?.get(wanted);
      if (version !== undefined) return { name: wanted, version };
      if (place === "") return known.get(wanted);
    }
  };
}

function put(
  byFolder: Map<string, Map<string, string>>,
  folder: string,
  name: string,
  version: string,
): void {
  const versions = byFolder.get(folder) ?? new Map<string, string>();
  byFolder.set(folder, versions.set(name, version));
}

function unquoted(text: string | undefined): string | undefined {
  return text?.replace(/^(['"])(.*)\1$/, "$2");
}

/** Keys such as `"@scope/name@npm:^1.0.0, @scope/name@^1.1.0":`, below them the version. */
export function lockedByYarn(text: string): FindLocked {
  const entries = text.matchAll(
    /^"?((?:@[^/\s"@]+\/)?[^@\s"]+)@[^\n]*:\r?\n {2}version:? "?([^"\s]+)"?$/gm,
  );
  const all = [...entries].map(([, name = "", version = ""]) => ({ name, version }));
  const known = onlyVersions(all.filter(({ version }) => version !== "0.0.0-use.local"));
  return (module) => known.get(packageOf(module));
}
