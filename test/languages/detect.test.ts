/** Language detection, and resolution of language names. */

import { describe, expect, it } from "vitest";
import { detect } from "../../server/languages/detect.ts";
import { LANGUAGE_IDS, LANGUAGES, resolveLanguage } from "../../server/languages/table.ts";

function check(path: string, expected: string, head = ""): void {
  expect(detect(path, head)).toBe(expected);
}

describe("by name and extension", () => {
  it.each([
    ["src/app.py", "python"],
    ["src/App.JSX", "javascript"],
    ["src/app.mts", "typescript"],
    ["src/App.tsx", "tsx"],
    ["a/b.c++", "cpp"],
    ["Rakefile", "ruby"],
    ["deploy/Dockerfile.prod", "dockerfile"],
    ["CMakeLists.txt", "cmake"],
    ["requirements.txt", "requirements"],
    ["main.tf", "hcl"],
    ["go.mod", "gomod"],
    [".gitignore", "ignore"],
    ["notes.txt", "text"],
    ["LICENSE", "text"],
    ["README", "markdown"],
    ["data.unheardof", "text"],
    ["folder.py/file", "text"],
  ])("%s is %s", (path, expected) => check(path, expected));
});

describe("by content", () => {
  it("A header is C by default", () => check("a.h", "c", "#include <stdio.h>\nint f(void);\n"));
  it("A header with a class is C++", () => check("a.h", "cpp", "#pragma once\nclass A {\n"));
  it("A header with std:: is C++", () => check("a.h", "cpp", "void f(const std::string& s);"));
  it("A header with @interface is Objective-C", () => check("a.h", "objc", "@interface A\n"));
  it("The `#!` line determines the language", () => check("bin/run", "bash", "#!/bin/sh\n"));
  it("The `#!` line may have env, options and versions", () =>
    check("bin/run", "python", "#!/usr/bin/env -S A=1 python3.11 -u\n"));
  it("The extension takes precedence over the `#!` line", () =>
    check("a.rb", "ruby", "#!/bin/sh\n"));
  it("A .t file is not always Perl", () => check("a.t", "text", "what follows is text\n"));
});

describe("by alias", () => {
  it.each([
    ["terraform", "hcl"],
    ["shell", "bash"],
    ["sh", "bash"],
    ["ts", "typescript"],
    ["js", "javascript"],
    ["py", "python"],
    ["C++", "cpp"],
    ["c#", "csharp"],
    ["golang", "go"],
    [".rs", "rust"],
    ["c", "c"],
    ["d", "d"],
    ["r", "r"],
  ])("%s means %s", (name, expected) => expect(resolveLanguage(name)).toBe(expected));

  it("An unknown name is not resolved", () => expect(resolveLanguage("klingon")).toBeUndefined());
  it("Every id resolves to itself", () =>
    expect(LANGUAGE_IDS.map(resolveLanguage)).toEqual(LANGUAGE_IDS));
});

it("Each extension, file name and interpreter belongs to one language", () => {
  for (const key of ["extensions", "fileNames", "interpreters"] as const) {
    const all = [...LANGUAGES.values()].flatMap((language) => language[key]);
    expect(all.filter((value, i) => all.indexOf(value) !== i)).toEqual([]);
  }
});
