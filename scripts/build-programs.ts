/**
 * Bundles each program and the worker thread into one file, which loads in a third of the time of separate modules.
 * The engine's modules as `tsc` emitted them stay in dist/, for the threads of the database and for tests.
 */

import { readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";

const ROOT = resolve(import.meta.dirname, "..");

const PROGRAMS = ["command", "context-server", "language-server"];

/** `pathToRoot` leads from the bundle to the folder of the emitted modules. */
const ENGINE = [
  { file: "programs/engine", pathToRoot: "../" },
  { file: "programs/team", pathToRoot: "../" },
  { file: "worker", pathToRoot: "./" },
];

/** Modules that only these programs import; the bundles contain them, so the emitted files are removed. */
const ONLY_IN_BUNDLES = [
  "cli",
  "lsp",
  "mcp",
  ...["command", "context-server", "language-server", "load-program", "remote-session"].flatMap(
    (name) => [`programs/${name}.js`, `programs/${name}.js.map`],
  ),
];

/** CommonJS packages load Node's modules with `require`. */
const REQUIRE = `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`;

const COMMON = {
  bundle: true,
  platform: "node",
  minifySyntax: true,
  sourcemap: "linked",
  sourcesContent: false,
  logLevel: "warning",
  target: targetNode(),
  absWorkingDir: ROOT,
} as const;

const MODULE = {
  format: "esm",
  banner: { js: REQUIRE },
  // Later versions of Node define it. Without it, `pg` loads the whole of `fetch` to find out where it runs.
  define: { navigator: '{"userAgent":"Node.js"}' },
} as const;

/** Scripts that server/programs/load-program.ts loads. They cannot use `import.meta`. */
const SCRIPT = {
  format: "cjs",
  logOverride: { "empty-import-meta": "error" },
  // `import()` of an external package becomes `require`: a script with a code cache cannot import.
  supported: { "dynamic-import": false },
} as const;

/** The CommonJS form of this package loads its parts by computed names, which cannot be bundled. */
const MODULES = { "jsonc-parser": "jsonc-parser/lib/esm/main.js" };

/**
 * Packages that read files beside their own modules (threads, WebAssembly, native code), the optional `pg-native`, and
 * `jschardet` and `gpt-tokenizer`, megabytes of tables that are loaded on first use.
 */
const NOT_BUNDLED = [
  "@electric-sql/pglite",
  "@electric-sql/pglite-pgvector",
  "@parcel/watcher",
  "gpt-tokenizer",
  "jschardet",
  "pg-native",
  "piscina",
  "web-tree-sitter",
];

/** The oldest supported version of Node, as esbuild names it. */
function targetNode(): string {
  const { engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    readonly engines: { readonly node: string };
  };
  return `node${engines.node.replace(/^\D+/, "")}`;
}

/** Replaces `import.meta.url` by the URL of the module as `tsc` emits it, because the engine locates files by it. */
function resolveModuleUrls(pathToRoot: string): Plugin {
  return {
    name: "resolve-module-urls",
    setup: ({ onLoad }) => {
      onLoad({ filter: /\/server\/.*\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        if (!text.includes("import.meta.")) return undefined;
        if (/import\.meta\.(?!url\b)/.test(text)) {
          throw new Error(`${path}: a bundle supports no property of import.meta but url`);
        }
        const emitted = relative(join(ROOT, "server"), path).replace(/\.ts$/, ".js");
        const url = `new URL(${JSON.stringify(pathToRoot + emitted)}, import.meta.url).href`;
        return { contents: text.replaceAll("import.meta.url", url), loader: "ts" };
      });
    },
  };
}

async function bundle(file: string, type: "js" | "cjs", options: BuildOptions): Promise<void> {
  const entryPoints = [join(ROOT, `server/${file}.ts`)];
  await build({ ...COMMON, ...options, entryPoints, outfile: join(ROOT, `dist/${file}.${type}`) });
}

await Promise.all([
  bundle("main", "js", { format: "esm" }),
  ...PROGRAMS.map((name) =>
    bundle(`programs/${name}`, "cjs", { ...SCRIPT, alias: MODULES, external: ["gpt-tokenizer"] }),
  ),
  ...ENGINE.map(({ file, pathToRoot }) =>
    bundle(file, "js", {
      ...MODULE,
      external: NOT_BUNDLED,
      plugins: [resolveModuleUrls(pathToRoot)],
    }),
  ),
]);
for (const name of ONLY_IN_BUNDLES)
  rmSync(join(ROOT, "dist", name), { recursive: true, force: true });
