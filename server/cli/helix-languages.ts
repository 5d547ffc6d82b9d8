/** Adds cocosearch to the server list of every language in Helix's languages.toml, and removes nothing. */

import type { TomlTable, TomlValue } from "smol-toml";

const NAME = "cocosearch";

/** How Helix starts cocosearch. The user's own entry is kept. */
const SERVER: TomlTable = {
  command: "cocosearch-lsp",
  args: ["--stdio"],
  config: { cocosearch: {} },
};

/** Restricted to these features: Helix sends each request to the first server that lists its feature. */
const LISTED: TomlTable = {
  name: NAME,
  "only-features": ["workspace-symbols", "workspace-command"],
};

/** Helix's names of languages. Names that the installed version does not know are skipped. */
export const HELIX_LANGUAGES: readonly string[] = `
  ada astro awk bash bicep c c-sharp clojure cmake common-lisp cpp crystal css cue d dart docker-compose dockerfile
  elixir elm erlang fish fortran gleam glsl go graphql groovy haskell hcl html java javascript json json5 jsonc jsonnet
  jsx julia kotlin latex less lua make markdown matlab meson nim nix nu objective-c ocaml odin org pascal perl php
  powershell prisma prolog protobuf purescript python r racket rescript rst ruby rust scala scheme scss solidity sql
  starlark svelte swift systemd systemverilog tcl text toml tsx typescript typst vala verilog vhdl vue wgsl xml yaml zig
`
  .trim()
  .split(/\s+/);

/** Helix 25.01 prints the commands of its built-in servers instead of their names; these differ from the names. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["golangci-lint-langserver", "golangci-lint-lsp"],
  ["graphql-lsp", "graphql-language-service"],
  ["haskell-language-server-wrapper", "haskell-language-server"],
  ["jedi-language-server", "jedi"],
  ["OmniSharp", "omnisharp"],
  ["pb", "pbkit"],
  ["R", "r"],
  ["vue-language-server", "vuels"],
]);

/** The servers in the output of `hx --health LANGUAGE`, in order; undefined for an unknown language. */
export function serversIn(health: string): string[] | undefined {
  const lines = health.split("\n");
  const head = lines.findIndex((line) => line.startsWith("Configured language servers:"));
  if (head === -1) return undefined;
  const names: string[] = [];
  for (const line of lines.slice(head + 1)) {
    const command = /^ {2}\S ([^:]+):/.exec(line)?.[1];
    if (command === undefined) break;
    names.push(NAMES.get(command) ?? command);
  }
  return names;
}

/** The names of the languages in the user's file. */
export function describedLanguages(user: TomlTable): string[] {
  return languagesOf(user).flatMap(({ name }) => (typeof name === "string" ? [name] : []));
}

/** `servers` maps a language to the servers that Helix uses. A list in the user's file takes precedence. */
export function withCocosearch(
  user: TomlTable,
  servers: ReadonlyMap<string, readonly string[]>,
): TomlTable {
  const described = languagesOf(user);
  const added = [...servers.keys()]
    .filter((name) => !described.some((language) => language["name"] === name))
    .map((name): TomlTable => ({ name }));
  const all = [...described, ...added].map((language) => listed(language, servers));
  const known = tableOf(user["language-server"]);
  return {
    ...user,
    "language-server": { [NAME]: SERVER, ...known },
    language: all,
  };
}

/** Whether any language in the user's file lists cocosearch. */
export function hasCocosearch(user: TomlTable): boolean {
  return languagesOf(user).some((language) => listOf(language).some(isCocosearch));
}

/** The languages whose list contains only cocosearch, so that Helix's own servers do not start. */
export function onlyCocosearch(user: TomlTable): string[] {
  return languagesOf(user).flatMap((language) => {
    const { name } = language;
    const list = listOf(language);
    return typeof name === "string" && list.length > 0 && list.every(isCocosearch) ? [name] : [];
  });
}

function listOf(language: TomlTable): TomlValue[] {
  const { "language-servers": own } = language;
  return Array.isArray(own) ? own : [];
}

function listed(language: TomlTable, servers: ReadonlyMap<string, readonly string[]>): TomlTable {
  const { name, "language-servers": own } = language;
  const list = Array.isArray(own) ? own : servers.get(typeof name === "string" ? name : "");
  // The installed Helix does not know this language.
  if (list === undefined || list.some(isCocosearch)) return language;
  return { ...language, "language-servers": [...list, LISTED] };
}

function isCocosearch(server: TomlValue): boolean {
  return server === NAME || tableOf(server)["name"] === NAME;
}

function languagesOf(user: TomlTable): TomlTable[] {
  const { language } = user;
  return Array.isArray(language) ? language.map(tableOf) : [];
}

function tableOf(value: TomlValue | undefined): TomlTable {
  const isTable = typeof value === "object" && !Array.isArray(value) && !(value instanceof Date);
  return isTable ? value : {};
}
