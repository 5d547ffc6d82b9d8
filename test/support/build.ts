/** Once before the tests: builds the server, whose threads and processes run what is in dist/, and makes an empty database. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { makeDatabase } from "../../server/store/data-folder.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const TIMEOUT_MS = 120_000;

declare module "vitest" {
  interface ProvidedContext {
    /** An empty database to be copied: making one takes two seconds of a processor, and there are hundreds of engines. */
    readonly emptyDatabase: string;
  }
}

/** COCOSEARCH_TEST_BUILT says that the caller has built already. */
export async function setup(project: TestProject): Promise<() => void> {
  if (process.env["COCOSEARCH_TEST_BUILT"] === undefined) {
    execFileSync("npm", ["run", "--silent", "build"], {
      cwd: ROOT,
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-empty-"));
  await makeDatabase(join(folder, "postgres"), TIMEOUT_MS);
  project.provide("emptyDatabase", join(folder, "postgres"));
  return () => rmSync(folder, { recursive: true });
}
