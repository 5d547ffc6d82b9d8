/** Categories of files by path. */

import { describe, expect, it } from "vitest";
import { runToEnd } from "../../server/common/slices.ts";
import { categorize, categorizer } from "../../server/languages/categories.ts";
import { detect } from "../../server/languages/detect.ts";

function check(path: string, expected: string): void {
  expect(categorize(path, detect(path, ""))).toBe(expected);
}

describe("test files:", () => {
  it.each([
    ..."tests/client/test_proxies.py src/test_models.py pkg/server_test.go".split(" "),
    ..."src/test/java/org/example/ServerIT.java src/UserTests.java".split(" "),
    ..."src/UserServiceTest.php spec/models/user_spec.rb src/button.test.tsx".split(" "),
    ..."src/button.spec.js src/__tests__/button.js Tests/SessionTests.swift".split(" "),
    ..."app/src/androidTest/kotlin/Main.kt src/commonTest/kotlin/Main.kt".split(" "),
    ..."Src/Newtonsoft.Json.Tests/JsonTest.cs test/ecto/query_test.exs".split(" "),
    ..."core/src/DecoderSuite.scala lua/parse_spec.lua test/json-test.cc".split(" "),
    ..."lib/parser_test.dart bats/install.bats crates/core/tests.rs".split(" "),
    ..."tests/fixtures/data.json net/http/httptest/server.go".split(" "),
    ..."src/bin/dump/t/001_basic.pl t/t0001-init.sh t/lib/Net.pm".split(" "),
    ..."adapt/request_body.caddyfiletest features/step_definitions/pool.rb tests-c/core/pool.c".split(
      " ",
    ),
    ..."src/test/regress/expected/join.out crates/ide/src/test_data/highlight.html".split(" "),
    ..."web/__snapshots__/button.tsx.snap web/button.snap packages/app/fixtures/user.json".split(
      " ",
    ),
  ])("%s", (path) => check(path, "test"));
});

describe("other files:", () => {
  it.each([
    ["src/latest.py", "implementation"],
    ["src/t/translate.ts", "implementation"],
    ["src/at/dump.pl", "implementation"],
    ["latest/main.go", "implementation"],
    ["contests/main.go", "implementation"],
    ["src/contest/index.ts", "implementation"],
    ["src/attestation.go", "implementation"],
    ["src/inspector/spec.ts", "implementation"],
    ["src/testament.rs", "implementation"],
    ["tests/README.md", "docs"],
    ["docs/guide.rst", "docs"],
    ["CHANGELOG", "docs"],
    ["package.json", "config"],
    ["deploy/values.yaml", "config"],
    ["Makefile", "config"],
    ["index.html", "implementation"],
    ["web/templates/docs.html", "implementation"],
    ["docs/design.html", "docs"],
    ["man/pool.1.html", "docs"],
    ["doc/tutorial/pool.ipynb", "docs"],
    ["analysis/pool.ipynb", "implementation"],
    ["documentation/api/index.xml", "docs"],
    ["notes/expected.out", "docs"],
  ])("%s is %s", (path, expected) => check(path, expected));
});

/** The category of `path` in a repository with `others`. */
function checkAmong(others: string, path: string, expected: string): void {
  const decide = runToEnd(categorizer([...others.split(" "), path]));
  expect(decide(path, detect(path, ""))).toBe(expected);
}

describe("product files named like tests", () => {
  it.each([
    ["test/supertest.js package.json", "lib/test.js"],
    ["doc/index.md doctest/doctest.h", "doctest/extensions/util.h"],
    ["googletest/CMakeLists.txt googletest/test/gtest_test.cc", "googletest/src/gtest.cc"],
    ["Lib/test/test_ast.py Lib/ast.py", "Lib/unittest/case.py"],
    ["test/index.spec.js", "src/shortest/index.js"],
    ["loadtest/src/run.ts", "loadtest/run.ts"],
    ["abtest/package.json abtest/test/a.test.js", "abtest/variants.js"],
    ["packages/ab-test/package.json packages/ab-test/test/a.js", "packages/ab-test/index.js"],
    ["Package.swift Tests/AppTests/AppTests.swift", "Sources/App/ABTest.swift"],
    ["AppTests/AppTests.swift App/App.swift", "App/ABTest.swift"],
    ["test/minitest/test_minitest_test.rb lib/minitest.rb", "lib/minitest/test_task.rb"],
    ["pom.xml src/test/java/junit/AllTests.java", "src/main/java/junit/framework/TestCase.java"],
    ["Package.swift Tests/TestingTests/a.swift", "Sources/Testing/ExitTests/ExitTest.swift"],
  ])("in a repository with %s: %s", (others, path) => checkAmong(others, path, "implementation"));
});

describe("tests by the shape of the repository", () => {
  it.each([
    ["caddy.go", "caddytest/integration/acme.go"],
    ["net/http/server.go", "net/http/httptest/server.go"],
    ["Cargo.toml integration-tests/Cargo.toml", "integration-tests/tests/basic.rs"],
    [
      "Cargo.toml integration-tests/Cargo.toml integration-tests/tests/a.rs",
      "integration-tests/src/lib.rs",
    ],
    ["src/User.php tests/AppTest.php", "src/UserTest.php"],
    ["src/models.py tests/test_all.py", "src/test_models.py"],
    ["src/app.py", "src/test_flow.py"],
  ])("in a repository with %s: %s", (others, path) => checkAmong(others, path, "test"));
});
