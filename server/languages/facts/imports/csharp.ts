/** The `using` directives of C#, and those that count for a whole project. */

import type { ImportStatement } from "./statement.ts";

/** A namespace makes all its names visible; an alias is one class. */
export function csharpImports(text: string): ImportStatement[] {
  const plain = text.replace(/^\s*(?:global\s+)?using\s+(?:static\s+)?/, "");
  const [, alias, name] = /^(?:(\w+)\s*=\s*)?(?:global::)?([\w.]+)/.exec(plain) ?? [];
  if (name === undefined) return [];
  if (alias === undefined) return [{ kind: "wildcard", module: name, names: [] }];
  return [{ kind: "import", module: name, names: [{ name: undefined, alias }] }];
}

/** Whether a directive counts for all files of the project. */
export function isGlobalUsing(text: string): boolean {
  return /^\s*global\s/.test(text);
}

/** What a file says of the namespaces that all files of its project use: of a project file, an empty list says that it is one. */
export interface GlobalUsingsManifest {
  readonly usings: readonly ImportStatement[];
}

const COMMENTS = /<!--[\s\S]*?(?:-->|$)/g;
const USING = /<Using\s[^<>]{1,1000}>/g;

/** The `<Using Include="Shop.Db" />` of a project file, or of one that MSBuild reads with all project files below its folder. */
export function projectUsings(text: string): GlobalUsingsManifest {
  const elements = text.replaceAll(COMMENTS, "").matchAll(USING);
  return {
    usings: [...elements].flatMap(([element]) => {
      const alias = attributeOf(element, "Alias");
      return (attributeOf(element, "Include") ?? "").split(";").flatMap((name) => {
        const module = name.trim();
        // What a property stands for is not known.
        if (!/^[\w.]+$/.test(module)) return [];
        return csharpImports(`using ${alias === undefined ? "" : `${alias} = `}${module}`);
      });
    }),
  };
}

function attributeOf(element: string, name: string): string | undefined {
  return new RegExp(String.raw`\s${name}\s*=\s*["']([^"']+)["']`).exec(element)?.[1];
}
