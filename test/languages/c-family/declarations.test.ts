/** Definitions of C and C++ in declarations with macros. */

import { describe, expect, it } from "vitest";
import { lineStartsOf } from "../../../server/common/text.ts";
import { readDeclarations } from "../../../server/languages/c-family/declarations.ts";
import { createLanguages } from "../../../server/languages/languages.ts";
import { parsableText } from "../../../server/languages/parsable-text.ts";

const languages = createLanguages();

/** Functions with return types, and calls with their scopes. */
async function checkFacts(
  languageId: string,
  text: string,
  expected: readonly string[],
): Promise<void> {
  const facts = await languages.withSyntax(text, languageId, (syntax) => syntax.facts);
  const { definitions = [], calls = [] } = facts ?? {};
  expect([
    ...definitions
      .filter(({ kind }) => kind === "function")
      .map(({ name, type, flags }) => `${(flags & 4) === 0 ? "" : "static "}${type} ${name}`),
    ...calls.map(
      ({ chain, line, scope }) => `${definitions[scope]?.name ?? ""}>${chain} ${line + 1}`,
    ),
  ]).toEqual(expected);
}

describe("C", () => {
  it.each([
    ["before the name", "static int __init start(void)\n{\n}\n"],
    ["before the type", "asmlinkage __visible void start(void)\n{\n}\n"],
    ["of capitals", "STATIC noinline int PURE start(void)\n{\n}\n"],
    ["with arguments", "static __inline_me __sized(1) void *start(unsigned size)\n{\n}\n"],
    [
      "with arguments, twice",
      "static inline FORMAT(1) FORMAT(2)\nconst char *start(int a)\n{\n}\n",
    ],
    ["on a line of its own", "static code_t\nlocal_function\nstart (int a)\n{\n}\n"],
    ["behind a star", "static struct node * __must_check start(void)\n{\n}\n"],
    ["behind the parameters", "int start(void) __acquires(lock) __cold\n{\n}\n"],
    ["in the parameters", "int start(const char __user *name, void __iomem *base)\n{\n}\n"],
    ["around the name's type", "API_EXPORT size_t API_CALL start(int a)\n{\n}\n"],
  ])("A function with a macro %s is found", async (_, text) => {
    const names = await languages.withSyntax(text, "c", ({ definitions }) =>
      definitions.map(({ symbol }) => symbol.name),
    );
    const health = await languages.withSyntax(text, "c", (syntax) => syntax.health.status);
    expect([names, health]).toEqual([["start"], "ok"]);
  });

  it("Branches that each open a brace do not shift later definitions", () => {
    const text = `extern "C" {
  int first(int a)
  {
#ifdef FAST
    if (a) {
#else
    if (!a) {
#endif
      run();
    }
  }
  static int __init second(void)
  {
  }
}
`;
    const declarations = readDeclarations(text, lineStartsOf(text), "c");
    expect(declarations?.parsable).toBe(text.replace("__init", "      "));
  });

  it("Functions after macros have their calls and used macros", () =>
    checkFacts(
      "c",
      `static __sized(1) void *take(int size)
{
	return find(size);
}
SYSCALL_DEFINE1(open, int, fd)
{
	take(fd);
}
DECLARE_ALL(a)
int other(void) { return 0; }
`,
      [
        "static void take",
        "static int open",
        "int other",
        ">__sized 1",
        "take>find 3",
        ">SYSCALL_DEFINE1 5",
        "open>take 7",
        ">DECLARE_ALL 9",
      ],
    ));
});

// Quadratic time would exceed the time limit of a test.
it.each([
  ["brackets that nothing closes", "(".repeat(300_000)],
  ["braces that nothing closes", "{".repeat(300_000)],
  ["words without an end", "a ".repeat(200_000)],
  ["branches of conditions", "#if A\n{\n#else\n".repeat(50_000)],
  ["templates that nothing closes", "template <a ".repeat(50_000)],
  ["raw strings that nothing closes", 'R"('.repeat(100_000)],
  ["raw strings with a long delimiter", 'R"abcdefghijklmnop('.repeat(30_000)],
  ["quotes behind backslashes", '"\\'.repeat(200_000)],
  ["comments in directives", "#/*\n".repeat(80_000)],
  ["macros that nothing ends", "A(b)\n".repeat(60_000)],
])("%s are read in linear time", (_, text) => {
  const start = performance.now();
  readDeclarations(parsableText(text, "cpp"), [0], "cpp");
  expect(performance.now() - start).toBeLessThan(5_000);
});
