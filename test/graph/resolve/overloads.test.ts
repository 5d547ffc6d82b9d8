/** Overload resolution by labels in Swift, and by argument counts in Elixir, Java and C#. */

import { expect, it } from "vitest";
import { graphOf } from "../../support/graph.ts";

/** `line of the call -> line of the function`, from 1. */
async function linesOf(literal: string): Promise<string[]> {
  const graph = await graphOf(literal);
  const { project } = graph;
  return project.files.flatMap((file) =>
    graph
      .callsOf(file)
      .map(({ line, to }) => `${line + 1} -> ${(project.definition(to)?.line ?? -1) + 1}`),
  );
}

it("Swift overloads resolve by labels, default arguments and trailing blocks", async () => {
  const literal = `//- a.swift
class Request {
    func validate(_ check: (Int, Map<Int, Int>) -> Bool) {}
    func validate(status: [Int], name: String = "a, b") {}
    func retry(_ one: Int, for session: Int, using all: [Int]) {}
    func retry(_ one: Int, for session: Int) {}
    func add(_ all: Int..., last: Int) {}
    func stop(at time: Int? = nil, then done: () -> Void) {}
    func stop() {}
    init(a: Int) {}
    init(_ b: Int) { self.init(a: b) }
    func run() {
        validate(status: [1, 2])
        validate(status: [1, 2], name: ")")
        validate { $0 == $1.a }
        retry(f(1, 2), for: 1, using: [])
        retry(1, for: 2)
        add(1, 2, last: 3)
        add(1, 2)
        stop()
        stop { }
        stop(at: 1) { }
        again(true)
    }
}
extension Request {
    func validate() {}
    func again(_ one: Bool, two: Bool) {}
    func again(_ one: Bool) { validate() }
}
`;
  expect(await linesOf(literal)).toEqual(
    "10 -> 9,12 -> 3,13 -> 3,14 -> 2,15 -> 4,16 -> 5,17 -> 6,19 -> 8,20 -> 7,21 -> 7,22 -> 28,28 -> 26".split(
      ",",
    ),
  );
});

it("Elixir functions resolve by argument count", async () => {
  const literal = `//- a.ex
defmodule Shop do
  def open, do: open(1)
  def open(a), do: open(a, "x, y")
  def open(a, b) when is_list(a), do: a |> open(b, {1, 2})
  def open(a, %{b: <<_, c>>}, [d, e], f \\\\ 1, g \\\\ 2) do
    open a, b: 1, c: 2
    open a, fn x, y -> x end, 3
    open()
    Enum.map(a, &open/2)
    a
    |> open
    Shop.open(a, fn x, y -> x end, 1, 2)
    open a, b do
      1, 2
    end
  end
end
`;
  expect(await linesOf(literal)).toEqual(
    "2 -> 3,3 -> 4,4 -> 5,6 -> 4,7 -> 5,8 -> 2,9 -> 4,11 -> 3,12 -> 5,13 -> 5".split(","),
  );
});

it("Java overloads resolve by argument count", async () => {
  const literal = `//- A.java
class A {
  void put(Object a) { put(a, 1); }
  void put(Object a, int b) { put(a, b, 'c', ','); }
  void put(Map<String, List<Integer>> a, int b, char... all) {
    put("a, b", new HashMap<String, Integer>());
    this.put(f(1, 2));
    put(a < b, c > d, x);
    put((x, y) -> x, 1 /* , */);
    list.forEach(this::put);
  }
  A() { this(1); }
  A(int a) { new A(); new A(2) { void run() { g(1, 2); } }; }
}
`;
  expect(await linesOf(literal)).toEqual(
    "2 -> 3,3 -> 4,5 -> 3,6 -> 2,7 -> 4,8 -> 3,9 -> 2,11 -> 12,12 -> 11,12 -> 12".split(","),
  );
});

it("C# overloads resolve by argument count, with default arguments and extension methods", async () => {
  const literal = `//- A.cs
class A {
  void Put(object a) { Put(a, 1); }
  void Put(object a, int b, string c = "x, y") { Put(a, b, c, 1, 2); }
  void Put<T>(Func<int, T> a, int b, T c, params int[] all) {
    Put(1);
    Put<int>(a, 1, 2);
    this.Put(a => a == 1, new Dictionary<int, int>(), 3);
    Put(default, b: 1);
  }
}
static class Extensions {
  public static void Log(this A a, string text) { }
  public static void Log(this A a, string text, int level) { a.Log(text); a.Log(text, level); }
}
`;
  expect(await linesOf(literal)).toEqual(
    "2 -> 3,3 -> 4,5 -> 2,6 -> 3,7 -> 3,8 -> 3,13 -> 12,13 -> 13".split(","),
  );
});
