/** Names, types, signatures and extents of definitions, in cases that the samples under grammars/ do not cover. */

import { describe, expect, it } from "vitest";
import { createLanguages } from "../../server/languages/languages.ts";

const languages = createLanguages();

/** Each definition as `type name first-last`, with 1-based lines. */
async function check(languageId: string, text: string, expected: readonly string[]): Promise<void> {
  const found = await languages.withSyntax(text, languageId, ({ definitions }) =>
    definitions.map(
      ({ symbol: { type, name, lines } }) => `${type} ${name} ${lines.start + 1}-${lines.end + 1}`,
    ),
  );
  expect(found).toEqual(expected);
}

async function signatures(languageId: string, text: string): Promise<string[]> {
  return languages.withSyntax(text, languageId, ({ definitions }) =>
    definitions.map(({ symbol }) => symbol.signature),
  );
}

describe("constants and variables", () => {
  it.each([
    [
      "go",
      'package a\nconst Max = 3\nvar ErrGone = errors.New("gone")\nvar (\n\tlock sync.Mutex\n\t_ = x\n)\nfunc f() { const in = 1 }\n',
      ["variable Max 2-2", "variable ErrGone 3-3", "variable lock 5-5", "function f 8-8"],
    ],
    [
      "rust",
      "pub const MAX: u8 = 1;\nimpl A {\n const IN: u8 = 1;\n}\nstatic NAME: &str = NONE;\nconst _: () = ();\nfn f() { const L: u8 = 2; }\n",
      ["variable MAX 1-1", "variable A::IN 3-3", "variable NAME 5-5", "function f 7-7"],
    ],
    [
      "typescript",
      "export const retries = 3;\nconst MAX_SIZE = 10;\nconst own = 5;\nfunction f() { const INNER = 1; }\nexport const make = () => 5;\n",
      ["variable retries 1-1", "variable MAX_SIZE 2-2", "function f 4-4", "function make 5-5"],
    ],
    [
      "javascript",
      'var API_URL = "http://x";\nlet other = require("x");\n',
      ["variable API_URL 1-1"],
    ],
    [
      "java",
      "class E {\n static final int MAX = 3;\n int field = 1;\n enum K {\n  ONE\n }\n interface I {\n  int C = 1;\n }\n}\n",
      [
        "class E 1-10",
        "variable E.MAX 2-2",
        "class E.K 4-6",
        "variable E.K.ONE 5-5",
        "interface E.I 7-9",
        "variable E.I.C 8-8",
      ],
    ],
    [
      "csharp",
      "class F {\n public const int Max = 3;\n int field;\n enum K {\n  One\n }\n}\n",
      ["class F 1-7", "variable F.Max 2-2", "class F.K 4-6", "variable F.K.One 5-5"],
    ],
    [
      "kotlin",
      "const val MAX = 3\nval other = 4\nenum class K {\n ONE\n}\n",
      ["variable MAX 1-1", "class K 3-5", "variable K.ONE 4-4"],
    ],
    [
      "php",
      "<?php\nconst MAX = 3;\nclass A {\n const IN = 5;\n}\n",
      ["variable MAX 2-2", "class A 3-5", "variable A.IN 4-4"],
    ],
    [
      "ruby",
      "MAX = 3\nclass A\n  IN = 1\nend\n",
      ["variable MAX 1-1", "class A 2-4", "variable A.IN 3-3"],
    ],
  ])("of %s are found outside of functions", (languageId, text, expected) =>
    check(languageId, text, expected),
  );
});

describe("the start of a definition", () => {
  it("includes the comment directly above", () =>
    check("go", "package a\n\n// Run runs.\n// Twice.\nfunc Run() {}\n", ["function Run 3-5"]));
  it("excludes a comment before a blank line", () =>
    check("go", "package a\n\n// About something else.\n\nfunc Run() {}\n", ["function Run 5-5"]));
  it("excludes a trailing comment of the line above", () =>
    check("c", "static int a; /* counts */\nvoid run(void) {}\n", ["function run 2-2"]));
  it("includes decorators and comments in any order", () =>
    check("python", "# Why.\n@one\n# And why.\n@two(\n  1)\ndef run():\n  pass\n", [
      "function run 1-7",
    ]));
  it("includes export and const", () =>
    check("typescript", "/** Runs. */\nexport const run = async () => {\n};\n", [
      "function run 1-3",
    ]));
  it("includes template and attribute lines", async () => {
    await check("cpp", "template <class T>\nvoid run() {}\n", ["function run 1-2"]);
    await check("rust", "#[inline]\npub fn run() {}\n", ["function run 1-2"]);
  });
});

