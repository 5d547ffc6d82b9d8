/** Summarizes a test run: skipped tests with the reason, and the last line `N passed, N failed, N skipped`. */

import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";

/** Optional requirements of tests, by the variable that provides them. */
const NEEDS: Readonly<Record<string, string>> = {
  COCOSEARCH_TEST_DATABASE_URL: "a Postgres 15 or later with pgvector to test on",
  COCOSEARCH_TEST_EDITORS: "a folder with bin/nvim, bin/hx and bin/emacs to test in",
  COCOSEARCH_TEST_EMACS_PACKAGES: "a folder with lsp-mode, consult and vertico",
  COCOSEARCH_TEST_LOCAL_MODEL: "a folder that scripts/test-services/local-model has made",
  COCOSEARCH_TEST_NEOVIM_PLUGINS: "a folder with telescope.nvim, fzf-lua and snacks.nvim",
  COCOSEARCH_TEST_RASS: "the program rass",
  COCOSEARCH_TEST_VSCODE: "a folder with code-server and playwright-core",
};

/** The part of vitest's JSON report that is read. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const [file = "", check = "passed"] = process.argv.slice(2);
const { testResults }: Report = existsSync(file)
  ? (JSON.parse(readFileSync(file, "utf8")) as Report)
  : { testResults: [{ name: file, status: "failed", assertionResults: [] }] };

const tests = testResults.flatMap(({ name, assertionResults }) =>
  assertionResults.map(({ status, fullName }) => ({ name, status, fullName })),
);
const passed = tests.filter(({ status }) => status === "passed").length;
const failed = tests.filter(({ status }) => status === "failed").length;
const skipped = tests.filter(({ status }) => status !== "passed" && status !== "failed");
/** A file that could not be loaded has no test that could fail. */
const unloaded = testResults.filter(
  ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
);

if (check !== "passed") console.log("Types, lint or format: failed, see above.");
for (const { name } of unloaded) console.log(`Not loaded: ${relative("", name)}`);
if (skipped.length > 0) {
  console.log("Skipped:");
  for (const [name, count] of countBy(skipped.map((test) => test.name))) {
    console.log(`  ${count} in ${relative("", name)}`);
  }
  for (const [variable, what] of Object.entries(NEEDS)) {
    if (!process.env[variable]) console.log(`  ${variable} is not set: it names ${what}`);
  }
}
const failures = failed + unloaded.length + (check === "passed" ? 0 : 1);
console.log(`${passed} passed, ${failures} failed, ${skipped.length} skipped`);

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
