/** Which language a file is in, and which language a name means. */

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
  it("takes a header for C", () => check("a.h", "c", "#include <stdio.h>\nint f(void);\n"));
  it("takes a header with a class for C++", () => check("a.h", "cpp", "#pragma once\nclass A {\n"));
  it("takes a header with std:: for C++", () =>
    check("a.h", "cpp", "void f(const std::string& s);"));
  it("takes a header with @interface for Objective-C", () =>
    check("a.h", "objc", "@interface A\n"));
  it("reads the interpreter", () => check("bin/run", "bash", "#!/bin/sh\n"));
  it("reads past env, options and versions", () =>
    check("bin/run", "python", "#!/usr/bin/env -S A=1 python3.11 -u\n"));
  it("prefers the extension to the interpreter", () => check("a.rb", "ruby", "#!/bin/sh\n"));
  it("does not take every .t for Perl", () => check("a.t", "text", "what follows is text\n"));
});

describe("by what people call it", () => {
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

  it("knows nothing of a name that nobody uses", () =>
    expect(resolveLanguage("klingon")).toBeUndefined());
  it("resolves every id to itself", () =>
    expect(LANGUAGE_IDS.map(resolveLanguage)).toEqual(LANGUAGE_IDS));
});

it("gives each extension, file name and interpreter to one language", () => {
  for (const key of ["extensions", "fileNames", "interpreters"] as const) {
    const all = [...LANGUAGES.values()].flatMap((language) => language[key]);
    expect(all.filter((value, i) => all.indexOf(value) !== i)).toEqual([]);
  }
});
