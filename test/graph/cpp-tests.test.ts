/** Calls in C++ tests: macros that define functions, and overloads in several headers. */

import { expect, it } from "vitest";
import { callsIn, checkCalls, graphOf } from "../support/graph.ts";

it("A function without a type is a macro that defines one, in the class of its first argument", () =>
  checkCalls(
    `//- check.h
#define TEST(suite, name) void suite##name()
#define TEST_F(fixture, name) void fixture##name()
//- test.cc
#include "check.h"
class PoolTest {
 public:
  PoolTest() { fill(); }
  void fill() {}
  int size() { return 1; }
};
void free_one() {}
TEST(Other, Opens) { free_one(); size(); }
TEST_F(PoolTest, Closes) {
  fill();
  this->size();
}
namespace deep {
TEST(Other, Deep) { free_one(); }
}
`,
    [
      "test.cc:4 fill -> test.cc PoolTest.fill (own method)",
      "test.cc:9 TEST -> check.h TEST (imported name)",
      "test.cc:9 free_one -> test.cc free_one (same file)",
      "test.cc:10 TEST_F -> check.h TEST_F (imported name)",
      "test.cc:11 fill -> test.cc PoolTest.fill (own method)",
      "test.cc:12 size -> test.cc PoolTest.size (own method)",
      "test.cc:15 TEST -> check.h TEST (imported name)",
      "test.cc:15 free_one -> test.cc free_one (same file)",
    ],
  ));

it("Overloads in several files have a lower confidence than overloads in one", async () => {
  const graph = await graphOf(`//- a.h
namespace net { int open(int a) { return a; } int close(int a) { return a; } int close(char a) { return a; } }
//- b.h
namespace net { int open(char a) { return a; } }
//- main.cc
#include "a.h"
#include "b.h"
int main() { return net::open(1) + net::close(2); }
`);
  expect(callsIn(graph)).toHaveLength(2);
  const calls = graph.callsOf(graph.project.find("main.cc") ?? -1);
  const [open, close] = calls.map(({ confidence }) => confidence);
  expect(open).toBe(0.5);
  expect(close).toBeGreaterThan(0.9);
});
