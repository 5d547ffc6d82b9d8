/** The layering of server/, as a test. The table and server/README.md change together. */

import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const SERVER = resolve(import.meta.dirname, "../server");

/** Files at the root of server/ are the foundation, except those that assemble the rest. */
const PARTS = [
  "foundation",
  "languages",
  "indexing",
  "embedding",
  "search",
  "store",
  "worker",
  "app",
  "engine",
  "lsp",
  "cli",
  "main",
] as const;
type Part = (typeof PARTS)[number];

/** Every npm package has exactly one door into the server. */
const MAY_IMPORT: Record<Part, { parts: Part[]; packages: string[] }> = {
  foundation: { parts: [], packages: ["yaml", "zod"] },
  languages: { parts: ["foundation"], packages: ["web-tree-sitter"] },
  indexing: { parts: ["foundation"], packages: ["ignore", "@parcel/watcher"] },
  embedding: { parts: ["foundation"], packages: ["ollama", "p-retry"] },
  search: { parts: ["foundation"], packages: ["picomatch"] },
  store: {
    parts: ["foundation"],
    packages: ["@electric-sql/pglite", "@electric-sql/pglite-pgvector", "pg", "pgvector"],
  },
  worker: { parts: ["foundation", "languages", "indexing", "embedding"], packages: [] },
  app: {
    parts: ["foundation", "languages", "indexing", "embedding", "search", "store"],
    packages: ["piscina"],
  },
  engine: { parts: ["foundation"], packages: ["vscode-jsonrpc", "semver"] },
  lsp: {
    parts: ["foundation"],
    packages: ["vscode-languageserver", "vscode-languageserver-textdocument"],
  },
  cli: {
    parts: ["foundation"],
    packages: ["commander", "picocolors", "cli-progress", "smol-toml"],
  },
  main: { parts: ["foundation", "app", "engine", "lsp", "cli"], packages: [] },
};

/** Packages that several parts may use, because they are small and hold no world of their own. */
const ANYWHERE = ["lru-cache", "picomatch"];

const files = readdirSync(SERVER, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
);

describe.each(files)("server/%s", (file) => {
  const text = readFileSync(join(SERVER, file), "utf8");

  it("begins by saying what it is for", () => {
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
  return PARTS.find((part) => part === name) ?? "foundation";
}
