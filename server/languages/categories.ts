/** What a file is for: implementation, test, docs or config, by its path and language. */

import type { Category } from "../contracts/model.ts";
import { LANGUAGES } from "./table.ts";

/** Folders that hold tests in every language, and the habits of some. */
const TEST_FOLDER =
  /(?:^|\/)(?:tests?|__tests__|__mocks__|specs?|testing|e2e|[\w.-]+\.(?:tests?|unittests?)|[\w-]+[-_]tests?|(?:android|unit|integration|common|jvm|js)Test|Tests|[A-Z]\w*Tests|testdata|test-fixtures)\//;

/** `httptest/`, `caddytest/`: written in one word, unless it is an English one. */
const JOINED_TEST_FOLDER = /(?:^|\/)(?!(?:la|con|at|pro|de|fas|grea)tests?\/)[a-z]{2,}tests?\//;

/** Names of test files, case by case: `tests.py` and `latest.py` are different things. */
const TEST_NAMES: readonly RegExp[] = [
  /^(?:test_.*|.*_tests?|conftest|tests?)\.pyi?$/,
  /_test\.go$/,
  /(?:Tests?|TestCase|IT)\.(?:java|groovy)$/,
  /(?:Tests?|Spec)\.(?:kt|kts|swift|scala|cs|fs|php|groovy)$/,
  /Suite\.scala$/,
  /(?:_spec|_test)\.(?:rb|lua|dart|exs?|erl|jl|cr)$/,
  /^(?:test_|test-).*\.(?:rb|c|cc|cpp|cxx|lua|dart|jl|r|R|sh|zig|js|ts|el)$/,
  /(?:[._-](?:test|tests|spec|unittest|cy|e2e)|_?(?:Test|Tests))\.(?:c|cc|cpp|cxx|m|mm|rs|[cm]?[jt]sx?|sh|zig|hs|clj|ml)$/,
  /Spec\.hs$/,
  /^test_helpers?\b/,
  /^spec_helper\b/,
  /^tests?\.(?:rs|zig|js|ts|sh|lua|c|cpp)$/,
  /\.(?:bats|t)$/,
];

/** Cases in a format of the project's own, which is only known as text: `request_body.caddyfiletest`. */
const CASE_FILE = /\.[a-z]{2,}test$/;

export function categorize(path: string, languageId: string): Category {
  const own = LANGUAGES.get(languageId)?.category ?? "implementation";
  if (CASE_FILE.test(path)) return "test";
  // A README beside the tests is still read as prose.
  if (own === "docs") return own;
  if (isTest(path)) return "test";
  return own;
}

function isTest(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (TEST_FOLDER.test(path) || JOINED_TEST_FOLDER.test(path)) return true;
  return TEST_NAMES.some((pattern) => pattern.test(name));
}
