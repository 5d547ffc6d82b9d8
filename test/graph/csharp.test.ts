/** C#: global usings, target-typed `new()`, primary constructors, and extension methods. */

import { expect, it } from "vitest";
import { decodeFacts } from "../../server/contracts/encoded-facts.ts";
import { callsIn, checkCalls, factsOf, graphOf } from "../support/graph.ts";

const THING = `//- lib/Thing.cs
namespace Demo.Things; public class Thing { public void Poke() { } public static Thing Make() => null; }
//- app/UseThing.cs
namespace Demo.App; public class UseThing { public void Go() { var t = Thing.Make(); t.Poke(); } }
`;
const FOUND = [
  "app/UseThing.cs:1 Make -> lib/Thing.cs Thing.Make (member of a type)",
  "app/UseThing.cs:1 Poke -> lib/Thing.cs Thing.Poke (typed receiver)",
];

it.each([
  ["a file of its project", "//- app/Usings.cs\nglobal using Demo.Things;\n", FOUND],
  [
    "its project file",
    '//- app/App.csproj\n<Project><ItemGroup><Using Include="Demo.Things" /></ItemGroup></Project>\n',
    FOUND,
  ],
  [
    "a file for all projects below",
    "//- Directory.Build.targets\n<Project><Using Include='Demo.Other;Demo.Things'/></Project>\n//- app/App.csproj\n<Project />\n",
    FOUND,
  ],
  [
    "a file of another project",
    "//- lib/Usings.cs\nglobal using Demo.Things;\n//- lib/Lib.csproj\n<Project />\n//- app/App.csproj\n<Project />\n",
    [],
  ],
  [
    "a comment",
    '//- app/App.csproj\n<Project><!-- <Using Include="Demo.Things" /> --></Project>\n',
    [],
  ],
])("Global usings of %s are visible", (_, usings, expected) =>
  checkCalls(THING + usings, expected),
);

it("A global alias of a class resolves", () =>
  checkCalls(
    `//- Usings.cs
global using Shelf = Demo.Things.Thing;
global using static Demo.Things.Thing;
${THING.split("//- app")[0]}//- Use.cs
class Use { void Go() { Shelf.Make(); Make(); } }
`,
    [
      "Use.cs:1 Make -> lib/Thing.cs Thing.Make (member of a type)",
      "Use.cs:1 Make -> lib/Thing.cs Thing.Make (imported name)",
    ],
  ));

it("A change of global usings is followed", async () => {
  const graph = await graphOf(THING);
  expect(callsIn(graph)).toEqual([]);
  const path = "app/Usings.cs";
  graph.set(path, decodeFacts(await factsOf(path, "global using Demo.Things;\n")));
  expect(callsIn(graph)).toEqual(FOUND);
  expect(graph.fileEdges.to(graph.project.find("lib/Thing.cs") ?? -1).size).toBe(1);
  graph.remove(path);
  expect(callsIn(graph)).toEqual([]);
});

it("`new()` calls the constructor of its target type", () =>
  checkCalls(
    `//- a.cs
class Pool { public Pool(int size) {} public Pool() {} }
class Shop {
  Pool field = new(1);
  Pool Property { get; } = new();
  Pool Computed => new();
  static Pool Make() => new(2);
  Pool Open() { Pool? local = new(); Unknown other = new(); return new(3); }
  Shop(Pool pool) : this() {}
  Shop() {}
}
class Mall : Shop { Mall() : base(null) {} }
`,
    [
      "a.cs:3 Pool -> a.cs Pool (same file)",
      "a.cs:4 Pool -> a.cs Pool (same file)",
      "a.cs:5 Pool -> a.cs Pool (same file)",
      "a.cs:6 Pool -> a.cs Pool (same file)",
      "a.cs:7 Pool -> a.cs Pool (same file)",
      "a.cs:7 Pool -> a.cs Pool (same file)",
      "a.cs:8 this -> a.cs Shop.Shop (own method)",
      "a.cs:11 super -> a.cs Shop.Shop (inherited)",
    ],
  ));

it("Primary constructor parameters are visible in methods, and in the call of the base", () =>
  checkCalls(
    `//- a.cs
interface ILog { void Write(string text); }
class Base(ILog own) { protected void Note() {} }
class Ledger(ILog log, int size = 3) : Base(log) { void Go() { log.Write("x"); Note(); } }
record Entry(ILog Log) : Base(Log) { void Go() { Log.Write("x"); } }
struct Line(ILog log) { void Go() { log?.Write("x"); } }
`,
    [
      "a.cs:3 Base -> a.cs Base (same file)",
      "a.cs:3 Write -> a.cs ILog.Write (typed receiver)",
      "a.cs:3 Note -> a.cs Base.Note (inherited)",
      "a.cs:4 Base -> a.cs Base (same file)",
      "a.cs:4 Write -> a.cs ILog.Write (typed receiver)",
      "a.cs:5 Write -> a.cs ILog.Write (typed receiver)",
    ],
  ));

it("Extension methods of external types and of any type resolve if their namespace is used", () =>
  checkCalls(
    `//- ext/Added.cs
namespace Shop.Added;
static class Added {
  public static void AddShop(this IServiceCollection services) {}
  public static T Check<T>(this T value) => value;
  public static string Shout(this string text) => text;
}
//- Use.cs
using Shop.Added;
class Use { void Go(IServiceCollection services, Unknown other) { services.AddShop(); other.Check(); "a".Shout(); } }
//- Other.cs
class Other { void Go(IServiceCollection services) { services.AddShop(); } }
`,
    [
      "Use.cs:2 AddShop -> ext/Added.cs Added.AddShop (imported name)",
      "Use.cs:2 Check -> ext/Added.cs Added.Check (imported name)",
      "Use.cs:2 Shout -> ext/Added.cs Added.Shout (imported name)",
    ],
  ));

it("Patterns, loops and lambda parameters bind typed names", () =>
  checkCalls(
    `//- lib/Pool.cs
namespace Shop.Db;
public class Pool { public void Open() {} public void OpenSlowly() {} }
public class Other { public void Open() {} }
//- app/Use.cs
using Shop.Db;
class Use {
  void Go(object o) {
    if (o is Pool pool) pool.Open();
    switch (o) { case Other other: other.Open(); break; }
    Find(out Pool found); found.Open();
    try { } catch (Pool problem) { problem.Open(); }
    Run((int x, Pool typed) => typed.Open());
    Run(untyped => untyped.OpenSlowly());
  }
}
`,
    [
      "app/Use.cs:4 Open -> lib/Pool.cs Pool.Open (typed receiver)",
      "app/Use.cs:5 Open -> lib/Pool.cs Other.Open (typed receiver)",
      "app/Use.cs:6 Open -> lib/Pool.cs Pool.Open (typed receiver)",
      "app/Use.cs:7 Open -> lib/Pool.cs Pool.Open (typed receiver)",
      "app/Use.cs:8 Open -> lib/Pool.cs Pool.Open (typed receiver)",
      "app/Use.cs:9 OpenSlowly -> lib/Pool.cs Pool.OpenSlowly (only method of that name)",
    ],
  ));

it("The only extension method of its name resolves for a subtype of an external type", () =>
  checkCalls(
    `//- Added.cs
static class Added {
  public static void AddShop(this IServices services) {}
  public static void AddPool(this IServices services) {}
  public static void AddPool(this IHosts hosts) {}
}
class Use { ServiceList list; void Go() { list.AddShop(); list.AddPool(); } }
`,
    ["Added.cs:6 AddShop -> Added.cs Added.AddShop (imported name)"],
  ));
