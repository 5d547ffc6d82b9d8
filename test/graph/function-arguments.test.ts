/** Functions that are passed as arguments: method references, and names of functions. */

import { it } from "vitest";
import { checkCalls } from "../support/graph.ts";

it.each([
  [
    "Java",
    `//- Shop.java
class Shop {
  int open(int n) { return n; }
  void run(Shop other) { map(this::open); map(other::open); map(Shop::new); map(String::length); }
}
`,
    [
      "Shop.java:3 open -> Shop.java Shop.open (own method, passed as an argument)",
      "Shop.java:3 open -> Shop.java Shop.open (typed receiver, passed as an argument)",
      "Shop.java:3 Shop -> Shop.java Shop (same file, passed as an argument)",
    ],
  ],
  [
    "Kotlin",
    `//- shop.kt
class Shop { fun open(n: Int) = n }
val size = 1
fun run(shop: Shop) { map(::run); map(shop::open); map(Shop::open); map(Shop::class) }
`,
    [
      "shop.kt:3 run -> shop.kt run (same file, passed as an argument)",
      "shop.kt:3 open -> shop.kt Shop.open (typed receiver, passed as an argument)",
      "shop.kt:3 open -> shop.kt Shop.open (member of a type, passed as an argument)",
    ],
  ],
  [
    "Go",
    `//- shop.go
package shop
type Shop struct{ size int }
func (s *Shop) open() {}
func double(n int) int { return n }
var limit = 3
type Kind int
func run(s *Shop, other int) { Map(double, s.open); Map(limit, other, s.size, Kind); x := Command{Run: double} }
func hides(double int) { Map(double) }
`,
    [
      "shop.go:7 double -> shop.go double (same file, passed as an argument)",
      "shop.go:7 open -> shop.go Shop.open (typed receiver, passed as an argument)",
      "shop.go:7 double -> shop.go double (same file, passed as an argument)",
    ],
  ],
  [
    "Rust",
    `//- src/lib.rs
pub struct Shop { size: u8 }
impl Shop { fn open(n: u8) {} fn all(&self) { self.map(Self::open); } }
fn double(n: u8) {}
const LIMIT: u8 = 3;
pub fn run(v: V, other: u8) { v.map(double).map(Shop::open).map(other).map(LIMIT); }
fn hides(double: u8) { run(double); }
`,
    [
      "src/lib.rs:2 open -> src/lib.rs Shop.open (member of a type, passed as an argument)",
      "src/lib.rs:5 double -> src/lib.rs double (same file, passed as an argument)",
      "src/lib.rs:5 open -> src/lib.rs Shop.open (member of a type, passed as an argument)",
      "src/lib.rs:6 run -> src/lib.rs run (same file)",
    ],
  ],
])(
  "A function that is passed as an argument in %s counts as a call, other values do not",
  (_, literal, expected) => checkCalls(literal, expected),
);
