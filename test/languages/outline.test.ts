/** Definitions by patterns, for languages without a grammar and for trees that are not trusted. */

import { describe, expect, it } from "vitest";
import { createLanguages } from "../../server/languages/languages.ts";
import { LANGUAGE_IDS } from "../../server/languages/table.ts";

const languages = createLanguages();

async function check(languageId: string, text: string, expected: readonly string[]): Promise<void> {
  const found = await languages.withSyntax(
    text,
    languageId,
    ({ definitions }) =>
      definitions.map(
        ({ symbol: { type, name, lines } }) =>
          `${type} ${name} ${lines.start + 1}-${lines.end + 1}`,
      ),
    { unparsed: "not parsed in this test" },
  );
  expect(found).toEqual(expected);
}

describe("definitions by patterns:", () => {
  it("C#", () =>
    check(
      "csharp",
      `namespace App
{
    /// <summary>Keeps users.</summary>
    [Serializable]
    public sealed class Users : IEnumerable<User>
#if FAST
        , IFast
#endif
    {
        private readonly Dictionary<string, User> _all = new Dictionary<string, User>();
        public int Count { get; }
        public Users(string path)
        {
            Load(path);
        }
        public async Task<List<User>> FindAsync<T>(string name, int limit)
        {
            var found = await Ask(name);
            return Filter(found);
        }
    }
    public interface IFast { Task<int> RunAsync(int a); }
    public record Point(int X, int Y);
}
`,
      [
        "class App.Users 3-21",
        "method App.Users.Users 12-15",
        "method App.Users.FindAsync 16-20",
        "interface App.IFast 22-22",
        "class App.Point 23-23",
      ],
    ));
  it("Kotlin", () =>
    check(
      "kotlin",
      `/** A table. */
@Serializable
data class Table(
    val name: String,
) : Shape() {
    companion object {
        fun of(name: String) = Table(name)
    }
    override suspend fun <T : Any> draw(at: T): Unit = at.run {
        println(name)
    }
}
fun String.shout() = uppercase()
typealias Handler = (Int) -> Unit
`,
      [
        "class Table 1-12",
        "method Table.of 7-7",
        "method Table.draw 9-11",
        "function shout 13-13",
        "interface Handler 14-14",
      ],
    ));
  it("Scala, with braces and without", () =>
    check(
      "scala",
      `sealed trait Shape {
  def area: Double
}
final case class Circle(r: Double) extends Shape:
  def area: Double =
    math.Pi * r

  def +(other: Circle): Circle = other
object Shape extends App
`,
      [
        "interface Shape 1-3",
        "method Shape.area 2-2",
        "class Circle 4-8",
        "method Circle.area 5-6",
        "method Circle.+ 8-8",
        "class Shape 9-9",
      ],
    ));
  it("Swift", () =>
    check(
      "swift",
      `public protocol Shape {
    func area() -> Double
}
extension Circle: Shape {
    public init?(r: Double) {
        self.r = r
    }
    class func unit() -> Circle { Circle(r: 1)! }
}
`,
      [
        "interface Shape 1-3",
        "method Shape.area 2-2",
        "method Circle.init 5-7",
        "method Circle.unit 8-8",
      ],
    ));
  it("Elixir, with clauses and documentation together", () =>
    check(
      "elixir",
      `defmodule App.Users do
  @doc """
  Finds a user.

  def not_this(a), do: a
  """
  @spec find(integer) :: t
  def find(0), do: nil

  def find(id) when id > 0 do
    Repo.get(id)
  end

  defp hide!(user), do: user
end
`,
      ["class App.Users 1-15", "function App.Users.find 2-12", "function App.Users.hide! 14-14"],
    ));
  it("Haskell", () =>
    check(
      "haskell",
      `-- | A stack.
data Stack a = Stack
  { focus :: a
  } deriving (Show)

class Monad m => Store m where
  load :: Key -> m Value

-- | Pushes.
push :: a -> Stack a -> Stack a
push x (Stack y) =
  go x y
  where
    go = undefined
push x y = y

instance Show a => Show (Stack a) where
  show = const ""
`,
      ["class Stack 1-4", "interface Store 6-7", "method Store.load 7-7", "function push 9-15"],
    ));
  it("Lua", () =>
    check(
      "lua",
      "local M = {}\n\n--- Finds.\nfunction M.find(path)\n  if path then\n    return 1\n  end\nend\n\nfunction Spec:add(x)\nend\n\nM.run = function()\nend\n",
      ["method M.find 3-8", "method Spec.add 10-11", "method M.run 13-14"],
    ));
  it("Bash", () =>
    check(
      "bash",
      "# Loads.\nload() {\n  if true; then\n    echo\n  fi\n}\n\nfunction run_all {\n  load\n}\nload\n",
      ["function load 1-6", "function run_all 8-10"],
    ));
  it("Zig", () =>
    check(
      "zig",
      "pub const Point = struct {\n    x: f32,\n\n    /// Adds.\n    pub fn add(self: Point) Point {\n        return self;\n    }\n};\nexport fn main() void {}\n",
      ["class Point 1-8", "method Point.add 4-7", "function main 9-9"],
    ));
  it("SQL, to the semicolon", () =>
    check(
      "sql",
      "-- People.\nCREATE TABLE IF NOT EXISTS users (\n  id int\n);\n\ncreate or replace function touch() returns trigger as $$\nbegin\n  return new;\nend;\n$$ language plpgsql;\n",
      ["class users 1-4", "function touch 6-10"],
    ));
  it("SQL, names without their quotes, and indexes", () =>
    check(
      "sql",
      'create view "Active Users" as select 1;\nCREATE TABLE `orders` (id int);\nCREATE TABLE [dbo].[Items] (id int);\nCREATE UNIQUE INDEX IF NOT EXISTS by_name ON orders (id);\nCREATE INDEX ON orders (id);\n',
      ["class Active Users 1-1", "class orders 2-2", "class dbo.Items 3-3", "class by_name 4-4"],
    ));
  it("SCSS: placeholders, ids and rules of one line, with their comments", () =>
    check(
      "scss",
      `@use "sass:math";
.first { color: red; }
%base {
  border: 0;
}

// The page.
/* All of it. */
#main {
  transition: opacity 1s,
    transform 2s;
  &:hover { color: blue }
  &--big { color: blue } // larger
}
* { margin: 0 }
.last { // open
  color: red;
}
$sizes: (
  small: 1px,
);
.grid-#{$i} { margin: 0 }
`,
      [
        "class first 2-2",
        "class base 3-5",
        "class #main 7-14",
        "class #main.--big 13-13",
        "class last 16-18",
      ],
    ));
  it("Vue: the options of a component", () =>
    check(
      "vue",
      `<script>
interface Line {
  options: {
    id: number;
  };
}
export default {
  computed: {
    count() {
      return this.lines.length;
    },
    total: {
      get() {
        return this.sum;
      },
    },
  },
  methods: {
    /** Empties it. */
    async clear(now) {
      if (now) {
        drop();
      }
      each(function () {
        drop();
      });
    },
    open: function (at) {
      this.at = at;
    },
  },
};
</script>
`,
      [
        "interface Line 2-6",
        "method computed.count 9-11",
        "method computed.total.get 13-15",
        "method methods.clear 19-27",
        "method methods.open 28-30",
      ],
    ));
  it("Less: mixins with their parameters", () =>
    check(
      "less",
      ".bordered(@w: 1px; @c: red) {\n  border: @w @c;\n}\n.use { .bordered(2px); }\n",
      ["function bordered 1-3", "class use 4-4"],
    ));
  it("C, if its tree is not trusted", () =>
    check(
      "c",
      "struct point {\n  int x;\n};\n\nstatic int\nadd(int a)\n{\n  return a;\n}\nint sub(int a)\n{\n  return call(a);\n}\n",
      ["class point 1-3", "function sub 10-13"],
    ));
});

