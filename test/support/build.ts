/** Builds the server and makes an empty database, each once a run and only if a test loads a module that needs it. */

import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { TestProject } from "vitest/node";

const ROOT = resolve(import.meta.dirname, "../..");
const DATABASE_TIMEOUT_MS = 120_000;

/** In a module that reads files of dist/, or starts a program or thread from there. */
const NAMES_BUILT_FILE = /\bdist\/(?:main\.js|worker\.js|grammars|store\/|daemon\/|programs\/)/;
const NEEDS_DATABASE = /\/test\/support\/empty-database\.ts$/;

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of an empty database, which tests copy: making one takes two seconds of processor time. */
    readonly emptyDatabase: string;
  }
}

/** Vite transforms a module before the first test that loads it, in the main process, and only once. */
export function buildOnDemand() {
  let built: Promise<void> | undefined;
  let database: Promise<void> | undefined;
  return {
    name: "build-on-demand",
    async transform(code: string, id: string): Promise<void> {
      const needsDatabase = NEEDS_DATABASE.test(id);
      if (needsDatabase || NAMES_BUILT_FILE.test(code)) await (built ??= build());
      if (needsDatabase) await (database ??= makeDatabase());
    },
  };
}

/** COCOSEARCH_TEST_BUILT is set by a caller that has built already. */
async function build(): Promise<void> {
  if (process.env["COCOSEARCH_TEST_BUILT"] !== undefined) return;
  execFileSync("npm", ["run", "--silent", "build"], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** Imported late: Vitest loads this module for its set-up, too, where it must not load anything that needs the build. */
async function makeDatabase(): Promise<void> {
  const store = await import("../../server/store/data-folder.ts");
  await store.makeDatabase(emptyDatabase(), DATABASE_TIMEOUT_MS);
}

/** Vite loads this module twice, for its configuration and for the set-up: both have the same process. */
function emptyDatabase(): string {
  return join(tmpdir(), `cocosearch-empty-${process.pid}`, "postgres");
}

export function setup(project: TestProject): () => void {
  project.provide("emptyDatabase", emptyDatabase());
  return () => rmSync(dirname(emptyDatabase()), { recursive: true, force: true });
}