describe("variables of Python", () => {
  it("are found in modules, each at its first place", () =>
    check(
      "python",
      "RETRIES = 3\nTIMEOUT: Final = 30\nlogger = make()\n__all__ = [\n  'a']\nA, B = 1, 2\nRETRIES = 4\nx.y = 1\n_ = 2\n",
      [
        "variable RETRIES 1-1",
        "variable TIMEOUT 2-2",
        "variable logger 3-3",
        "variable __all__ 4-5",
        "variable A 6-6",
        "variable B 6-6",
      ],
    ));
  it("are not found in functions, loops and scripts", () =>
    check(
      "python",
      "def run():\n  LOCAL = 1\nfor i in a:\n  LOOP = 1\nif __name__ == '__main__':\n  ARGS = parse()\nrun = wrap(run)\n",
      ["function run 1-2"],
    ));
  it("are also found in the branches of a module", () =>
    check(
      "python",
      "if TYPE_CHECKING:\n  A = 1\nelif b:\n  B = 1\nelse:\n  C = 1\ntry:\n  D = 1\nexcept E:\n  D = 2\n  F = 2\n",
      ["A 2-2", "B 4-4", "C 6-6", "D 8-8", "F 11-11"].map((each) => `variable ${each}`),
    ));
  it("are the constants of a class, and no other fields", () =>
    check("python", "class A(Enum):\n  RED = 1\n  name = 2\n  LIMIT: int = 3\n", [
      "class A 1-4",
      "variable A.RED 2-2",
      "variable A.LIMIT 4-4",
    ]));
  it("are types if they are assigned one", () =>
    check(
      "python",
      'T = TypeVar("T")\nId = t.NewType("Id", int)\nJson = dict[str, Any]\nEither = int | str\nKey: TypeAlias = str\nPoint = namedtuple("Point", "x")\nfirst = rows[0]\n',
      [
        "interface T 1-1",
        "interface Id 2-2",
        "interface Json 3-3",
        "interface Either 4-4",
        "interface Key 5-5",
        "class Point 6-6",
        "variable first 7-7",
      ],
    ));
  it("have their first line as signature, without the bracket that it opens", async () =>
    expect(
      await signatures("python", 'SIZES: dict[str, int] = {\n  "a": 1,\n}\nONE = {"a": 1}\n'),
    ).toEqual(["SIZES: dict[str, int]", 'ONE = {"a": 1}']));
});

describe("names", () => {
  it("A name is qualified by every scope", () =>
    check("python", "class A:\n  class B:\n    def c(self):\n      def d(): pass\n", [
      "class A 1-4",
      "class A.B 2-4",
      "method A.B.c 3-4",
      "function A.B.c.d 4-4",
    ]));
  it("A Go method is qualified by its receiver's type", () =>
    check(
      "go",
      "package a\nfunc (a *A) B() {}\nfunc (a A[T]) C() {}\nfunc (a *A[T]) D() {}\nfunc (A) E() {}\n",
      ["method A.B 2-2", "method A.C 3-3", "method A.D 4-4", "method A.E 5-5"],
    ));
  it("A Rust function is qualified by the implementing type, without type parameters", () =>
    check("rust", "impl<T> From<B> for crate::A<T> {\n  fn from(b: B) -> Self { b }\n}\n", [
      "method A::from 2-2",
    ]));
  it("Template arguments are removed, operators are kept", () =>
    check(
      "cpp",
      "bool A<T>::operator<(const A& o) const { return 1; }\nA<int>::operator bool() const { return 1; }\n",
      ["method A::operator< 1-1", "method A::operator bool 2-2"],
    ));
  it("A namespace qualifies names and is not a symbol", () =>
    check("cpp", "namespace a::b {\nvoid run() {}\nnamespace {\nint c() { return 1; }\n}\n}\n", [
      "function a::b::run 2-2",
      "function a::b::c 4-4",
    ]));
  it("CommonJS exports and prototype methods are named", () =>
    check(
      "javascript",
      "exports.a = () => 1;\nmodule.exports.b = function () {};\nA.prototype.c = function () {};\nmodule.exports = function () {};\n",
      ["function a 1-1", "function b 2-2", "method A.c 3-3"],
    ));
  it("A Ruby scope is written with dots", () =>
    check("ruby", "class A::B < C\n  def self.d; end\nend\n", [
      "class A.B 1-3",
      "method A.B.d 2-2",
    ]));
  it("Initializers, requirements and operators of Swift are found", () =>
    check(
      "swift",
      `struct A {
  init(b: Int) {}
  convenience init?(c: Int) { nil }
  static func == (a: A, b: A) -> Bool { true }
}
protocol B {
  init(c: Int)
  static func <= (a: Self, b: Self) -> Bool
}
func +++ (a: A, b: A) -> A { a }
`,
      [
        "class A 1-5",
        "method A.init 2-2",
        "method A.init 3-3",
        "method A.== 4-4",
        "interface B 6-9",
        "method B.init 7-7",
        "method B.<= 8-8",
        "function +++ 10-10",
      ],
    ));
  it("Items in a Rust macro are found, but not in a template", () =>
    check(
      "rust",
      `pin_project! {
    #[project = Proj]
    pub struct Body<T> {
        value: T,
        open: char = '{',
    }
}
fn make() {
    quote! {
        impl A for #name { fn a() {} }
    }
}
cfg_net! {
    impl Body { pub fn read(&self) {} }
}
`,
      ["class Body 2-6", "function make 8-12", "method Body::read 14-14"],
    ));
  it("A C struct with a typedef of the same name has its first line", async () => {
    const text = "typedef struct a {\n  int x;\n} a;\ntypedef struct {\n  int y;\n} b;\n";
    const nameLines = await languages.withSyntax(text, "c", ({ definitions }) =>
      definitions.map(({ symbol }) => symbol.nameLine),
    );
    expect(nameLines).toEqual([0, 5]);
    await check("c", "typedef long long ssize_t;\n", ["interface ssize_t 1-1"]);
  });
  it("Types and callbacks of Elixir are found", () =>
    check(
      "elixir",
      `defmodule Shop.Store do
  @typedoc "A thing."
  @type t :: %{name: String.t()}
  @opaque pair(a) :: {a, a}

  @doc "Opens it."
  @callback open(name :: String.t(), opts :: keyword) ::
              {:ok, t} | :error
  @callback ready? :: boolean
  @callback close(t) :: :ok when t: term
  @timeout 5
end
`,
      [
        "class Shop.Store 1-12",
        "interface Shop.Store.t 2-3",
        "interface Shop.Store.pair 4-4",
        "function Shop.Store.open 6-8",
        "function Shop.Store.ready? 9-9",
        "function Shop.Store.close 10-10",
      ],
    ));
  it("Terraform blocks are named as in expressions", () =>
    check(
      "hcl",
      'data "aws_ami" "web" {\n  a = 1\n}\nresource "aws_instance" "web" {}\nephemeral "random" "key" {}\nvariable "region" {}\n',
      [
        "class data.aws_ami.web 1-3",
        "class aws_instance.web 4-4",
        "class ephemeral.random.key 5-5",
        "class variable.region 6-6",
      ],
    ));
  it("Bats tests are found", async () => {
    const text = `@test "splits a line (#1)" {
  run split
}

# bats test_tags=slow
@test 2nd {
  run true
}
`;
    await check("bash", text, ["function splits_a_line___1_ 1-3", "function _2nd 5-8"]);
    expect(await signatures("bash", text)).toEqual(['@test "splits a line (#1)"', "@test 2nd"]);
  });
  it("A C struct and its typedef are one definition if the names are equal", () =>
    check("c", "typedef struct a { int x; } a;\ntypedef struct b { int x; } c;\n", [
      "class a 1-1",
      "class c 2-2",
      "class b 2-2",
    ]));
});

