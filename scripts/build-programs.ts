/**
 * Bundles each program, and the worker thread, into one file: that loads in a third of the time of hundreds. What `tsc`
 * emitted of the engine stays beside it, for the threads of the database and for tests.
 */

import { readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { build, type Plugin } from "esbuild";

const ROOT = resolve(import.meta.dirname, "..");
const OUT = join(ROOT, "dist");

const PROGRAMS = ["command", "context-server", "language-server"];

/** What only these programs use is in them, and not a second time beside them. */
const ONLY_IN_BUNDLES = [
  "cli",
  "lsp",
  "mcp",
  "programs/remote-session.js",
  "programs/remote-session.js.map",
];

/** Packages in CommonJS ask for the modules of Node by `require`. */
const REQUIRE = `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`;

const { engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly engines: { readonly node: string };
};

const COMMON = {
  bundle: true,
  format: "esm",
  platform: "node",
  target: `node${engines.node.replace(/^\D+/, "")}`,
  banner: { js: REQUIRE },
  minifySyntax: true,
  sourcemap: "linked",
  sourcesContent: false,
  logLevel: "warning",
} as const;

await build({
  ...COMMON,
  entryPoints: PROGRAMS.map((name) => join(ROOT, `server/programs/${name}.ts`)),
  outdir: join(OUT, "programs"),
});

/** Packages that find files of their own: threads, WebAssembly, code for a processor. `pg-native` is not installed. */
const WITH_FILES = [
  "@electric-sql/pglite",
  "@electric-sql/pglite-pgvector",
  "@parcel/watcher",
  "pg-native",
  "piscina",
  "web-tree-sitter",
];

/** Modules of the engine find their files from where `tsc` puts them; `up` leads there from the bundle. */
function ownPlaces(up: string): Plugin {
  return {
    name: "own-places",
    setup: ({ onLoad }) => {
      onLoad({ filter: /\/server\/.*\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        if (!text.includes("import.meta.")) return undefined;
        if (/import\.meta\.(?!url\b)/.test(text)) {
          throw new Error(`${path}: of import.meta only the url is right in a bundle`);
        }
        const own = relative(join(ROOT, "server"), path).replace(/\.ts$/, ".js");
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
for (const { file, up } of ENGINE) {
  await build({
    ...COMMON,
    entryPoints: [join(ROOT, `server/${file}.ts`)],
    outfile: join(OUT, `${file}.js`),
    external: WITH_FILES,
    plugins: [ownPlaces(up)],
  });
}
for (const name of ONLY_IN_BUNDLES) rmSync(join(OUT, name), { recursive: true, force: true });
