/** Reads which functions of the server were called by processes and threads that ran with NODE_V8_COVERAGE. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

/** What esbuild writes in front of each source in a bundle. */
const SOURCE = /^\/\/ (server\/\S+\.ts)$/gm;

/** Names of functions per source. */
export function calledByPrograms(root: string, folder: string): Record<string, string[]> {
  const called = new Map<string, Set<string>>();
  if (!existsSync(folder)) return {};
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), "utf8")) as Coverage;
    for (const { url, functions } of result) {
      const path = relative(root, url.startsWith("file:") ? fileURLToPath(url) : url);
      if (!path.startsWith("dist/")) continue;
      const sources = sourcesOf(root, path.replaceAll("\\", "/"));
      for (const { functionName, ranges } of functions) {
        const [range] = ranges;
        if (range === undefined || range.count === 0) continue;
        const source = sources.findLast(({ start }) => start <= range.startOffset)?.source;
        if (source === undefined) continue;
        const names = called.get(source) ?? new Set();
        // In a bundle the second function of a name has a number behind it.
        called.set(source, names.add(functionName).add(functionName.replace(/\d+$/, "")));
      }
    }
  }
  return Object.fromEntries([...called].map(([source, names]) => [source, [...names]]));
}

const known = new Map<string, { readonly start: number; readonly source: string }[]>();

function sourcesOf(root: string, path: string) {
  const sources = known.get(path) ?? readSources(root, path);
  known.set(path, sources);
  return sources;
}

function readSources(root: string, path: string) {
  const text = readFileSync(join(root, path), "utf8");
  const parts = [...text.matchAll(SOURCE)].map(({ index, 1: source = "" }) => ({
    start: index,
    source,
  }));
  const own = path.replace(/^dist\//, "server/").replace(/\.js$/, ".ts");
  return parts.length > 0 ? parts : [{ start: 0, source: own }];
}
