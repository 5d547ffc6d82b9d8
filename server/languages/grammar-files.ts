/** Finds the built grammars, both from the sources and from the build. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What scripts/build-grammars.ts writes beside the files. */
export interface GrammarRecord {
  readonly package: string;
  readonly version: string;
  readonly upstream: string;
  readonly license: string;
  readonly copyright: string;
  readonly abi: number;
  readonly sha256: string;
}

/** `dist/grammars`, seen from `dist/languages` and, in tests and scripts, from `server/languages`. */
const FOLDER = folderBeside(import.meta.url);

function folderBeside(own: string): string {
  return fileURLToPath(new URL(own.endsWith(".ts") ? "../../dist/grammars" : "../grammars", own));
}

export function grammarFile(
  languageId: string,
  kind: "wasm" | "scm" | "references.scm" | "query",
  folder = FOLDER,
): string {
  return join(folder, `${languageId}.${kind}`);
}

/** The grammars that were built, by language. */
export function readManifest(): Readonly<Record<string, GrammarRecord>> {
  return JSON.parse(readFileSync(join(FOLDER, "manifest.json"), "utf8")) as Record<
    string,
    GrammarRecord
  >;
}
