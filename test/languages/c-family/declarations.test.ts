/** Definitions of C and C++ in declarations with macros. */

import { describe, expect, it } from "vitest";
import { lineStartsOf } from "../../../server/common/text.ts";
import { readDeclarations } from "../../../server/languages/c-family/declarations.ts";
import { createLanguages } from "../../../server/languages/languages.ts";
import { parsableText } from "../../../server/languages/parsable-text.ts";

const languages = createLanguages();

async function check(languageId: string, text: string, expected: readonly string[]): Promise<void> {
  const found = await languages.withSyntax(text, languageId, ({ definitions }) =>
    definitions.map(({ symbol: { type, name, nameLine } }) => `${type} ${name} ${nameLine + 1}`),
  );
  expect(found).toEqual(expected);
}

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

  it("Definitions after a macro without semicolon are found", () =>
    check(
      "c",
      "PATH_FUNC(first)\nDEFINE_KEY(second)\nstatic MAKE_KEY(third)\nint start(void) { return 0; }\n",
      ["class second 2", "class third 3", "function start 4"],
    ));

  it("A macro with a body is named by its first argument", () =>
    check(
      "c",
      `SYSCALL_DEFINE3(open, const char __user *, filename, int, flags, umode_t, mode)
{
	return do_open(filename);
}
DEFINE_ENTRY(close)
{
}
TEST_F(pool, grows) {
}
TEST("by a text") {
}
`,
      ["function open 1", "function close 5", "function grows 8"],
    ));

  it("A K&R function is not a macro", () =>
    check(
      "c",
      "static char *\nfirst (p)\nchar *p;\n{\n}\nstatic int second(a, b)\n    int a, b;\n{\n}\n",
      ["function first 2", "function second 6"],
    ));

  it("Variables with an initializer and exported variables are found", () =>
    check(
      "c",
      `int timeout = CONFIG_TIMEOUT;
EXPORT_SYMBOL(timeout);
unsigned long jiffies __read_mostly;
static int hidden;
static int __initdata level = 1;
static const struct operations ops __aligned(8) = {
	.open = start,
};
static char *names[] = { "a" };
int (*hook)(int a) = start;
extern int elsewhere;
typedef unsigned int __bitwise gfp_t;
struct packed { int a; } __packed;
int declared(void);
DEFINE_MUTEX(lock);
static LIST_HEAD(list);
static DEFINE_PER_CPU(struct work, queue);
WAIT_QUEUE(waiting);
EXPORT_SYMBOL(waiting);
MODULE_LICENSE("GPL");
module_init(start);
`,
      [
        "class timeout 1",
        "class jiffies 3",
        "class level 5",
        "class ops 6",
        "class names 9",
        "class hook 10",
        "interface gfp_t 12",
        "class packed 13",
        "class lock 15",
        "class list 16",
        "class queue 17",
        "class waiting 18",
      ],
    ));

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

describe("C++", () => {
  it("Functions and members with macros around their types are found", () =>
    check(
      "cpp",
      `BOOL WINAPI Start(int x) { return 1; }
int NORETURN die(const char*) { return 1; }
LRESULT CALLBACK Window::Proc(HWND h) { return 1; }
POOL_API std::string Pool::name(int x) { return ""; }
POOL_API Pool::Pool(int x) : size_{x}, more_(x) { }
pool_inline POOL_CONSTEXPR bool isOpen() noexcept { return true; }
class Lid {
  Q_OBJECT
public:
  POOL_API explicit Lid(int x) {}
  POOL_INLINE int size() const { return 1; }
};
template <class T> class POOL_API Box final {
  Box() {}
};
`,
      [
        "function Start 1",
        "function die 2",
        "method Window::Proc 3",
        "method Pool::name 4",
        "method Pool::Pool 5",
        "function isOpen 6",
        "class Lid 7",
        "method Lid::Lid 10",
        "method Lid::size 11",
        "class Box 13",
        "method Box::Box 14",
      ],
    ));

  it("A test is named by class and name, any other macro by its name argument", () =>
    check(
      "cpp",
      `namespace a {
TEST_F(PoolTest, GrowsWhenFed) { grow(); }
}
TEST(Pool, Opens) { open(); }
TEST_CASE("by a text") { open(); }
PHP_FUNCTION(strlen) { open(); }
`,
      ["method a::PoolTest::GrowsWhenFed 2", "method Pool::Opens 4", "function strlen 6"],
    ));

  it("Variables with an initializer outside functions and classes are found", () =>
    check(
      "cpp",
      `namespace a {
const int kMax = 5;
int plain;
}
int Pool::count{1};
POOL::POOL(int size) { int x = 1; }
struct Lid { int size = 1; };
Pool& Pool::operator=(const Pool& other) { int x = 1; return *this; }
DEFINE_string(name, "x", "y");
`,
      [
        "class a::kMax 2",
        "class Pool::count 5",
        "method POOL::POOL 6",
        "class Lid 7",
        "method Pool::operator= 8",
        "class name 9",
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
