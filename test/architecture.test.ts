/** The layering of server/, as a test. The table and server/README.md change together. */

import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const SERVER = resolve(import.meta.dirname, "../server");

/** The folders of server/, from the foundation up, and the two programs that are put together from them. */
const PARTS = [
  "common",
  "contracts",
  "config",
  "transport",
  "models",
  "languages",
  "indexing",
  "embedding",
  "rerank",
  "rewrite",
  "search",
  "context",
  "graph",
  "store",
  "history",
  "worker",
  "engine",
  "daemon",
  "lsp",
  "cli",
  "mcp",
  "programs",
  "main",
] as const;
type Part = (typeof PARTS)[number];

const FOUNDATION: Part[] = ["common", "contracts", "config"];

/** Every npm package has exactly one door into the server. */
const MAY_IMPORT: Record<Part, { parts: Part[]; packages: string[] }> = {
  common: { parts: [], packages: ["gpt-tokenizer"] },
  contracts: { parts: ["common"], packages: ["zod"] },
  config: { parts: ["common", "contracts"], packages: ["yaml", "zod"] },
  languages: { parts: FOUNDATION, packages: ["web-tree-sitter"] },
  indexing: { parts: FOUNDATION, packages: ["@parcel/watcher", "jschardet"] },
  transport: { parts: ["common"], packages: ["ollama", "p-retry"] },
  models: { parts: [...FOUNDATION, "transport"], packages: ["zod"] },
  embedding: { parts: [...FOUNDATION, "transport"], packages: [] },
  rerank: { parts: [...FOUNDATION, "transport"], packages: [] },
  rewrite: { parts: [...FOUNDATION, "transport"], packages: [] },
  search: { parts: FOUNDATION, packages: ["re2js"] },
  context: { parts: FOUNDATION, packages: [] },
  graph: { parts: FOUNDATION, packages: [] },
  store: {
    parts: FOUNDATION,
    packages: ["@electric-sql/pglite", "@electric-sql/pglite-pgvector", "pg", "pgvector", "tar"],
  },
  history: { parts: FOUNDATION, packages: [] },
  worker: {
    parts: [...FOUNDATION, "languages", "indexing", "embedding", "search", "history"],
    packages: [],
  },
  engine: {
    parts: [
      ...FOUNDATION,
      "languages",
      "indexing",
      "embedding",
      "rerank",
      "rewrite",
      "search",
      "context",
      "graph",
      "store",
      "history",
      "models",
    ],
    packages: ["piscina"],
  },
  daemon: { parts: FOUNDATION, packages: ["vscode-jsonrpc", "semver"] },
  lsp: {
    parts: FOUNDATION,
    packages: ["vscode-languageserver", "vscode-languageserver-textdocument"],
  },
  cli: {
    parts: [...FOUNDATION, "models"],
    packages: ["commander", "picocolors", "cli-progress", "smol-toml", "jsonc-parser"],
  },
  mcp: { parts: FOUNDATION, packages: ["@modelcontextprotocol/server", "zod"] },
  programs: { parts: [...FOUNDATION, "engine", "daemon", "lsp", "cli", "mcp"], packages: [] },
  main: { parts: ["common", "programs"], packages: [] },
};

/** Packages that several parts may use, because they are small and hold no world of their own. */
const ANYWHERE = ["lru-cache"];

const files = readdirSync(SERVER, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
);

describe.each(files)("server/%s", (file) => {
  const text = readFileSync(join(SERVER, file), "utf8");

  it("begins with its purpose", () => {
    expect(text.replace(/^#!.*\n/, "")).toMatch(/^\/\*\*(\n \*)? ?\S/);
  });

  it("imports only what its part may", () => {
    const own = partOf(file);
    const { parts, packages } = MAY_IMPORT[own];
    const forbidden = importsOf(text).filter((specifier) => {
      if (specifier.startsWith("node:")) return false;
      if (!specifier.startsWith("."))
        return ![...packages, ...ANYWHERE].includes(packageOf(specifier));
      const target = partOf(relative(SERVER, resolve(SERVER, file, "..", specifier)));
      return target !== own && !parts.includes(target);
    });
    expect(forbidden).toEqual([]);
  });

  it("imports zod as a namespace: as an object it is bundled with all its languages, half a megabyte", () => {
    expect(text).not.toMatch(/^import (?!type |\* as z )[^;]*?from "zod";/m);
  });
});

function importsOf(text: string): string[] {
  const statements = text.matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)"/gm);
  const dynamic = text.matchAll(/\bimport\("([^"]+)"\)/g);
  return [...statements, ...dynamic].map(([, from]) => from ?? "");
}

function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function partOf(file: string): Part {
  const name = file.includes("/") ? file.slice(0, file.indexOf("/")) : file.replace(".ts", "");
  const part = PARTS.find((each) => each === name);
  if (part === undefined) throw new Error(`${file} belongs to no part of the table`);
  return part;
}
