/** Parses C# `using` directives, including global ones. */

import type { ImportStatement } from "./statement.ts";

/** A namespace imports all of its names; an alias is one class. */
export function csharpImports(text: string): ImportStatement[] {
  const plain = text.replace(/^\s*(?:global\s+)?using\s+(?:static\s+)?/, "");
  const [, alias, name] = /^(?:(\w+)\s*=\s*)?(?:global::)?([\w.]+)/.exec(plain) ?? [];
  if (name === undefined) return [];
  if (alias === undefined) return [{ kind: "wildcard", module: name, names: [] }];
  return [{ kind: "import", module: name, names: [{ name: undefined, alias }] }];
}

/** Whether a directive is global and applies to all files of the project. */
export function isGlobalUsing(text: string): boolean {
  return /^\s*global\s/.test(text);
}

/** The namespaces that a file adds to all files of its project. An empty list marks a project file. */
interface GlobalUsingsManifest {
  readonly usings: readonly ImportStatement[];
}

const COMMENTS = /<!--[\s\S]*?(?:-->|$)/g;
const USING = /<Using\s[^<>]{1,1000}>/g;

/** `<Using Include="Shop.Db" />` of a project file, or of an MSBuild file for all projects below its folder. */
export function projectUsings(text: string): GlobalUsingsManifest {
  const elements = text.replaceAll(COMMENTS, "").matchAll(USING);
  return {
    usings: [...elements].flatMap(([element]) => {
      const alias = attributeOf(element, "Alias");
      return (attributeOf(element, "Include") ?? "").split(";").flatMap((name) => {
        const module = name.trim();
        // The value of an MSBuild property is unknown.
        if (!/^[\w.]+$/.test(module)) return [];
        return csharpImports(`using ${alias === undefined ? "" : `${alias} = `}${module}`);
      });
    }),
  };
}

function attributeOf(element: string, name: string): string | undefined {
  return new RegExp(String.raw`\s${name}\s*=\s*["']([^"']+)["']`).exec(element)?.[1];
}
