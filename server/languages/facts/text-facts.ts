/** Extracts imports without a syntax tree: from configuration, prose, and languages with line-based imports. */

import type { DefinitionFact, FileFacts, ImportFact } from "../../contracts/facts.ts";
import { ecmascriptImports } from "./imports/ecmascript.ts";
import { namedElixirModules, withoutElixirProse } from "./imports/elixir.ts";
import { LINKED_LANGUAGES, linksOf } from "./imports/links.ts";
import { canBeModule, type ImportStatement } from "./imports/statement.ts";

/** Longer files are data. */
const MAX_LENGTH = 300_000;
/** Limit for generated lists. */
const MAX_IMPORTS = 2_000;

/** The import statements per language, with a reader of their text. */
interface Plain {
  readonly pattern: RegExp;
  toModule(match: RegExpExecArray): readonly string[];
  /** The names that the statement makes visible. */
  toNames?(match: RegExpExecArray, module: string): Pick<ImportStatement, "kind" | "names">;
}

const named = ([, name = ""]: RegExpExecArray): readonly string[] => [name];

/** Sass and Less: `@use "a"`, `@import "a", "b"`, `@import (reference) "a"`. */
const STYLES: Plain = {
  pattern:
    /^[ \t]*@(?:use|forward|import)\s{1,20}(?:\([\w, ]{1,80}\)\s{1,20})?((?:"[^"\n]+"|'[^'\n]+')(?:\s{0,20},\s{0,20}(?:"[^"\n]+"|'[^'\n]+'))*)/gm,
  toModule: ([, list = ""]) =>
    [...list.matchAll(/"([^"]+)"|'([^']+)'/g)]
      .map(([, double, single]) => double ?? single ?? "")
      .filter((module) => !/^(?:\w+:)?\/\//.test(module)),
};

/** The macro that `use` calls. */
const USED = { name: "__using__", alias: "__using__" };

const PLAIN: Readonly<Record<string, Plain>> = {
  // For a file that the grammar cannot parse.
  lua: { pattern: /\brequire\s*(?:\(\s*)?["']([\w./-]+)["']/g, toModule: named },
  zig: { pattern: /@import\(\s*"([^"\n]+)"\s*\)/g, toModule: named },
  dart: {
    pattern: /^[ \t]*(?:import|export|part)\s+(?!of\b)["']([^"'\n]+)["']/gm,
    toModule: named,
  },
  haskell: {
    pattern: /^import\s+(?:safe\s+)?(?:qualified\s+)?(?:"[^"]*"\s+)?([A-Z][\w.']*)/gm,
    toModule: named,
  },
  scss: STYLES,
  less: STYLES,
  protobuf: {
    pattern: /^[ \t]*import\s+(?:public\s+|weak\s+)?["']([^"'\n]+)["']/gm,
    toModule: named,
  },
  // A module named by a variable is unknown.
  make: {
    pattern: /^ {0,8}[-s]?include[ \t]+([^#\n]{1,500})/gm,
    toModule: ([, list = ""]) =>
      list.includes("$(") && /\s/.test(list.trim())
        ? []
        : list.split(/\s+/).filter((file) => !/[$*?%]/.test(file)),
  },
  cmake: {
    pattern:
      /^[ \t]*(?:add_subdirectory|include)[ \t]*\(\s{0,80}"?(?:\$\{CMAKE_CURRENT_(?:SOURCE|LIST)_DIR\}\/)?([^\s"()$;]{1,300})"?(?=[\s)])/gim,
    toModule: named,
  },
  // Matches a comment as a whole, without imports.
  nix: {
    pattern:
      /#.*|(?:\b(?:import|callPackage)[ \t]+|(?<![\w./])(?=\.{1,2}\/[\w./+-]{1,300}\.nix\b))(\.{1,2}\/[\w./+-]{1,300})/g,
    toModule: named,
  },
  elixir: {
    pattern:
      /^[ \t]*(?:alias|import|use|require)\s+(?:unquote\()?((?:[A-Z]|__MODULE__\b)[\w.]*?)\)?(?:\.\{([^}]{0,2000})\})?(?:\s*,\s*as:\s*([A-Z]\w*))?(?=[\s,]|$)/gm,
    toModule: ([, prefix = "", group]) =>
      group === undefined ? [prefix] : group.split(",").map((one) => `${prefix}.${one.trim()}`),
    toNames: ([statement, , , as], module) => {
      if (/^\s*import\b/.test(statement)) return { kind: "wildcard", names: [] };
      if (/^\s*use\b/.test(statement)) return { kind: "import", names: [USED] };
      if (!/^\s*alias\b/.test(statement)) return { kind: "import", names: [] };
      const alias = as ?? module.slice(module.lastIndexOf(".") + 1);
      return { kind: "import", names: [{ name: undefined, alias }] };
    },
  },
};

/** The definitions that other files import by name. */
const MODULES: Readonly<Record<string, RegExp>> = {
  elixir: /^[ \t]*defmodule\s+([A-Z][\w.]*)/gm,
};

const COMPONENTS: ReadonlySet<string> = new Set(["vue", "svelte", "astro"]);

/**
 * Whether every file of the language is read for imports without a syntax tree; other formats have links only in some
 * files.
 */
export function readsImports(languageId: string): boolean {
  return COMPONENTS.has(languageId) || languageId in PLAIN || LINKED_LANGUAGES.has(languageId);
}

/** Undefined for files without imports. */
export function textFacts(path: string, text: string, languageId: string): FileFacts | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  if (COMPONENTS.has(languageId)) return toFacts(languageId, componentImports(text));
  const plain = PLAIN[languageId];
  if (plain !== undefined) {
    const code = languageId === "elixir" ? withoutElixirProse(text) : text;
    const statements = plainImports(code, plain);
    const others = languageId === "elixir" ? namedElixirModules(code, statements) : [];
    return toFacts(languageId, [...statements, ...others], definedModules(code, languageId));
  }
  const links = linksOf(path, text, languageId);
  return links === undefined ? undefined : toFacts("links", links);
}

interface Located extends ImportStatement {
  readonly line: number;
}

function toFacts(
  language: string,
  statements: readonly Located[],
  definitions: readonly DefinitionFact[] = [],
): FileFacts | undefined {
  if (statements.length === 0 && definitions.length === 0) return undefined;
  const imports = statements
    .filter(({ module }) => canBeModule(module))
    .slice(0, MAX_IMPORTS)
    .map(({ kind, module, names, line }): ImportFact => ({ kind, module, names, line, scope: -1 }));
  return { language, packageName: "", imports, definitions, calls: [] };
}

function plainImports(text: string, { pattern, toModule, toNames }: Plain): Located[] {
  const lineOf = lineCounter(text);
  return [...text.matchAll(pattern)].flatMap((match) => {
    const line = lineOf(match.index + match[0].length - 1);
    return toModule(match)
      .filter((module) => module !== "")
      .map((module) => {
        const { kind, names } = toNames?.(match, module) ?? { kind: "import", names: [] };
        return { kind, module, names, line };
      });
  });
}

function definedModules(text: string, languageId: string): DefinitionFact[] {
  const pattern = MODULES[languageId];
  if (pattern === undefined) return [];
  const lineOf = lineCounter(text);
  return [...text.matchAll(pattern)].map((match) => {
    const line = lineOf(match.index + match[0].length - 1);
    return {
      kind: "class",
      name: match[1] ?? "",
      line,
      endLine: line,
      parent: -1,
      flags: 0,
      type: "",
      value: "",
      bases: [],
      owner: "",
      labels: "",
    };
  });
}

/** The script blocks of a Vue, Svelte or Astro component. */
function componentImports(text: string): Located[] {
  const lineOf = lineCounter(text);
  const scripts = [
    ...text.matchAll(/<script\b[^>]*(?:>([\s\S]*?)(?:<\/script>|$)|$)|^---\n([\s\S]*?)\n---/g),
  ];
  return scripts.flatMap((script) => {
    const body = script[1] ?? script[2] ?? "";
    const start = script.index + script[0].indexOf(body);
    const statements = body.matchAll(
      /^[ \t]*(?:import|export)\b(?!\s*(?:default|const|let|function|class|interface|type\s+\w+\s*=))[^;"'`]{0,2000}["'][^"'\n]+["']|\bimport\(\s*["'][^"'\n]+["']\s*\)/gm,
    );
    return [...statements].flatMap((statement) => {
      const line = lineOf(start + statement.index);
      return ecmascriptImports(statement[0]).map((one) => ({ ...one, line }));
    });
  });
}

/** Converts increasing offsets to line numbers. */
function lineCounter(text: string): (offset: number) => number {
  let [line, at] = [0, 0];
  return (offset) => {
    for (let next = text.indexOf("\n", at); next >= 0 && next < offset; ) {
      line++;
      at = next + 1;
      next = text.indexOf("\n", at);
    }
    return line;
  };
}
