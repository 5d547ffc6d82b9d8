/**
 * Which tests are near a source: those from which the fewest imports lead to it, and its own first. Then those in the
 * folder of the same name, and for what speaks with a client or starts the engine, those of whole programs.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { importsOf } from "../code-metrics/sources.ts";

/** A test file that is further away is about more than this source. */
const MAX_DISTANCE = 5;
/** They start editors, or rank whole repositories, and take minutes. */
const NEVER = /^test\/(?:editors|fixtures|ranking)\//;
/** They run what was built, so that no import leads from them to a source. */
const OF_PROGRAMS = /^test\/e2e\//;
const IN_PROGRAMS = /^server\/(?:cli|contracts|daemon|lsp|mcp|programs|main\.ts)/;
/** Nothing runs through these. */
const OF_TYPES = /^(?:import|export) type [^;]*;/gm;
const SLOW = /^ \* @module-tag slow$/m;

export class NearestTests {
  readonly #importers = new Map<string, string[]>();
  readonly #slow = new Set<string>();
  readonly #tests: readonly string[];

  constructor(root: string) {
    this.#tests = sourcesIn(root, "test").filter(
      (path) => path.endsWith(".test.ts") && !NEVER.test(path),
    );
    for (const folder of ["server", "test"]) {
      for (const path of sourcesIn(root, folder)) {
        const text = readFileSync(join(root, path), "utf8");
        if (SLOW.test(text)) this.#slow.add(path);
        for (const specifier of importsOf(text.replaceAll(OF_TYPES, ""))) {
          if (!specifier.startsWith(".")) continue;
          const target = join(dirname(path), specifier).replaceAll("\\", "/");
          if (!existsSync(join(root, target))) continue;
          this.#importers.set(target, [...(this.#importers.get(target) ?? []), path]);
        }
      }
    }
  }

  /** Nearest first; at the same distance, the one of the same name, then by path. Those that are known to be slow are last. */
  of(source: string): string[] {
    const folder = dirname(source).replace(/^server/, "test");
    const found = [
      ...this.#byImports(source),
      ...this.#tests.filter((path) => path.startsWith(`${folder}/`)),
      ...(IN_PROGRAMS.test(source) ? this.#tests.filter((path) => OF_PROGRAMS.test(path)) : []),
    ];
    const isSlow = (path: string) => Number(this.#slow.has(path));
    return [...new Set(found)].toSorted((a, b) => isSlow(a) - isSlow(b));
  }

  #byImports(source: string): string[] {
    const found: string[] = [];
    const seen = new Set([source]);
    let layer = [source];
    for (let distance = 0; distance < MAX_DISTANCE; distance++) {
      const next = layer.flatMap((path) => this.#importers.get(path) ?? []);
      layer = [...new Set(next)].filter((path) => !seen.has(path)).toSorted();
      for (const path of layer) seen.add(path);
      const own = basename(source, ".ts");
      const tests = layer.filter((path) => this.#tests.includes(path) && !OF_PROGRAMS.test(path));
      found.push(...tests.toSorted((a, b) => Number(isOf(b, own)) - Number(isOf(a, own))));
    }
    return found;
  }
}

const isOf = (test: string, name: string) => basename(test) === `${name}.test.ts`;

export function sourcesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path).replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts"))
    .toSorted();
}
