/** Text that is rewritten before parsing. */

import { describe, expect, it } from "vitest";
import { createLanguages } from "../../server/languages/languages.ts";
import { parsableText } from "../../server/languages/parsable-text.ts";

function check(text: string, expected: string, languageId = "cpp"): void {
  const parsable = parsableText(text, languageId);
  expect(parsable).toHaveLength(text.length);
  expect(parsable.replaceAll(/ +/g, " ")).toBe(expected);
}

it("A macro before a class name is blanked", () => {
  check("class POOL_API Pool : public Base {", "class Pool : public Base {");
  check("class POOL_API [[nodiscard]] Pool {", "class [[nodiscard]] Pool {");
  check("struct ALIGNED(8) Pool final {", "struct Pool final {");
  check("struct PACKED pool {", "struct pool {", "c");
});

it("A class after a macro and `template` on one line is found", async () => {
  const text = "FOO_EXPORT template <class T> class Pool {\n  int size() { return 1; }\n};\n";
  const names = await createLanguages().withSyntax(text, "cpp", ({ definitions }) =>
    definitions.map(({ symbol }) => symbol.name),
  );
  expect(names).toEqual(["Pool", "Pool::size"]);
});

it("Capitalized types and calls are unchanged", () => {
  for (const text of [
    "struct POOL pool;",
    "struct POOL pool = {1};",
    "class POOL_T {",
    "struct POOL open(int size) {",
    "  return CHECK_SIZE(x);",
    "  if (x) CHECK_SIZE(y);",
    "  else if (x) CHECK_SIZE(y);",
    "  CHECK_SIZE(y);",
    "FOO_BAR\nint x;",
  ])
    check(text, text.replaceAll(/ +/g, " "));
});

it("Annotations after fields and functions are blanked", () => {
  check("  int size_ GUARDED_BY(mutex_);", " int size_ ;");
  check("  Pool* const pool_ GUARDED_BY(mutex_) = nullptr;", " Pool* const pool_ = nullptr;");
  check("  void lock() const LOCK_FUNCTION(mutex_) {", " void lock() const {");
  check(
    "  void lock(int a,\n    int b)\n      LOCK_FUNCTION(mutex_);",
    " void lock(int a,\n int b)\n ;",
  );
});

it("A macro before a namespace is blanked, only in C and C++", () => {
  check("FOO_BEGIN_NAMESPACE\nnamespace a {", " \nnamespace a {");
  check("class POOL_API Pool {", "class POOL_API Pool {", "java");
});

it("Names, signatures and extents come from the original text", async () => {
  const text = "class POOL_API Pool {\n public:\n  int size() { return 1; }\n};\n";
  const found = await createLanguages().withSyntax(text, "cpp", ({ definitions }) =>
    definitions.map(({ symbol: { name, signature, lines } }) => [name, signature, lines.end]),
  );
  expect(found).toEqual([
    ["Pool", "class POOL_API Pool", 3],
    ["Pool::size", "int size()", 2],
  ]);
});

// Quadratic time would exceed the time limit of a test.
it.each([
  ["blanks before a macro", ` a${" ".repeat(900_000)}A_B(x)!`],
  ["blanks behind a class", `class${" ".repeat(900_000)}A_B`],
  ["a macro without an end", `A_B${"_A".repeat(450_000)}`],
  ["a list before a macro", ` a b(${", ".repeat(450_000)})${" ".repeat(10_000)}A_B(x)!`],
])("%s is unchanged", (_, text) => {
  expect(parsableText(text, "cpp")).toBe(text);
});

it("Directives of a C# program in one file are blanked", async () => {
  const text = "#:sdk Cake.Sdk\n#:package Cake.FileHelpers\n\nRun();\nvoid Run() {}\n";
  check(text, " \n \n\nRun();\nvoid Run() {}\n", "csharp");
  const found = await createLanguages().withSyntax(text, "csharp", ({ definitions }) =>
    definitions.map(({ symbol }) => `${symbol.name} ${symbol.nameLine}`),
  );
  expect(found).toEqual(["Run 4"]);
});

