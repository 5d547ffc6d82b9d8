/**
 * Copies each grammar with its query from grammars/ and node_modules to dist/grammars, after checking that they fit each
 * other and the parser. Does nothing if the inputs have not changed.
 */

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import type { Tree } from "web-tree-sitter";
import { compiledOf } from "../server/languages/compiled-query.ts";
import { type GrammarRecord, grammarFile } from "../server/languages/grammar-files.ts";
import { type Grammar, joinedSource, load, matchesOf } from "../server/languages/grammars.ts";

const ROOT = resolve(import.meta.dirname, "..");
const GRAMMARS = join(ROOT, "grammars");
const OUT = dirname(grammarFile("any", "wasm"));
const require = createRequire(import.meta.url);

/** The ABI versions that web-tree-sitter 0.27 loads. */
const MIN_ABI = 13;
const NEWEST_ABI = 15;

/** Names that the runtime gives to every module, and two functions that a scanner calls only to report an error. */
const ALWAYS_THERE = new Set([
  "memory",
  "__indirect_function_table",
  "__memory_base",
  "__table_base",
  "__stack_pointer",
  "__assert_fail",
  "abort",
]);

/** Node has it; the types that we compile with do not. */
const { Module } = (
  globalThis as unknown as { readonly WebAssembly: { readonly Module: WasmModule } }
).WebAssembly;

interface WasmModule {
  new (bytes: Uint8Array): object;
  imports(module: object): readonly { readonly name: string }[];
  exports(module: object): readonly { readonly name: string }[];
}

interface Source {
  readonly package: string;
  readonly wasm: string;
  /** Folders of grammars/ whose symbols.scm are joined. */
  readonly symbols: readonly string[];
  readonly sample: string;
  /** Where the grammar is developed; a bundle carries the grammars of many. */
  readonly upstream: string;
  readonly license: string;
  readonly copyright: string;
}

const sources = JSON.parse(readFileSync(join(GRAMMARS, "sources.json"), "utf8")) as Record<
  string,
  Source
>;

const fingerprint = fingerprintOf(sources);
if (readOrEmpty(join(OUT, "fingerprint")) !== fingerprint) {
  rmSync(join(OUT, "fingerprint"), { force: true });
  mkdirSync(OUT, { recursive: true });
  const manifest: Record<string, GrammarRecord> = {};
  for (const [id, source] of Object.entries(sources)) manifest[id] = await build(id, source);
  write("NOTICES.md", notices());
  write("LICENSE-APACHE-2.0", readFileSync(join(GRAMMARS, "LICENSE-APACHE-2.0")));
  write("manifest.json", `${JSON.stringify(manifest, null, 2)}\n`);
  write("fingerprint", fingerprint);
  console.log(`${Object.keys(manifest).length} grammars built`);
}

async function build(id: string, source: Source): Promise<GrammarRecord> {
  const wasm = readFileSync(require.resolve(`${source.package}/${source.wasm}`));
  checkImports(id, wasm);
  write(`${id}.wasm`, wasm);
  write(`${id}.scm`, source.symbols.map((folder) => queryOf(folder, "symbols")).join("\n"));
  write(
    `${id}.references.scm`,
    source.symbols.map((folder) => queryOf(folder, "references")).join("\n"),
  );
  const files = { symbols: grammarFile(id, "scm"), references: grammarFile(id, "references.scm") };
  const grammar = await load(grammarFile(id, "wasm"), files);
  const abi = grammar.parser.language?.abiVersion ?? 0;
  if (abi < MIN_ABI || abi > NEWEST_ABI) fail(id, `ABI ${abi}, not ${MIN_ABI} to ${NEWEST_ABI}`);
  const sample = readFileSync(join(GRAMMARS, source.sample), "utf8");
  const tree = grammar.parser.parse(sample);
  if (tree === null || tree.rootNode.hasError) fail(id, `does not parse ${source.sample}`);
  const { queries } = grammar;
  if (queries === undefined) fail(id, "has no queries");
  const found = foundBy(queries, tree);
  if (found.length === 0) fail(id, "finds nothing in the sample");
  const restored = await compileQueries(id, queries, files);
  // With elements of another size the bytes would be the same, and their meaning another one.
  if (foundBy(restored, tree).join("\n") !== found.join("\n"))
    fail(id, "compiled queries find something else");
  tree.delete();
  const { version } = packageOf(source.package);
  const sha256 = createHash("sha256").update(wasm).digest("hex");
  const { upstream, license, copyright } = source;
  return { package: source.package, version, upstream, license, copyright, abi, sha256 };
}

