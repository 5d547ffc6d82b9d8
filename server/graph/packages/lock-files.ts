/** Which version of a package a lock file names; of the lock files of npm, pnpm, Yarn, Cargo, Go, Poetry, uv, Bundler and Composer. */

import { isObject } from "../../common/is-object.ts";
import { lockedByNpm, lockedByPnpm, lockedByYarn } from "./lock-files-npm.ts";
import { type FindLocked, type LockedPackage, onlyVersions } from "./locked-package.ts";

interface LockFormat {
  /** Which languages import packages that it names. */
  readonly languages: readonly string[];
  parse(text: string): FindLocked;
}

const ECMASCRIPT = ["javascript", "typescript", "tsx", "vue", "svelte", "astro"];

/** By name; of one folder the first that is there counts. */
export const LOCK_FORMATS: Readonly<Record<string, LockFormat>> = {
  "package-lock.json": { languages: ECMASCRIPT, parse: lockedByNpm },
  "npm-shrinkwrap.json": { languages: ECMASCRIPT, parse: lockedByNpm },
  "pnpm-lock.yaml": { languages: ECMASCRIPT, parse: lockedByPnpm },
  "yarn.lock": { languages: ECMASCRIPT, parse: lockedByYarn },
  "uv.lock": { languages: ["python"], parse: lockedInToml(pythonNames) },
  "poetry.lock": { languages: ["python"], parse: lockedInToml(pythonNames) },
  "Cargo.lock": { languages: ["rust"], parse: lockedInToml(rustNames) },
  "go.mod": { languages: ["go"], parse: lockedByGo },
  "go.sum": { languages: ["go"], parse: lockedByGo },
  "Gemfile.lock": { languages: ["ruby"], parse: lockedByBundler },
  "composer.lock": { languages: ["php"], parse: lockedByComposer },
};

/** `[[package]]` with a name and a version, as Cargo, Poetry and uv write it. */
function lockedInToml(namesOf: (module: string) => readonly string[]) {
  return (text: string): FindLocked => {
    const tables = text.split(/^\[\[package\]\][ \t]*$/m).slice(1);
    const packages = tables.flatMap((table): LockedPackage[] => {
      const name = /^name = "([^"]+)"/m.exec(table)?.[1];
      const version = /^version = "([^"]+)"/m.exec(table)?.[1];
      return name === undefined || version === undefined ? [] : [{ name, version }];
    });
    const known = onlyVersions(packages);
    return firstOf(known, namesOf);
  };
}

function firstOf(
  known: ReadonlyMap<string, LockedPackage>,
  namesOf: (module: string) => readonly string[],
): FindLocked {
  return (module) => {
    const name = namesOf(module).find((each) => known.has(each));
    return name === undefined ? undefined : known.get(name);
  };
}

/** A module is often called as its distribution, which is written with hyphens; `google.cloud.storage` as its parts. */
function pythonNames(module: string): string[] {
  return prefixesOf(module.toLowerCase().replaceAll("_", "-").split("."), "-");
}

function rustNames(module: string): string[] {
  const [crate = ""] = module.replace(/^::/, "").split("::");
  return [crate, crate.replaceAll("_", "-")];
}

/** `net/http/persistent` may be a part of `net-http-persistent`, `net-http` or `net`. */
function rubyNames(module: string): string[] {
  const parts = module.split("/");
  return [...prefixesOf(parts, "-"), ...prefixesOf(parts, "_")];
}

/** The longest first. */
function prefixesOf(parts: readonly string[], separator: string): string[] {
  return parts.map((_, i) => parts.slice(0, parts.length - i).join(separator));
}

/** `require` lines of go.mod, and lines of go.sum, which may have several versions of one module. */
function lockedByGo(text: string): FindLocked {
  const lines = text.matchAll(
    /^(?:require[ \t]+|[ \t]*)([\w~-]+\.[\w./~-]+)[ \t]+(v[^\s/]+)(?=\s|$)/gm,
  );
  const known = onlyVersions([...lines].map(([, name = "", version = ""]) => ({ name, version })));
  return firstOf(known, (module) => prefixesOf(module.split("/"), "/"));
}

/** Four spaces: a gem itself; six: what it needs. */
function lockedByBundler(text: string): FindLocked {
  const lines = text.matchAll(/^ {4}([\w.-]+) \(([^)\s-]+)(?![^)\s-])[^)\n]*\)$/gm);
  const known = onlyVersions([...lines].map(([, name = "", version = ""]) => ({ name, version })));
  return firstOf(known, rubyNames);
}

/** Each package says which namespaces are its own. */
function lockedByComposer(text: string): FindLocked {
  const lock: unknown = JSON.parse(text);
  const prefixes = new Map<string, LockedPackage>();
  for (const kind of ["packages", "packages-dev"]) {
    const all = isObject(lock) ? lock[kind] : undefined;
    for (const one of Array.isArray(all) ? all : []) {
      const { name, version, autoload } = isObject(one) ? one : {};
      if (typeof name !== "string" || typeof version !== "string" || !isObject(autoload)) continue;
      for (const standard of ["psr-4", "psr-0"]) {
        const own = autoload[standard];
        for (const prefix of Object.keys(isObject(own) ? own : {}))
          prefixes.set(prefix.replace(/(?<![\\_])[\\_]+$/, "").replaceAll("\\", "."), {
            name,
            version,
          });
      }
    }
  }
  prefixes.delete("");
  return firstOf(prefixes, (module) => prefixesOf(module.split(/[\\.]/).filter(Boolean), "."));
}
