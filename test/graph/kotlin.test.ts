/** Kotlin: extension functions from several packages, nullable types, and interoperation with Java. */

import { it } from "vitest";
import { checkCalls } from "../support/graph.ts";

it("An imported extension function wins over others, but not over methods of the type", () =>
  checkCalls(
    `//- src/core/Table.kt
package core
class Table {
  fun drop() {}
}
//- src/jdbc/Queries.kt
package jdbc
import core.Table
fun Table.selectAll(): Int = 1
fun Table.drop(): Int = 1
//- src/r2dbc/Queries.kt
package r2dbc
import core.Table
fun Table.selectAll(): Int = 2
//- src/app/App.kt
package app
import core.Table
import jdbc.drop
import r2dbc.selectAll
fun run(table: Table) {
  table.selectAll()
  table.drop()
}
`,
    [
      "src/app/App.kt:6 selectAll -> src/r2dbc/Queries.kt Table.selectAll (imported name)",
      "src/app/App.kt:7 drop -> src/core/Table.kt Table.drop (typed receiver)",
    ],
  ));

it("Nullable types and lazy properties have types", () =>
  checkCalls(
    `//- q.kt
interface Quoter { fun quote(id: Int): Int }
class Service { fun go() {} }
class Cart(private val q: Quoter?, private val r: Quoter) {
  val x by lazy { Service() }
  val y by lazy(NONE) { Service() }
  private val z: Service? = null
  fun a() = q?.quote(1)
  fun b() { r.quote(2); x.go(); y.go(); z?.go(); z!!.go(); find()?.go() }
  fun find(): Service? = null
}
`,
    [
      "q.kt:4 Service -> q.kt Service (same file)",
      "q.kt:5 Service -> q.kt Service (same file)",
      "q.kt:7 quote -> q.kt Quoter.quote (typed receiver)",
      "q.kt:8 quote -> q.kt Quoter.quote (typed receiver)",
      "q.kt:8 go -> q.kt Service.go (typed receiver)",
      "q.kt:8 go -> q.kt Service.go (typed receiver)",
      "q.kt:8 go -> q.kt Service.go (typed receiver)",
      "q.kt:8 go -> q.kt Service.go (typed receiver)",
      "q.kt:8 go -> q.kt Service.go (typed receiver)",
      "q.kt:8 find -> q.kt Cart.find (own method)",
    ],
  ));

it("Extension functions of external types resolve if their package is visible", () =>
  checkCalls(
    `//- core/Added.kt
package core
fun Int.doubled() = this * 2
fun String.shout() = this
fun <T> T.also2() = this
//- app/App.kt
package app
import core.*
fun run(n: Int, text: String, other: Unknown) { n.doubled(); 3.doubled(); "a".shout(); text.also2(); other.doubled() }
//- other/Other.kt
package other
fun run(n: Int) { n.doubled() }
`,
    [
      "app/App.kt:3 doubled -> core/Added.kt Int.doubled (imported name)",
      "app/App.kt:3 doubled -> core/Added.kt Int.doubled (imported name)",
      "app/App.kt:3 shout -> core/Added.kt String.shout (imported name)",
      "app/App.kt:3 also2 -> core/Added.kt T.also2 (imported name)",
    ],
  ));

it("Java resolves objects and facade classes of Kotlin", () =>
  checkCalls(
    `//- shop/pools.kt
package shop
fun open(n: Int) = n
fun Int.doubled() = this * 2
object Wiring { fun wire() {} }
//- shop/Use.java
package shop;
class Use { void go() { PoolsKt.open(1); PoolsKt.doubled(3); Wiring.INSTANCE.wire(); OtherKt.open(1); } }
//- far/Far.java
package far;
import static shop.PoolsKt.open;
import shop.PoolsKt;
class Far { void go() { open(1); PoolsKt.doubled(3); } }
//- far/Wide.java
package far;
import static shop.PoolsKt.*;
class Wide { void go() { open(1); } }
`,
    [
      "far/Far.java:4 open -> shop/pools.kt open (imported name)",
      "far/Far.java:4 doubled -> shop/pools.kt Int.doubled (member of a module)",
      "far/Wide.java:3 open -> shop/pools.kt open (imported name)",
      "shop/Use.java:2 open -> shop/pools.kt open (member of a module)",
      "shop/Use.java:2 doubled -> shop/pools.kt Int.doubled (member of a module)",
      "shop/Use.java:2 wire -> shop/pools.kt Wiring.wire (typed receiver)",
    ],
  ));

it("A base with arguments calls its constructor", () =>
  checkCalls(
    `//- a.kt
interface Reader { fun read() {} }
open class Base(n: Int) { fun note() {} }
class Own(r: Reader) : Base(1), Reader by r
fun run(own: Own) { own.note(); own.read(); val one = object : Base(2) {} }
`,
    [
      "a.kt:3 Base -> a.kt Base (same file)",
      "a.kt:4 note -> a.kt Base.note (typed receiver)",
      "a.kt:4 read -> a.kt Reader.read (typed receiver)",
      "a.kt:4 Base -> a.kt Base (same file)",
    ],
  ));

it("An unbound name resolves to the only visible extension function", () =>
  checkCalls(
    `//- a.kt
package shop
fun String.lastBlank(start: Int) = 1
fun String.firstBlank(start: Int) = 1
fun List.firstBlank(start: Int) = 1
fun String.trimmed() = lastBlank(1) + firstBlank(2) + unknown(3)
//- b.kt
package other
fun String.trimmed() = lastBlank(1)
`,
    ["a.kt:5 lastBlank -> a.kt String.lastBlank (imported name)"],
  ));
