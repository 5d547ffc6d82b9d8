/** Filters: which chunks a search may return. */

import { describe, expect, it } from "vitest";
import { BadRequest } from "../../../server/common/errors.ts";
import type { ChunkFacts } from "../../../server/contracts/lanes.ts";
import { nameMatcher, passes, pathMatcher, toFilter } from "../../../server/search/query/filter.ts";
import { categoryOf, chunkOf } from "../support.ts";

const NONE = { languages: [], symbolTypes: [], paths: [], unknown: [] };
const resolveLanguage = (alias: string) => ({ terraform: "hcl", hcl: "hcl" })[alias];
const KNOWN = { resolveLanguage, languageIds: ["hcl", "python"] };

describe("paths", () => {
  const check = (patterns: string, path: string, expected: boolean) =>
    expect(pathMatcher(patterns.split(" "))(path)).toBe(expected);
  const TABLE: [string, string, boolean][] = [
    ["src", "src/a/b.ts", true],
    ["src/", "src/a/b.ts", true],
    ["./src", "src/a.ts", true],
    ["/src", "src/a.ts", true],
    ["src", "srcs/a.ts", false],
    ["src/a.ts", "src/a.ts", true],
    ["src/**", "src/a/b.ts", true],
    ["src/*", "src/a/b.ts", false],
    ["*.py", "deep/down/a.py", true],
    ["*.py", "deep/a.pyi", false],
    ["src/*/", "src/x/y/z.ts", true],
    ["**/*.{ts,tsx}", "a/b.tsx", true],
    [".github/**", ".github/workflows/ci.yml", true],
    ["src lib", "lib/a.ts", true],
    ["src !src/gen", "src/gen/a.ts", false],
    ["!test", "src/a.ts", true],
    ["src\\a", "src/a/b.ts", true],
    ["caf\u00e9", "cafe\u0301/a.ts", true],
    ["*e\u0301.ts", "a/caf\u00e9.ts", true],
    [".", "a.ts", true],
    ["src/{a,b{c,d}}/*.ts", "src/bd/x.ts", true],
    ["src/{a,b}/*.ts", "src/c/x.ts", false],
    ["app/(group)/*.ts", "app/(group)/x.ts", true],
    ["(a|b)/*", "a/x.ts", false],
    ["app/[slug]", "app/[slug]/page.ts", true],
    ["app/[slug]/", "app/[slug]/x/page.ts", true],
    ["app/[slug]/page.ts", "app/[slug]/page.ts", true],
    ["app/[slug]/page.ts", "app/s/page.ts", true],
    ["{{cookiecutter.name}}", "{{cookiecutter.name}}/setup.py", true],
    ["!app/[slug]", "app/[slug]/page.ts", false],
    ["((a+)+)+x*", `${"a".repeat(60)}!`, false],
    ["*a".repeat(40), "a".repeat(200) + "b", false],
    [`${"**/a/".repeat(40)}b`, `${"a/".repeat(200)}c`, false],
  ];
  it.each(TABLE)("%s and %s: %s", (patterns, path, expected) => check(patterns, path, expected));
});

describe("symbol names", () => {
  const TABLE: [string, string, boolean][] = [
    ["User*", "UserService", true],
    ["User*", "app.UserService", true],
    ["User*", "userService", false],
    ["get_*", "UserService.get_user", true],
    ["UserService.*", "UserService.get_user", true],
    ["UserService.*", "UserService::get_user", true],
    ["get_*", "UserService::get_user", true],
    ["get", "forget", false],
    ["{get,set}_*", "User.set_name", true],
    // Methods of Objective-C.
    ["load:", "Loader.load", true],
    ["load:with:", "Loader.load:with:", true],
    ["load:", "Loader.load:with:", false],
    ["((a+)+)+x*", `${"a".repeat(60)}!`, false],
    ["*a".repeat(40), "a".repeat(200) + "b", false],
  ];
  it.each(TABLE)("%s and %s: %s", (glob, name, expected) =>
    expect(nameMatcher(glob)(name)).toBe(expected),
  );
});

it("refuses braces that expand to too many patterns", () => {
  const paths = ["{a,b}".repeat(20)];
  expect(() => toFilter({ query: "x", paths }, NONE, KNOWN)).toThrow(BadRequest);
  expect(() => toFilter({ query: "x", symbolName: paths[0] ?? "" }, NONE, KNOWN)).toThrow(
    'symbolName: the braces of "{a,b}{a,b}',
  );
});

it("has no filter where nothing is asked for", () =>
  expect(toFilter({ query: "x" }, NONE, KNOWN)).toBeUndefined());

it("means the dialects of a language too", () => {
  const languages = ["typescript"];
  expect(
    toFilter({ query: "x", languages }, NONE, { ...KNOWN, resolveLanguage: (id) => id })?.languages,
  ).toEqual(new Set(["typescript", "tsx"]));
});

it("resolves aliases of languages", () =>
  expect(toFilter({ query: "x", languages: ["terraform"] }, NONE, KNOWN)?.languages).toEqual(
    new Set(["hcl"]),
  ));

it("names an unknown language and the allowed ones", () => {
  const ask = () => toFilter({ query: "x", languages: ["klingon"] }, NONE, KNOWN);
  expect(ask).toThrow(BadRequest);
  expect(ask).toThrow('languages: unknown language "klingon"; allowed are hcl, python');
});

it("wants type and name of one definition, not of two", () => {
  const filter = toFilter({ query: "x", symbolTypes: ["class"], symbolName: "get*" }, NONE, KNOWN);
  const facts = (symbols: string): ChunkFacts => {
    const chunk = chunkOf("a.ts", "", symbols);
    return { ...chunk, category: categoryOf(chunk.path) };
  };
  expect(passes(filter, facts("getUser:function User:class"))).toBe(false);
  expect(passes(filter, facts("getter:class"))).toBe(true);
});