/** Each definition with its place and captures, and the number of references. */
function foundBy(queries: Queries, tree: Tree): string[] {
  const { symbols, references } = matchesOf(queries, tree.rootNode, () => false);
  const found = symbols.map(({ patternIndex, captures }) => {
    const places = captures.map(({ name, node }) => `${name} ${node.startIndex} ${node.endIndex}`);
    return `${patternIndex}: ${places.join(", ")}`;
  });
  return found.length === 0 ? [] : [...found, `${references?.length} references`];
}

type Queries = NonNullable<Grammar["queries"]>;

/** Writes the compiled queries, and checks that loading them again gives the same bytes. */
async function compileQueries(
  id: string,
  { query }: Queries,
  files: { readonly symbols: string; readonly references: string },
): Promise<Queries> {
  const [symbols, references] = [files.symbols, files.references].map((file) =>
    readFileSync(file, "utf8"),
  ) as [string, string];
  const source = joinedSource(symbols, references);
  const compiled = compiledOf(query, source);
  write(`${id}.query`, compiled);
  const { queries } = await load(grammarFile(id, "wasm"), {
    ...files,
    compiled: grammarFile(id, "query"),
  });
  if (queries === undefined || !compiledOf(queries.query, source).equals(compiled))
    fail(id, "loading the compiled queries changes them");
  return queries;
}

/** Rejects imports that the runtime lacks: they would fail only when called, and then corrupt memory. */
function checkImports(id: string, wasm: Buffer): void {
  const runtime = new Module(readFileSync(require.resolve("web-tree-sitter/web-tree-sitter.wasm")));
  const module = new Module(wasm);
  const there = new Set([...ALWAYS_THERE, ...exportsOf(runtime), ...exportsOf(module)]);
  const missing = Module.imports(module).filter(({ name }) => !there.has(name));
  if (missing.length > 0) fail(id, `needs ${missing.map(({ name }) => name).join(", ")}`);
}

function exportsOf(module: object): string[] {
  return Module.exports(module).map(({ name }) => name);
}

/** A fingerprint of all inputs. */
function fingerprintOf(all: Record<string, Source>): string {
  const hash = createHash("sha256");
  hash.update(readFileSync(import.meta.filename));
  hash.update(readFileSync(join(ROOT, "server/languages/compiled-query.ts")));
  hash.update(JSON.stringify([all, packageOf("web-tree-sitter").version]));
  hash.update(readFileSync(join(GRAMMARS, "NOTICES.md")));
  for (const { package: name, wasm, symbols, sample } of Object.values(all)) {
    hash.update(packageOf(name).version);
    hash.update(readFileSync(require.resolve(`${name}/${wasm}`)));
    for (const kind of ["symbols", "references"] as const)
      hash.update(symbols.map((folder) => queryOf(folder, kind)).join("\n"));
    hash.update(readFileSync(join(GRAMMARS, sample)));
  }
  return hash.digest("hex");
}

/** The notice with authors and licenses that is shipped with the grammars. */
function notices(): string {
  const rows = Object.entries(sources).map(
    ([id, { upstream, license, copyright }]) =>
      `| ${id} | ${copyright} | ${license} | ${upstream} |`,
  );
  const head = "| Grammar | Copyright (c) | License | Source |\n|---|---|---|---|";
  const text = readFileSync(join(GRAMMARS, "NOTICES.md"), "utf8");
  return `${text.trimEnd()}\n\n${head}\n${rows.join("\n")}\n`;
}

/** Every grammar has symbols; references are empty where the graph does not know the language. */
function queryOf(folder: string, kind: "symbols" | "references"): string {
  const file = join(GRAMMARS, folder, `${kind}.scm`);
  return kind === "symbols" ? readFileSync(file, "utf8") : (readOrEmpty(file) ?? "");
}

function packageOf(name: string): { readonly version: string } {
  return JSON.parse(readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8")) as {
    version: string;
  };
}

/** Writes atomically, because another build or a test may read the file at the same time. */
function write(name: string, content: string | Uint8Array): void {
  const temporary = join(OUT, `${name}.${process.pid}`);
  writeFileSync(temporary, content);
  renameSync(temporary, join(OUT, name));
}

function readOrEmpty(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function fail(id: string, reason: string): never {
  throw new Error(`grammar of ${id}: ${reason}`);
}
