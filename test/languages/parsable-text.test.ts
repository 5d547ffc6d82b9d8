/** Which macros of C and C++ are blanked out before a file is parsed. */

import { expect, it } from "vitest";
import { createLanguages } from "../../server/languages/languages.ts";
import { parsableText } from "../../server/languages/parsable-text.ts";

function check(text: string, expected: string, languageId = "cpp"): void {
  const parsable = parsableText(text, languageId);
  expect(parsable).toHaveLength(text.length);
  expect(parsable.replaceAll(/ +/g, " ")).toBe(expected);
}

it("blanks out what stands before the name of a class", () => {
  check("class POOL_API Pool : public Base {", "class Pool : public Base {");
  check("class POOL_API [[nodiscard]] Pool {", "class [[nodiscard]] Pool {");
  check("struct ALIGNED(8) Pool final {", "struct Pool final {");
  check("struct PACKED pool {", "struct pool {", "c");
});

it("leaves types and calls that are written with capitals", () => {
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

it("blanks out annotations behind fields and functions", () => {
  check("  int size_ GUARDED_BY(mutex_);", " int size_ ;");
  check("  Pool* const pool_ GUARDED_BY(mutex_) = nullptr;", " Pool* const pool_ = nullptr;");
  check("  void lock() const LOCK_FUNCTION(mutex_) {", " void lock() const {");
  check(
    "  void lock(int a,\n    int b)\n      LOCK_FUNCTION(mutex_);",
    " void lock(int a,\n int b)\n ;",
  );
});

it("blanks out a macro before a namespace, and nothing of other languages", () => {
  check("FOO_BEGIN_NAMESPACE\nnamespace a {", " \nnamespace a {");
  check("class POOL_API Pool {", "class POOL_API Pool {", "java");
});

it("keeps names, signatures and extents as they are written", async () => {
  const text = "class POOL_API Pool {\n public:\n  int size() { return 1; }\n};\n";
  const found = await createLanguages().withSyntax(text, "cpp", ({ definitions }) =>
    definitions.map(({ symbol: { name, signature, lines } }) => [name, signature, lines.end]),
  );
  expect(found).toEqual([
    ["Pool", "class POOL_API Pool", 3],
    ["Pool::size", "int size()", 2],
  ]);
});

// By the square of their length these would take longer than any test may.
it.each([
  ["blanks before a macro", ` a${" ".repeat(900_000)}A_B(x)!`],
  ["blanks behind a class", `class${" ".repeat(900_000)}A_B`],
  ["a macro without an end", `A_B${"_A".repeat(450_000)}`],
  ["a list before a macro", ` a b(${", ".repeat(450_000)})${" ".repeat(10_000)}A_B(x)!`],
])("leaves %s as it is", (_, text) => {
  expect(parsableText(text, "cpp")).toBe(text);
});
