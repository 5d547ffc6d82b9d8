/** Bundles the programs and the worker thread of a tree, which may be a copy of this one. */

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";

const PROGRAMS = ["command", "context-server", "language-server"];

/** Packages in CommonJS ask for the modules of Node by `require`. */
const REQUIRE = `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`;

const COMMON = {
  bundle: true,
  platform: "node",
  minifySyntax: true,
  sourcemap: "linked",
  sourcesContent: false,
  logLevel: "warning",
} as const;

const MODULE = { format: "esm", banner: { js: REQUIRE } } as const;

/** What server/programs/load-program.ts loads. Nothing in it can find a file by its own place. */
const SCRIPT = { format: "cjs", logOverride: { "empty-import-meta": "error" } } as const;

/**
 * Packages that find files of their own: threads, WebAssembly, code for a processor. `pg-native` is not installed. And
 * megabytes of tables that are loaded on first use (`gpt-tokenizer`, `jschardet`).
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

/** Modules of the engine find their files from where `tsc` puts them; `up` leads there from the bundle. */
function ownPlaces(root: string, up: string): Plugin {
  return {
    name: "own-places",
    setup: ({ onLoad }) => {
      onLoad({ filter: /\/server\/.*\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        if (!text.includes("import.meta.")) return undefined;
        if (/import\.meta\.(?!url\b)/.test(text)) {
          throw new Error(`${path}: of import.meta only the url is right in a bundle`);
        }
        const own = relative(join(root, "server"), path).replace(/\.ts$/, ".js");
        const place = `new URL(${JSON.stringify(up + own)}, import.meta.url).href`;
        return { contents: text.replaceAll("import.meta.url", place), loader: "ts" };
      });
    },
  };
}

const ENGINE = [
  { file: "programs/engine", up: "../" },
  { file: "worker", up: "./" },
];

/** What `bundlePrograms` writes. */
export const BUNDLES: readonly string[] = [
  "dist/main.js",
  ...PROGRAMS.map((name) => `dist/programs/${name}.cjs`),
  ...ENGINE.map(({ file }) => `dist/${file}.js`),
];

/** Reads `server/` and writes into `dist/` of the folder; returns the paths in it of what each bundle is made of. */
export async function bundlePrograms(root: string): Promise<Map<string, ReadonlySet<string>>> {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly engines: { readonly node: string };
  };
  const common = { ...COMMON, target: `node${engines.node.replace(/^\D+/, "")}` };
  const made = new Map<string, ReadonlySet<string>>();
  const bundle = async (file: string, type: "js" | "cjs", options: BuildOptions) => {
    const { metafile } = await build({
      ...common,
      ...options,
      entryPoints: [join(root, `server/${file}.ts`)],
      outfile: join(root, `dist/${file}.${type}`),
      absWorkingDir: root,
      metafile: true,
    });
    made.set(`dist/${file}.${type}`, new Set(Object.keys(metafile.inputs)));
  };
  await Promise.all([
    bundle("main", "js", { format: "esm" }),
    ...PROGRAMS.map((name) =>
      bundle(`programs/${name}`, "cjs", { ...SCRIPT, external: ["gpt-tokenizer"] }),
    ),
    ...ENGINE.map(({ file, up }) =>
      bundle(file, "js", { ...MODULE, external: NOT_BUNDLED, plugins: [ownPlaces(root, up)] }),
    ),
  ]);
  return made;
}