describe("definitions", () => {
  it("An exported constant is a definition, one initialized by a call a function, a private one none", () =>
    check(
      "typescript",
      "export const a = create(1);\nconst b = require('b');\nexport const c = 1;\n",
      ["function a 1-1", "variable c 3-3"],
    ));
  it("A private constant that is a function is a definition", () =>
    check("javascript", "const A = memo(() => 1);\n", ["function A 1-1"]));
  it("Methods of an object are qualified by its name", () =>
    check("javascript", "const api = {\n  get() {},\n  put: async () => 1,\n  size: 1,\n};\n", [
      "method api.get 2-2",
      "method api.put 3-3",
    ]));
  it("Overloads and abstract methods are definitions", () =>
    check(
      "typescript",
      "abstract class A {\n  abstract b(): void;\n  c(x: 1): void;\n  c(x: any) {}\n}\n",
      ["class A 1-5", "method A.b 2-2", "method A.c 3-3", "method A.c 4-4"],
    ));
  it("A C declaration without a body is not a definition", () =>
    check("c", "int run(int a);\n", []));
  it("Macros with parameters are definitions", () =>
    check("c", "#define MAX(a, b) \\\n  ((a) > (b) ? (a) : (b))\n#define ONE 1\n", [
      "function MAX 1-2",
    ]));
  it("Definitions in and after a syntax error are found", () =>
    check("python", "def a(:\n  pass\n\ndef b():\n  pass\n\nclass C:\n  def d(self): pass\n", [
      "function a 1-2",
      "function b 4-5",
      "class C 7-8",
      "method C.d 8-8",
    ]));
});

describe("the signature", () => {
  it("is one line, up to the body, without decorators", async () =>
    expect(
      await signatures(
        "python",
        "@cache\ndef run(\n    a: int,\n    b: str = '{',\n) -> None:\n    pass\n",
      ),
    ).toEqual(["def run( a: int, b: str = '{', ) -> None"]));
  it("is cut at 200 characters, never inside a character", async () => {
    const [head] = await signatures("python", `def run(${"b".repeat(189)}='😀'): pass\n`);
    expect(head).toBe(`def run(${"b".repeat(189)}='`);
  });
});
