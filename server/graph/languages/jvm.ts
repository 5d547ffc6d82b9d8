/** Classes of Java and its neighbours by package and name, wherever their files are. */

import { folderOf } from "../paths.ts";
import type { DefinitionRef, Project } from "../project.ts";
import type { Resolution, Rules } from "../rules.ts";
import { usedNames } from "../used-names.ts";
import { externalOf, NOTHING, type Value, type Values } from "../values.ts";

export interface JvmOptions {
  /** Ids of languages that see each other. */
  readonly languages: ReadonlySet<string>;
}

export function jvmRules(project: Project, { languages }: JvmOptions): Rules {
  const packages = new Map<string, number[]>();
  const topNames = new Map<string, DefinitionRef[]>();
  project.files.forEach(({ facts }, file) => {
    if (facts === undefined || !languages.has(facts.language)) return;
    const list = packages.get(facts.packageName);
    if (list === undefined) packages.set(facts.packageName, [file]);
    else list.push(file);
    for (const [name, indexes] of project.children(file, -1)) {
      const key = facts.packageName === "" ? name : `${facts.packageName}.${name}`;
      const refs = indexes.map((index) => ({ file, index }));
      topNames.set(key, [...(topNames.get(key) ?? []), ...refs]);
    }
  });

  /** A top-level class; where several source sets have one of the name, the nearest. */
  const classNamed = (file: number, name: string): DefinitionRef[] => {
    const found = topNames.get(name) ?? [];
    if (found.length < 2) return found;
    const own = folderOf(project.path(file));
    const nearness = (ref: DefinitionRef) => sharedLength(own, project.path(ref.file));
    const best = Math.max(...found.map(nearness));
    return found.filter((ref) => nearness(ref) === best);
  };

  const packageNamed = (name: string): Value | undefined => {
    const files = packages.get(name);
    return files === undefined ? undefined : { kind: "module", files, name, inside: -1 };
  };

  const toValues = (refs: readonly DefinitionRef[]): Values =>
    refs.map(({ file, index }) => ({ kind: "definition", file, index }));

  /** The longest beginning of a dotted name that is a class; the rest are members. */
  const owner = (file: number, name: string) => {
    const parts = name.split(".");
    for (let count = parts.length; count > 0; count--) {
      const refs = classNamed(file, parts.slice(0, count).join("."));
      if (refs.length > 0) return { refs, rest: parts.slice(count) };
    }
    return undefined;
  };

  const resolve: Rules["resolve"] = (file, { module, names, kind }, { memberOf }) => {
    if (kind === "wildcard") return wildcard(file, module);
    const found = owner(file, module);
    const alias = names[0]?.alias ?? "";
    if (found === undefined) return outside(module, alias);
    const files = [...new Set(found.refs.map((ref) => ref.file))];
    const values = () => {
      let at = toValues(found.refs);
      for (const part of found.rest) at = memberOf(at, part);
      return at;
    };
    return { files, bindings: [{ name: alias, values }], wildcards: [], how: "class" };
  };

  /** Which of a package's files are meant shows only where their names are used. */
  const wildcard = (file: number, module: string): Resolution => {
    const whole = packageNamed(module);
    if (whole?.kind === "module") {
      const facts = project.facts(file);
      const used = facts === undefined ? undefined : usedNames(facts);
      const files = whole.files.filter((one) =>
        [...project.children(one, -1).keys()].some((name) => used?.has(name)),
      );
      return { files, bindings: [], wildcards: [whole], how: "package" };
    }
    const found = owner(file, module);
    if (found === undefined) return { ...outside(module, ""), bindings: [] };
    const files = [...new Set(found.refs.map((ref) => ref.file))];
    return { files, bindings: [], wildcards: toValues(found.refs), how: "class" };
  };

  return {
    resolve,
    siblings: (file) => packages.get(project.facts(file)?.packageName ?? "") ?? [],
    submodule: (module, name) => {
      if (module.kind !== "module") return NOTHING;
      const inside = packageNamed(`${module.name}.${name}`);
      return inside === undefined ? NOTHING : [inside];
    },
    reexportsImports: false,
    hasVisibleReexports: true,
    hasImplicitThis: true,
    unboundIsExternal: true,
  };
}

function outside(module: string, alias: string): Resolution {
  const bindings = [{ name: alias, values: () => externalOf(module) }];
  return { files: [], bindings, wildcards: [], external: module, how: "external" };
}

function sharedLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}
