/** Helix's languages.toml with our server in the list of every language, and nothing taken out of it. */

import type { TomlTable, TomlValue } from "smol-toml";

const NAME = "cocosearch";

/** How Helix starts us. What a user has written for it stays. */
const SERVER: TomlTable = {
  command: "cocosearch-lsp",
  args: ["--stdio"],
  config: { cocosearch: {} },
};

/** Only what we serve: for everything else Helix asks the first server of the list. */
const LISTED: TomlTable = {
  name: NAME,
  "only-features": ["workspace-symbols", "workspace-command"],
};

/** By Helix's names; those that its version does not know are left out. */
export const LANGUAGES: readonly string[] = `
  ada astro awk bash bicep c c-sharp clojure cmake common-lisp cpp crystal css cue d dart docker-compose dockerfile
  elixir elm erlang fish fortran gleam glsl go graphql groovy haskell hcl html java javascript json json5 jsonc jsonnet
  jsx julia kotlin latex less lua make markdown matlab meson nim nix nu objective-c ocaml odin org pascal perl php
  powershell prisma prolog protobuf purescript python r racket rescript rst ruby rust scala scheme scss solidity sql
  starlark svelte swift systemd systemverilog tcl text toml tsx typescript typst vala verilog vhdl vue wgsl xml yaml zig
`
  .trim()
  .split(/\s+/);

/** Helix 25.01 says the commands of its built-in servers and not their names; these are called otherwise. */
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

/** The servers in what `hx --health LANGUAGE` says, first to last; undefined when it does not know the language. */
export function serversIn(health: string): string[] | undefined {
  const lines = health.split("\n");
  const head = lines.findIndex((line) => line.startsWith("Configured language servers:"));
  if (head === -1) return undefined;
  const names: string[] = [];
  for (const line of lines.slice(head + 1)) {
    const said = /^ {2}\S ([^:]+):/.exec(line)?.[1];
    if (said === undefined) break;
    names.push(NAMES.get(said) ?? said);
  }
  return names;
}

/** The names of the languages that a user has described. */
export function describedLanguages(user: TomlTable): string[] {
  return languagesOf(user).flatMap(({ name }) => (typeof name === "string" ? [name] : []));
}

/** `servers` are the lists that Helix uses, by language; a list in the user's own words counts more. */
export function withOurs(
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

/** Whether a user has us in the list of any language. */
export function hasOurs(user: TomlTable): boolean {
  return languagesOf(user).some((language) => listOf(language).some(isOurs));
}

/** The languages that a user gave to us alone; the servers that Helix has for them do not start any more. */
export function oursAlone(user: TomlTable): string[] {
  return languagesOf(user).flatMap((language) => {
    const { name } = language;
    const list = listOf(language);
    return typeof name === "string" && list.length > 0 && list.every(isOurs) ? [name] : [];
  });
}

function listOf(language: TomlTable): TomlValue[] {
  const { "language-servers": own } = language;
  return Array.isArray(own) ? own : [];
}

function listed(language: TomlTable, servers: ReadonlyMap<string, readonly string[]>): TomlTable {
  const { name, "language-servers": own } = language;
  const list = Array.isArray(own) ? own : servers.get(typeof name === "string" ? name : "");
  // What this Helix does not know stays as it is.
  if (list === undefined || list.some(isOurs)) return language;
  return { ...language, "language-servers": [...list, LISTED] };
}

function isOurs(server: TomlValue): boolean {
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
