/** Scala calls in anonymous classes. */

import { it } from "vitest";
import { checkCalls } from "../support/graph.ts";

it("An anonymous class inherits members of each of its types", () =>
  checkCalls(
    `//- Encoder.scala
package shop
trait Encoder[A] { def encodeAll(a: A): Int = 1 }
trait Sum { def isSum(a: Int): Boolean = true }
class Plain(size: Int) { def count(a: Int): Int = a }
object Encoder {
  def make[A](a: A): Encoder[A] =
    new Encoder[A] with Sum {
      def first(b: Int) = encodeAll(a)
      def second = isSum(1)
    }
  val plain = new Plain(1) { val most = count(2) }
}
`,
    [
      "Encoder.scala:8 encodeAll -> Encoder.scala Encoder.encodeAll (inherited)",
      "Encoder.scala:9 isSum -> Encoder.scala Sum.isSum (inherited)",
      "Encoder.scala:11 Plain -> Encoder.scala Plain (same file)",
      "Encoder.scala:11 count -> Encoder.scala Plain.count (inherited)",
    ],
  ));
