/** Builds the server once before the tests: worker threads and child processes run what is in dist/. */

import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

/** COCOSEARCH_TEST_BUILT says that the caller has built already. */
export function setup(): void {
  if (process.env["COCOSEARCH_TEST_BUILT"] !== undefined) return;
  execFileSync("npm", ["run", "--silent", "build"], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
  });
}
