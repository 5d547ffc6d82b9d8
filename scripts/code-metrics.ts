/**
 * Measures the shape of a TypeScript tree: sizes, imports, cycles, and words that vocabulary rules replace. The same tree
 * always gives the same figures. Prints a table, or JSON with --json.
 *
 * usage: npm run -s code-metrics -- [DIR] [--json] [--phrases]   (DIR is the root of a checkout; default: this one;
 * --phrases lists each phrase that test/tidy.test.ts counts)
 */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { percentile } from "./bench/statistics.ts";
import { countPhrases, listPhrases } from "./code-metrics/phrases.ts";
import { cyclesOf, exportedNames, functionLengths, importsOf } from "./code-metrics/sources.ts";
import { WORDS } from "./code-metrics/words.ts";
import { scriptOptions, usageIn } from "./script-options.ts";

const FOLDERS = ["server", "scripts", "test"] as const;

interface Source {
  readonly path: string;
  readonly text: string;
  /** Paths of files of the same tree. */
  readonly imports: readonly string[];
}

type Figures = Readonly<Record<string, number | string>>;

function readTree(root: string, folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path).replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && !/fixtures|samples|golden/.test(path))
    .toSorted()
    .map((path) => {
      const text = readFileSync(join(root, path), "utf8");
      const imports = importsOf(text)
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => join(dirname(path), specifier).replaceAll("\\", "/"));
      return { path, text, imports: [...new Set(imports)] };
    });
}

function measure(sources: readonly Source[], all: readonly Source[]): Figures {
  const lines = sources.map(({ text }) => text.split("\n").length - 1);
  const functions = sources.flatMap(({ text }) => functionLengths(text));
  const imports = sources.map((source) => source.imports.length);
  return {
    files: sources.length,
    lines: lines.reduce((sum, each) => sum + each, 0),
    "file length, median / p90": `${percentile(lines, 0.5)} / ${percentile(lines, 0.9)}`,
    functions: functions.length,
    "function length, median / p90": `${percentile(functions, 0.5)} / ${percentile(functions, 0.9)}`,
    "imports per file, mean / p90": `${mean(imports).toFixed(2)} / ${percentile(imports, 0.9)}`,
    "import cycles (groups of files)": cyclesOf(
      new Map(sources.map((source) => [source.path, source.imports])),
    ).length,
    "files with a single importer": withSingleImporter(sources),
    "names exported by several files": duplicateExports(sources).length,
    "needless export interface": needlessInterfaces(sources, all),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / Math.max(1, values.length);
}

function withSingleImporter(sources: readonly Source[]): number {
  const importers = new Map<string, number>();
  for (const { imports } of sources) {
    for (const path of imports) importers.set(path, (importers.get(path) ?? 0) + 1);
  }
  return sources.filter(({ path }) => importers.get(path) === 1).length;
}

function duplicateExports(sources: readonly Source[]): string[] {
  const files = new Map<string, number>();
  for (const { text } of sources) {
    for (const name of exportedNames(text)) files.set(name, (files.get(name) ?? 0) + 1);
  }
  return [...files].flatMap(([name, count]) => (count > 1 ? [name] : []));
}

/** Exported interfaces that no other file of the whole tree names. */
function needlessInterfaces(sources: readonly Source[], all: readonly Source[]): number {
  const mentions = new Map<string, Set<string>>();
  for (const { path, text } of all) {
    for (const [word] of text.matchAll(/\b[A-Z]\w+\b/g)) {
      mentions.set(word, (mentions.get(word) ?? new Set()).add(path));
    }
  }
  const exported = sources.flatMap(({ text }) =>
    [...text.matchAll(/^export interface (\w+)/gm)].map(([, name = ""]) => name),
  );
  return exported.filter((name) => mentions.get(name)?.size === 1).length;
}

function wordCounts(all: readonly Source[]): Figures {
  // The list of the words itself does not count.
  const texts = all.flatMap(({ path, text }) => (path.includes("code-metrics") ? [] : [text]));
  const readme = ["README.md", "server/README.md"].map((file) =>
    readFileSync(join(root, file), "utf8"),
  );
  const text = [...texts, ...readme].join("\n");
  return Object.fromEntries(
    WORDS.map(([name, expression]) => [name, [...text.matchAll(expression)].length]),
  );
}

const { values, positionals } = scriptOptions(usageIn(import.meta.filename), {
  options: {
    json: { type: "boolean", default: false },
    phrases: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const root = resolve(positionals[0] ?? join(import.meta.dirname, ".."));
if (values.phrases) printPhrases();
else printFigures();

function printPhrases(): void {
  for (const { path, name, text, line } of listPhrases(root))
    console.log(`${path}:${line}: ${text} (${name})`);
}

function printFigures(): void {
  const trees = FOLDERS.map((folder) => readTree(root, folder));
  const everything = trees.flat();
  const report: Readonly<Record<string, Figures>> = {
    ...Object.fromEntries(
      FOLDERS.map((folder, i) => [folder, measure(trees[i] ?? [], everything)]),
    ),
    "words (server, scripts, test, READMEs)": wordCounts(everything),
    "phrases (comments, texts, documents)": countPhrases(root),
  };
  if (values.json) console.log(JSON.stringify(report));
  else {
    for (const [title, figures] of Object.entries(report)) {
      console.log(`\n${title}`);
      for (const [name, figure] of Object.entries(figures)) {
        console.log(`  ${name.padEnd(44)} ${String(figure).padStart(10)}`);
      }
    }
  }
}
