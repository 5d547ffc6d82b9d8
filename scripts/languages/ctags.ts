/** Universal Ctags as a witness that does not know us: which of the definitions that it finds do we find? */

import { execFileSync } from "node:child_process";
import type { Definition } from "../../server/contracts/languages.ts";

interface Tag {
  readonly name: string;
  readonly kind: string;
  /** From 1. */
  readonly line: number;
  /** The line, as an expression that finds it. */
  readonly pattern?: string;
}

/** Functions, methods and types, as Universal Ctags calls the languages and kinds. */
const KINDS: Readonly<Record<string, readonly [language: string, kinds: string]>> = {
  python: ["Python", "class function member"],
  javascript: ["JavaScript", "class function method generator"],
  typescript: ["TypeScript", "class function method interface enum namespace generator"],
  go: ["Go", "func struct interface methodSpec"],
  rust: ["Rust", "function struct enum interface method macro"],
  java: ["Java", "class interface enum method annotation"],
  c: ["C", "function struct union enum typedef"],
  cpp: ["C++", "function class struct union enum typedef"],
  csharp: ["C#", "class interface struct enum method"],
  ruby: ["Ruby", "class method module singletonMethod"],
  php: ["PHP", "class interface function trait"],
  lua: ["Lua", "function"],
  elixir: ["Elixir", "module function macro protocol"],
  bash: ["Sh", "function"],
  perl: ["Perl", "subroutine package"],
  r: ["R", "function"],
  powershell: ["PowerShell", "function class enum"],
  clojure: ["Clojure", "function namespace"],
  cobol: ["Cobol", "program paragraph"],
  erlang: ["Erlang", "function module record type"],
  fortran: ["Fortran", "function interface method module program submodule subroutine type"],
  julia: ["Julia", "function macro module struct type"],
  kotlin: ["Kotlin", "class interface method object typealias"],
  objc: ["ObjectiveC", "class function implementation interface method property protocol typedef"],
  ocaml: ["OCaml", "Exception class function method module type val var"],
  tsx: ["TypeScript", "class function method interface enum namespace generator"],
  verilog: ["SystemVerilog", "class covergroup function interface module package program task"],
};

export function hasWitness(languageId: string): boolean {
  return KINDS[languageId] !== undefined;
}

/** Undefined where ctags fails on the file. */
export function tagsOf(file: string, languageId: string): Tag[] | undefined {
  const [language, kinds] = KINDS[languageId] ?? ["", ""];
  const wanted = new Set(kinds.split(" "));
  const options = ["--output-format=json", "--fields=+nKz", `--language-force=${language}`];
  let output: string;
  try {
    output = execFileSync("ctags", [...options, "-o", "-", file], {
      encoding: "utf8",
      maxBuffer: 100_000_000,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return undefined;
  }
  const tags = output.split("\n").filter((line) => line.startsWith("{"));
  return tags
    .map((line) => JSON.parse(line) as Partial<Tag>)
    .filter((tag): tag is Tag => tag.name !== undefined && tag.line !== undefined)
    .filter((tag) => wanted.has(tag.kind) && !isMistaken(tag));
}

/** Kinds of tags that have made-up names, or that ctags takes for a function, a class or a paragraph by mistake. */
function isMistaken({ name, kind, pattern = "" }: Tag): boolean {
  if (/^(?:__anon|anonymous)|=$/i.test(name)) return true;
  // A statement or a column of SQL that ends with a period.
  if (kind === "paragraph" && !/^\/\^\s*(?!end-)[\w-]+\.\s*\$\/$/i.test(pattern)) return true;
  return (
    kind === "class" && /^\/\^.*[:=]\s*(?:\{|\[|new\b)/.test(pattern) && !/\bclass\b/.test(pattern)
  );
}

/** The same name on the same line or the next: some heads take two. */
export function isFound({ name, line }: Tag, definitions: readonly Definition[]): boolean {
  return definitions.some(
    ({ symbol }) =>
      Math.abs(symbol.nameLine + 1 - line) <= 1 && lastPart(symbol.name) === lastPart(name),
  );
}

/** Operators are written with and without a space. */
function lastPart(name: string): string {
  const operator = /operator\s*\W+$/.exec(name)?.[0];
  return operator?.replaceAll(/\s/g, "") ?? name.split(/[.:#]+/).at(-1) ?? name;
}
