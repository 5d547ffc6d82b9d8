/** Definitions of C++/CLI, of C++ with long raw strings, and of cgo preambles. */

import { expect, it } from "vitest";
import { createLanguages } from "../../../server/languages/languages.ts";

const languages = createLanguages();

async function check(languageId: string, text: string, expected: readonly string[]): Promise<void> {
  const found = await languages.withSyntax(text, languageId, ({ definitions, facts }) => [
    ...definitions.map(
      ({ symbol: { type, name, lines } }) => `${type} ${name} ${lines.start + 1}-${lines.end + 1}`,
    ),
    ...(facts?.calls ?? []).map(({ chain, line }) => `${chain}() ${line + 1}`),
  ]);
  expect(found).toEqual(expected);
}

it("Classes of C++/CLI and their members are found", () =>
  check(
    "cpp",
    `public ref class Bridge sealed : public Base {
public:
  String^ nameOf(int x) { return gcnew String(); }
  property int Size;
  static void each(List<int>^ list) { for each (int x in list) { use(x); } }
};
public enum class Color { Red };
value struct Point { int x; };
void Bridge::later(String^ s) { use(s); }
`,
    [
      "class Bridge 1-6",
      "method Bridge::nameOf 3-3",
      "method Bridge::each 5-5",
      "class Color 7-7",
      "variable Color::Red 7-7",
      "class Point 8-8",
      "method Bridge::later 9-9",
      "String() 3",
      "use() 5",
      "use() 9",
    ],
  ));

it("Operators of plain C++ are unchanged", () =>
  check("cpp", "int mix(int a, int b) { return a ^ find(b); }\n", [
    "function mix 1-1",
    "find() 1",
  ]));

it("Calls and members after a raw string with the longest delimiter are found", () =>
  check(
    "cpp",
    'auto text = R"abcdefghijklmnop(x )" "y"\n)abcdefghijklmnop";\nint after() { return use(text); }\nvoid Pool::open() { find(); }\n',
    ["class text 1-2", "function after 3-3", "method Pool::open 4-4", "use() 3", "find() 4"],
  ));

it.each([
  ["in one comment", "/*\n", "", "*/\n"],
  ["in comments of a line", "//\n", "// ", ""],
])("Definitions of a cgo preamble are found, %s", (_, first, mark, last) =>
  check(
    "go",
    `package a\n\n${first}${mark}static char *name_of(int a) {\n${mark}\treturn 0;\n${mark}}\n${mark}int declared(int a);\n${last}import "C"\n\nfunc Add() {}\n`,
    ["function name_of 4-6", `function Add ${last === "" ? 10 : 11}-${last === "" ? 10 : 11}`],
  ),
);

it("A comment that is not directly before the import is not a preamble", () =>
  check("go", 'package a\n\n/*\nint old(int a) {\n}\n*/\n\nimport "C"\n', []));
