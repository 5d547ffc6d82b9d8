/** Locates the built grammar files, from the sources and from the build. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The manifest that scripts/build-grammars.ts writes. */
export interface GrammarRecord {
  readonly package: string;
  readonly version: string;
  readonly upstream: string;
  readonly license: string;
  readonly copyright: string;
  readonly abi: number;
  readonly sha256: string;
}

/** `dist/grammars`, relative to `dist/languages` or, in tests and scripts, to `server/languages`. */
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

/** The built grammars by language. */
export function readGrammars(): Readonly<Record<string, GrammarRecord>> {
  return JSON.parse(readFileSync(join(FOLDER, "manifest.json"), "utf8")) as Record<
    string,
    GrammarRecord
  >;
}