it("Items are unwrapped from a Rust macro", () => {
  const macro = "cfg_net! {\n  // Why {\n  #[a]\n  pub fn b() { '{' }\n}\nfn c() {}";
  check(macro, "cfg_net!{}\n // Why {\n #[a]\n pub fn b() { '{' }\n \nfn c() {}", "rust");
  for (const other of ["vec! { 1 }", "quote! {\n impl A for #b {}\n}", "a! {\n fn b() {\n"])
    check(other, other.replaceAll(/ +/g, " "), "rust");
  const nested = "a! {\n fn b() {".repeat(40_000);
  expect(parsableText(nested, "rust")).toBe(nested);
});

it("Kotlin syntax that the grammar does not know is rewritten", () => {
  check('a.id eq "e to 1"', 'a.id _q "e to 1"', "kotlin");
  check("if (a) b else c", "if (a) b else c", "kotlin");
  check("val e = 1\nfor (a in e step 2) {}", "val e = 1\nfor (a in e step 2) {}", "kotlin");
  check(" is A<*> if a.b() -> 1", " is A<*> , a.b() -> 1", "kotlin");
  check("fun a(b: C<D>?.() -> E, f: G.() -> H)", "fun a(b: () -> E, f: G.() -> H)", "kotlin");
});

it("A nested expansion of Bash is parsed as a part of the expansion", () => {
  check('a="${b:+${b};}c"; d', 'a="${b:+${b} }c"; d', "bash");
  check("echo ${b}; c", "echo ${b}; c", "bash");
});

describe("conditional compilation of C#", () => {
  it("Directives are blanked, and complete branches are kept", () => {
    check(
      'int a;\n#if FAST\nint b() { return "#}"; }\n#elif SLOW\nint c;\n  # else\n// }\n#endif\nint d;',
      'int a;\n \nint b() { return "#}"; }\n \nint c;\n \n// }\n \nint d;',
      "csharp",
    );
  });

  it("Only the first branch is kept if a branch is incomplete", () => {
    check(
      "#if A\nvoid Open(int a)\n#else\nvoid Open()\n#endif\n{ }",
      " \nvoid Open(int a)\n \n \n \n{ }",
      "csharp",
    );
    check(
      "#if A\nif (a) {\n#else\n{\n#if B\nb();\n#endif\n#endif\n}",
      " \nif (a) {\n \n \n \n \n \n \n}",
      "csharp",
    );
  });

  it("Unbalanced directives are unchanged", () => {
    for (const text of [
      "#if A\nint a;",
      "int a;\n#endif",
      "#else\nint a;",
      "#region A\n#endregion",
    ])
      check(text, text, "csharp");
    check("#if A\n#endif", "#if A\n#endif", "c");
  });

  it("A long line takes linear time", () => {
    const text = `#if A\n${'"\\'.repeat(100_000)}\n#endif`;
    const start = performance.now();
    parsableText(text, "csharp");
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it("A class with conditional compilation stays whole", async () => {
    const text = `class Pool : Base
#if LIDS
    , ILid
#endif
{
    int Open(int kind) {
        switch (kind) {
            case 1:
#if FAST
                if (kind > 2) { return 1; }
#endif
                return 2;
        }
        return 0;
    }
    ref partial struct Lid { void Close() {} }
}
`;
    const facts = await createLanguages().withSyntax(text, "csharp", (syntax) => syntax.facts);
    const found = facts?.definitions.map(
      ({ name, parent, bases }) => `${name} ${parent} ${bases.join()}`,
    );
    expect(found).toEqual(["Pool -1 Base,ILid", "Open 0 ", "kind 1 ", "Lid 0 ", "Close 3 "]);
  });
});
