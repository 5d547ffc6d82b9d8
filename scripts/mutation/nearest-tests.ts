/** Which tests are near a source: those from which the fewest imports lead to it, and its own first. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { importsOf } from "../code-metrics/sources.ts";

/** A test file that is further away is about more than this source. */
const MAX_DISTANCE = 5;
/** They start engines and editors, and take minutes. */
const NOT_NEAR = /^test\/(?:e2e|editors|fixtures|ranking)\//;
const SLOW = /^ \* @module-tag slow$/m;

export class NearestTests {
  readonly #importers = new Map<string, string[]>();
  readonly #slow = new Set<string>();

  constructor(root: string) {
    for (const folder of ["server", "test"]) {
      for (const path of sourcesIn(root, folder)) {
        const text = readFileSync(join(root, path), "utf8");
        if (SLOW.test(text)) this.#slow.add(path);
        for (const specifier of importsOf(text)) {
          if (!specifier.startsWith(".")) continue;
          const target = join(dirname(path), specifier).replaceAll("\\", "/");
          if (!existsSync(join(root, target))) continue;
          this.#importers.set(target, [...(this.#importers.get(target) ?? []), path]);
        }
      }
    }
  }

  /** Nearest first; at the same distance, the one of the same name, then by path. */
  of(source: string): string[] {
    const found: string[] = [];
    const seen = new Set([source]);
    let layer = [source];
    for (let distance = 0; distance < MAX_DISTANCE; distance++) {
      const next = layer.flatMap((path) => this.#importers.get(path) ?? []);
      layer = [...new Set(next)].filter((path) => !seen.has(path)).toSorted();
      for (const path of layer) seen.add(path);
      const tests = layer.filter((path) => path.endsWith(".test.ts") && !NOT_NEAR.test(path));
      const own = basename(source, ".ts");
      found.push(
        ...tests
          .filter((path) => !this.#slow.has(path))
          .toSorted((a, b) => Number(isOf(b, own)) - Number(isOf(a, own))),
      );
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