describe("text that is not a definition:", () => {
  it("A C declaration or function pointer is not a definition", () =>
    check(
      "c",
      "int (*open_pool)(int size) =\n  0;\nint size_of(int a,\n            int b);\n",
      [],
    ));
  it("Prose and configuration have no definitions", async () => {
    await check("markdown", "class of things\n\nfunction words() {\n}\n", []);
    await check("yaml", "class: one\n", []);
  });
  it("A statement of a method is not a definition", () =>
    check(
      "csharp",
      "class A {\n    void B(int c) {\n        return D(c);\n        await E(c);\n        new F(c);\n        G h = I(c);\n    }\n}\n",
      ["class A 1-8", "method A.B 2-7"],
    ));
});

describe("hostile lines", () => {
  const LINES = [
    "a, ".repeat(300),
    "private ".repeat(60),
    "@a ".repeat(120),
    `x${"<".repeat(300)}`,
    "a ".repeat(200),
    `[${"[ ".repeat(200)}`,
    "a.b.".repeat(100),
    `const a = ${"(".repeat(200)}`,
    `a(${"(a) ".repeat(120)}`,
    `function ${"[a] ".repeat(120)}`,
    `typedef ${"{a} ".repeat(120)}`,
    `function ${"${a}$".repeat(90)}`,
    `01 ${"a-".repeat(200)}`,
  ];

  it("are matched in linear time by the patterns of every language", async () => {
    for (const id of LANGUAGE_IDS) {
      const text = `class A {\n  ${LINES.join("\n  ")}\n}\n`;
      const answer = languages.withSyntax(text, id, () => "done", { unparsed: "no tree" });
      expect(await answer).toBe("done");
    }
  });
});
