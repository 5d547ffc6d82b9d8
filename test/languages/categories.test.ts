/** What a file is for, by its path. */

import { describe, expect, it } from "vitest";
import { categorize } from "../../server/languages/categories.ts";
import { detect } from "../../server/languages/detect.ts";

function check(path: string, expected: string): void {
  expect(categorize(path, detect(path, ""))).toBe(expected);
}

describe("tests", () => {
  it.each([
    "tests/client/test_proxies.py",
    "src/test_models.py",
    "pkg/server_test.go",
    "src/test/java/org/example/ServerIT.java",
    "src/UserTests.java",
    "src/UserServiceTest.php",
    "spec/models/user_spec.rb",
    "src/button.test.tsx",
    "src/button.spec.js",
    "src/__tests__/button.js",
    "Tests/SessionTests.swift",
    "app/src/androidTest/kotlin/Main.kt",
    "src/commonTest/kotlin/Main.kt",
    "Src/Newtonsoft.Json.Tests/JsonTest.cs",
    "test/ecto/query_test.exs",
    "core/src/DecoderSuite.scala",
    "lua/parse_spec.lua",
    "test/json-test.cc",
    "lib/parser_test.dart",
    "bats/install.bats",
    "crates/core/tests.rs",
    "tests/fixtures/data.json",
    "caddytest/integration/acme.go",
    "net/http/httptest/server.go",
    "adapt/request_body.caddyfiletest",
  ])("%s", (path) => check(path, "test"));
});

describe("not tests", () => {
  it.each([
    ["src/latest.py", "implementation"],
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
  ])("%s is %s", (path, expected) => check(path, expected));
});
