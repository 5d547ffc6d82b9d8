/** Names with `?` or `!`: optional access, methods of Ruby, and extension functions. */

import { it } from "vitest";
import { checkCalls } from "../support/graph.ts";

const MARKS: Readonly<Record<string, readonly [string, string]>> = {
  TypeScript: [
    `//- a.ts
class Pool { run() {} }
class Other { run() {} }
function f(p: Pool) { p?.run(); p!.run(); }
`,
    "a.ts:3 run -> a.ts Pool.run (typed receiver)",
  ],
  Kotlin: [
    `//- a.kt
class Pool { fun run() {} }
class Other { fun run() {} }
fun f(p: Pool?) { p?.run(); p!!.run() }
`,
    "a.kt:3 run -> a.kt Pool.run (typed receiver)",
  ],
  "C#": [
    `//- a.cs
class Pool { public void Run() {} }
class Other { public void Run() {} }
class User { void F(Pool? p) { p?.Run(); p!.Run(); } }
`,
    "a.cs:3 Run -> a.cs Pool.Run (typed receiver)",
  ],
};

it.each(Object.entries(MARKS))("Optional access resolves in %s", (_, [text, call]) =>
  checkCalls(text, [call, call]),
);

it("PHP: `?->` of a variable resolves", () =>
  checkCalls(
    `//- a.php
<?php
class Pool { function run() {} }
class Other { function run() {} }
function f(?Pool $p) { $p?->run(); }
`,
    ["a.php:4 run -> a.php Pool.run (typed receiver)"],
  ));

it("Ruby: methods that the class body generates resolve", () =>
  checkCalls(
    `//- a.rb
class Pool
  attr_reader :size, :owner
  delegate :state, to: :owner
end
class Other
  def state; end
end
pool = Pool.new
pool.size
pool.state
def run(given) given.state end
`,
    [
      "a.rb:8 new -> a.rb Pool (member of a type)",
      "a.rb:9 size -> a.rb Pool.size (typed receiver)",
      "a.rb:10 state -> a.rb Pool.state (typed receiver)",
      "a.rb:11 state -> a.rb Pool.state (candidate)",
      "a.rb:11 state -> a.rb Other.state (candidate)",
    ],
  ));

it("Ruby: `?` and `!` are part of a name", () =>
  checkCalls(
    `//- a.rb
class Pool
  def open?; end
  def close!; end
  def close; end
end
pool = Pool.new
pool.open?
pool.close!
pool&.close
pool != 2
def run!; end
run!
`,
    [
      "a.rb:6 new -> a.rb Pool (member of a type)",
      "a.rb:7 open? -> a.rb Pool.open? (typed receiver)",
      "a.rb:8 close! -> a.rb Pool.close! (typed receiver)",
      "a.rb:9 close -> a.rb Pool.close (typed receiver)",
      "a.rb:12 run! -> a.rb run! (same file)",
    ],
  ));

it("Kotlin: extension functions of generic types and labels resolve", () =>
  checkCalls(
    `//- a.kt
package shop
class Column<T> { fun own() {} }
class Other { fun wrap() {}; fun or() {} }
class Table {
    fun own() {}
    inner class Row {
        fun show() { this@Table.own() }
    }
}
fun <T> Column<T>.wrap(): Int = 1
fun <T> Column<in T>?.or() { with(1) { this@or.own() } }
fun run(column: Column<Int>) { column.wrap(); column.or() }
`,
    [
      "a.kt:7 own -> a.kt Table.own (member of a type)",
      "a.kt:11 own -> a.kt Column.own (own method)",
      "a.kt:12 wrap -> a.kt Column.wrap (typed receiver)",
      "a.kt:12 or -> a.kt Column.or (typed receiver)",
    ],
  ));

it("C#: extension methods resolve on a value and on their class", () =>
  checkCalls(
    `//- Extensions.cs
namespace Lib {
  public static class Extensions {
    public static int Verify<T>(this IResolver resolver, int n) { return Get() + Check(n); }
    private static int Check(int n) => n;
    private static int Get() => 1;
  }
  public interface IResolver { int Get(); }
}
//- Use.cs
using Lib;
namespace App {
  class Other { void Verify() {} }
  class User {
    IResolver field;
    void Run(IResolver given) { given.Verify<int>(1); this.field.Verify(2); Extensions.Verify(given, 1); }
  }
}
`,
    [
      "Extensions.cs:3 Get -> Extensions.cs Extensions.Get (own method)",
      "Extensions.cs:3 Check -> Extensions.cs Extensions.Check (own method)",
      "Use.cs:6 Verify -> Extensions.cs Extensions.Verify (typed receiver)",
      "Use.cs:6 Verify -> Extensions.cs Extensions.Verify (typed receiver)",
      "Use.cs:6 Verify -> Extensions.cs Extensions.Verify (member of a type)",
    ],
  ));

it("Scala: parameters of all parameter lists have types", () =>
  checkCalls(
    `//- a.scala
package shop
trait Pool { def open(): Int }
trait Other { def open(): Int }
class User {
  def run(pool: Pool)(by: Int => Int)(implicit other: Other): Int = { pool.open(); other.open() }
}
`,
    [
      "a.scala:5 open -> a.scala Pool.open (typed receiver)",
      "a.scala:5 open -> a.scala Other.open (typed receiver)",
    ],
  ));
