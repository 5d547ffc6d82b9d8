/**
 * Extracts facts for import resolution from manifests: package.json, tsconfig.json, go.mod, Cargo.toml, composer.json and
 * C# project files.
 */

import { baseNameOf } from "../../common/relative-path.ts";
import type { FileFacts } from "../../contracts/facts.ts";
import { projectUsings } from "./imports/csharp.ts";

type Reader = (text: string) => unknown;

/** Limits for untrusted files. */
const MAX_LENGTH = 200_000;

const READERS: readonly (readonly [name: RegExp, read: Reader])[] = [
  [/^package\.json$/, packageJson],
  [/^(?:ts|js)config(?:\.[\w.-]+)?\.json$/, tsConfig],
  [/^go\.mod$/, goMod],
  [/^Cargo\.toml$/, cargoToml],
  [/^composer\.json$/, composerJson],
  [/\.csproj$|^directory\.build\.(?:props|targets)$/i, projectUsings],
];

/** Undefined for other files and for manifests that cannot be parsed. */
export function manifestFacts(path: string, text: string): FileFacts | undefined {
  const name = baseNameOf(path);
  const reader = READERS.find(([pattern]) => pattern.test(name))?.[1];
  if (reader === undefined || text.length > MAX_LENGTH) return undefined;
  const manifest = reader(text);
  if (manifest === undefined) return undefined;
  return {
    language: "manifest",
    packageName: "",
    imports: [],
    definitions: [],
    calls: [],
    manifest,
  };
}

function packageJson(text: string): unknown {
  const all = parseJson(text);
  return all && pick(all, ["name", "main", "module", "types", "source", "exports", "imports"]);
}

function tsConfig(text: string): unknown {
  const all = parseJson(text);
  if (all === undefined) return undefined;
  const options = (all["compilerOptions"] ?? {}) as Record<string, unknown>;
  return { ...pick(all, ["extends"]), ...pick(options, ["baseUrl", "paths"]) };
}

function composerJson(text: string): unknown {
  const all = parseJson(text);
  return all && pick(all, ["name", "autoload", "autoload-dev"]);
}

/** JSON with comments and trailing commas. */
function parseJson(text: string): Record<string, unknown> | undefined {
  const plain = text
    .replaceAll(
      /("(?:\\.|[^"\\\n])*"?)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g,
      (_, quoted?: string) => quoted ?? "",
    )
    .replaceAll(/("(?:\\.|[^"\\\n])*"?)|,(?=\s*[}\]])/g, (_, quoted?: string) => quoted ?? "");
  try {
    const value = JSON.parse(plain.replace(/^\uFEFF/, "")) as unknown;
    return typeof value === "object" && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function pick(all: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    keys.flatMap((key) => (all[key] === undefined ? [] : [[key, all[key]]])),
  );
}

function goMod(text: string): unknown {
  const module = /^module\s+"?([^\s"]+)/m.exec(text)?.[1];
  const replace: Record<string, string> = {};
  for (const [, name = "", target = ""] of text.matchAll(
    /^[ \t]*(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>\s+(\.{1,2}\/\S*|\.{1,2})/gm,
  ))
    replace[name] = target;
  return { module, replace };
}

function cargoToml(text: string): unknown {
  const table = (name: string) =>
    new RegExp(String.raw`^\[${name}\]\s*$([\s\S]*?)(?=^\[|$(?![\s\S]))`, "m").exec(text)?.[1] ??
    "";
  const value = (section: string, key: string) =>
    new RegExp(String.raw`^[ \t]*${key}\s*=\s*"([^"]+)"`, "m").exec(section)?.[1];
  const [own, lib] = [table("package"), table("lib")];
  return { name: value(own, "name"), lib: value(lib, "path"), libName: value(lib, "name") };
}
