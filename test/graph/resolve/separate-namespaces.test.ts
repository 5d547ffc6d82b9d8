/** Calls of functions that share their name with a variable, in languages with separate namespaces. */

import { describe, it } from "vitest";
import { checkCalls } from "../../support/graph.ts";

describe("a variable with the name of a function", () => {
  it("does not shadow a Java method, as a local or as a field", () =>
    checkCalls(
      `//- src/Base.java
class Base { Pool make() { return null; } void go() {} }
//- src/Pool.java
import static Tools.of;
class Pool extends Base {
  int go;
  int size() { return 1; }
  int first() { int size = size(); return size; }
  int second(int size) { return size(); }
  void third() { var make = make(); make.size(); make().size(); }
  void fourth() { Pool of = of(); go(); Runnable size = () -> size(); }
}
class Box { int size; class Lid { int open; int run() { return open(); } } int open() { return 1; } }
record Point(int x) { int twice(int x) { return x(); } }
//- src/Tools.java
class Tools { static Pool of() { return null; } }
`,
      [
        "src/Pool.java:5 size -> src/Pool.java Pool.size (own method)",
        "src/Pool.java:6 size -> src/Pool.java Pool.size (own method)",
        "src/Pool.java:7 make -> src/Base.java Base.make (inherited)",
        "src/Pool.java:7 size -> src/Pool.java Pool.size (typed receiver)",
        "src/Pool.java:7 size -> src/Pool.java Pool.size (typed receiver)",
        "src/Pool.java:7 make -> src/Base.java Base.make (inherited)",
        "src/Pool.java:8 of -> src/Tools.java Tools.of (imported name)",
        "src/Pool.java:8 go -> src/Base.java Base.go (inherited)",
        "src/Pool.java:8 size -> src/Pool.java Pool.size (own method)",
        "src/Pool.java:10 open -> src/Pool.java Box.open (own method)",
        "src/Pool.java:11 x -> src/Pool.java Point.x (own method)",
      ],
    ));

  it("does not shadow a PHP function, and can be called itself", () =>
    checkCalls(
      `//- pool.php
<?php
function size() { return 1; }
function first($size) { $make = size(); $size(); return size(); }
class Base { function go() {} function __invoke() { $this(1); } }
class Pool extends Base { public $go; function run() { $this->go(); } }
`,
      [
        "pool.php:3 size -> pool.php size (same file)",
        "pool.php:3 size -> pool.php size (same file)",
        "pool.php:4 this -> pool.php Base.__invoke (own method)",
        "pool.php:5 go -> pool.php Base.go (inherited)",
      ],
    ));

  it("does not shadow a Ruby method that is called with parentheses", () =>
    checkCalls(
      `//- pool.rb
class Pool
  def size; 1; end
  def first
    size = size()
    size
  end
  def second(size)
    size() + size
  end
end
`,
      [
        "pool.rb:4 size -> pool.rb Pool.size (own method)",
        "pool.rb:8 size -> pool.rb Pool.size (own method)",
      ],
    ));

  it("shadows the function in other languages", () =>
    checkCalls(
      `//- pool.ts
function size() { return 1; }
export function first(size: () => number) { return size(); }
`,
      [],
    ));
});
