/**
 * The category of a file (implementation, test, docs or config) by its path, its language and the shape of its repository.
 */

import { runToEnd } from "../common/slices.ts";
import type { Category } from "../contracts/model.ts";
import { nameKey, type RepositoryShape, shapeOf } from "./repository-shape.ts";
import { LANGUAGES } from "./table.ts";

/** Names of test folders, in all languages and in some. */
const TEST_FOLDER =
  /^(?:tests?|__tests__|__mocks__|specs?|testing|e2e|fixtures?|__fixtures__|__snapshots__|test[_-]data|(?:android|unit|integration|common|jvm|js|native|ios)Test|Tests|[A-Z]\w*Tests|testdata|test-fixtures|step_definitions|tests[-_][\w-]+)$/;

/** The last word of a compound name decides: `unit_tests`, `json-test`, `Newtonsoft.Json.Tests`. */
const COMPOUND_TEST_FOLDER = /^.*[\w-][-_.](?:[Tt]ests?|[Uu]nit[Tt]ests?)$/;

/** The folder of tests of programs in Perl, C and shell: Git's `t/*.sh`, `t/*.pl` of Postgres. */
const SHORT_TEST_FOLDER = /(?:^|\/)t\/(?:.+\/)?[^/]+\.(?:pl|pm|sh)$/;

/** Names in one word, such as `httptest` or `supertest`, are ambiguous: the repository decides. */
const JOINED_TEST_FOLDER = /^([a-z]{3,})tests?$/;

/** Names of tests, case-sensitive: `tests.py` is not `latest.py`. */
const TEST_NAMES: readonly RegExp[] = [
  /^(?:conftest|tests)\.pyi?$/,
  /_test\.go$/,
  /Suite\.scala$/,
  /(?:_spec|_test)\.(?:rb|lua|dart|exs?|erl|jl|cr)$/,
  /[._-](?:test|tests|spec|unittest|cy|e2e)\.(?:c|cc|cpp|cxx|m|mm|rs|[cm]?[jt]sx?|sh|zig|hs|clj|ml)$/,
  /Spec\.hs$/,
  /^test_helpers?\b/,
  /^spec_helper\b/,
  /^(?:tests\.(?:rs|js|ts|sh|lua|c|cpp)|tests?\.zig)$/,
  /\.(?:bats|t|snap)$/,
];

/** Names of tests and also of products (`test_task.rb`, `ABTest.swift`): a test if the tested file exists. */
const LIKELY_TEST_NAMES: readonly RegExp[] = [
  /^test_(.*)\.pyi?$/,
  /^(.*)_tests?\.pyi?$/,
  /^()test\.pyi?$/,
  /^(.*)(?:Tests?|TestCase|IT)\.(?:java|groovy)$/,
  /^(.*)(?:Tests?|Spec)\.(?:kt|kts|swift|scala|cs|fs|php|groovy)$/,
  /^(?:test_|test-)(.*)\.(?:rb|c|cc|cpp|cxx|lua|dart|jl|r|R|sh|zig|js|ts|el)$/,
  /^(.*?)_?(?:Test|Tests)\.(?:c|cc|cpp|cxx|m|mm|rs|[cm]?[jt]sx?|sh|zig|hs|clj|ml)$/,
  /^()test\.(?:rs|js|ts|sh|lua|c|cpp)$/,
];

/** Folders with product code only, in the layouts of Maven, Cargo, npm, Ruby and Swift. */
const PRODUCT_FOLDER = /^(?:src|lib|libs|Sources|include|app)$/;

/** Languages whose build tools use separate test folders with any name. */
const SEPARATE_TESTS = /\.(?:java|groovy|kts?|swift|scala|cs|fs|php)$/;

/** Markup and notebooks that are documentation in a folder of documents, and product code elsewhere. */
const MARKUP: ReadonlySet<string> = new Set(["html", "xml"]);
const DOCUMENT_FOLDER = /(?:^|\/)(?:docs?|documentation|man|manuals?|javadoc|api-?docs?)\//i;
const NOTEBOOK = /\.ipynb$/;

/** The language id of unrecognized text: prose in most folders, expected output in a test folder. */
const TEXT = "text";

/** Test cases in a format of the project, detected as text: `request_body.caddyfiletest`. */
const CASE_FILE = /\.[a-z]{2,}test$/;

/** Categorizes the files of one repository. */
export type Categorize = (path: string, languageId: string) => Category;

/** Creates the categories for a repository with these paths, in steps. */
export function* categorizer(paths: Iterable<string>): Generator<void, Categorize> {
  const shape = yield* shapeOf(paths);
  return (path, languageId) => categorize(path, languageId, shape);
}

const NO_SHAPE = runToEnd(shapeOf([]));

/** The category by path alone, if the shape of the repository is not known. */
export function categorize(
  path: string,
  languageId: string,
  shape: RepositoryShape = NO_SHAPE,
): Category {
  const own = LANGUAGES.get(languageId)?.category ?? "implementation";
  if (CASE_FILE.test(path)) return "test";
  // A README next to tests is docs.
  if (own === "docs" && languageId !== TEXT) return own;
  if (isTest(path, shape)) return "test";
  const isMarkup = MARKUP.has(languageId) || NOTEBOOK.test(path);
  return isMarkup && DOCUMENT_FOLDER.test(path) ? "docs" : own;
}

function isTest(path: string, shape: RepositoryShape): boolean {
  const segments = path.split("/");
  const name = segments.pop() ?? "";
  for (const [depth, segment] of segments.entries()) {
    const above = segments.slice(0, depth);
    if (isTestFolder(segment, above, shape)) return true;
    // Maven, Gradle and Swift keep tests next to these folders, never below them.
    if (segment === "main" && above.at(-1) === "src") return false;
    if (segment === "Sources" && shape.isPackage(above.join("/"))) return false;
  }
  if (SHORT_TEST_FOLDER.test(path) || TEST_NAMES.some((pattern) => pattern.test(name))) return true;
  return isLikelyTest(name, segments, shape);
}

function isTestFolder(name: string, above: readonly string[], shape: RepositoryShape): boolean {
  if (TEST_FOLDER.test(name)) return true;
  const folder = [...above, name].join("/");
  if (COMPOUND_TEST_FOLDER.test(name)) return name.endsWith("s") || !shape.isTestedPackage(folder);
  const tested = JOINED_TEST_FOLDER.exec(name)?.[1];
  if (tested === undefined || shape.isPackage(folder)) return false;
  return above.includes(tested) || shape.hasName(tested);
}

/** Whether the tested file is next to it, or the repository has no separate test folders. */
function isLikelyTest(name: string, folders: readonly string[], shape: RepositoryShape): boolean {
  for (const pattern of LIKELY_TEST_NAMES) {
    const tested = pattern.exec(name)?.[1];
    if (tested === undefined) continue;
    if (nameKey(tested) !== "" && shape.hasName(tested)) return true;
    const isProduct =
      SEPARATE_TESTS.test(name) || folders.some((folder) => PRODUCT_FOLDER.test(folder));
    return !(shape.hasTestFolder && isProduct);
  }
  return false;
}
