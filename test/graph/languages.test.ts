/** Imports and calls of the languages whose resolution was not measured against a compiler. */

import { describe, expect, it } from "vitest";
import { callsIn, graphOf, importsIn } from "../support/graph.ts";

interface Expected {
  readonly imports?: readonly string[];
  readonly calls?: readonly string[];
}

async function check(literal: string, { imports = [], calls = [] }: Expected): Promise<void> {
  const graph = await graphOf(literal);
  expect({ imports: importsIn(graph), calls: callsIn(graph) }).toEqual({ imports, calls });
}

describe("C#", () => {
  it("Classes of used, own and enclosing namespaces resolve", () =>
    check(
      `//- Db/Pool.cs
namespace Shop.Db { public class Pool : Base { public int Open(int n) { return Limit(); } } }
//- Db/Base.cs
namespace Shop.Db;
public class Base { public int Limit() { return 1; } }
//- Text.cs
namespace Shop { static class Text { public static string Trim(string s) { return s; } } }
//- Web/Cart.cs
using System.Linq;
using Shop.Db;
namespace Shop.Web { class Cart { int Total() { var pool = new Pool(); Text.Trim(""); return pool.Open(1); } } }
`,
      {
        imports: ["Web/Cart.cs -> Db/Pool.cs"],
        calls: [
          "Db/Pool.cs:1 Limit -> Db/Base.cs Base.Limit (inherited)",
          "Web/Cart.cs:3 Pool -> Db/Pool.cs Pool (imported name)",
          "Web/Cart.cs:3 Trim -> Text.cs Text.Trim (member of a type)",
          "Web/Cart.cs:3 Open -> Db/Pool.cs Pool.Open (typed receiver)",
        ],
      },
    ));
});

describe("Kotlin and Scala", () => {
  it("A property that does not hold a function is not called", () =>
    check(
      `//- a.kt
package shop
open class Table {
    var count: Int = 0
    fun text(name: String): Column = Column()
}
fun Table.count() {}
class Column { fun nullable() {} }
class Users : Table() {
    val text = text("a").nullable()
    val done: () -> Unit = {}
    val size: Int = 1
    fun run() {
        done()
        size(1)
    }
}
fun main(users: Users) { users.count() }
`,
      {
        calls: [
          "a.kt:4 Column -> a.kt Column (same file)",
          "a.kt:8 Table -> a.kt Table (same file)",
          "a.kt:9 nullable -> a.kt Column.nullable (typed receiver)",
          "a.kt:9 text -> a.kt Table.text (own method)",
          "a.kt:13 done -> a.kt Users.done (own method)",
          "a.kt:17 count -> a.kt Table.count (typed receiver)",
        ],
      },
    ));

  it("Companions, anonymous objects, and functions with the name of a local resolve", () =>
    check(
      `//- shop/Path.kt
package shop
open class Factory { fun make() {} }
interface Source { fun read() }
class Path {
    fun name() {}
    companion object : Factory() {
        fun String.toPath(): Path = Path()
        fun root(): Path = Path()
    }
    fun up() { root().name() }
    fun open() = object : Source {
        override fun read() { help(); up() }
        fun help() {}
    }
    fun help() {}
    fun size(n: Int): Path {
        val size = size(n)
        size.name()
    }
}
//- app/Main.kt
package app
import shop.Path
import shop.Path.Companion.toPath
fun main() { "a".toPath().name(); Path.root(); Path.make() }
`,
      {
        imports: ["app/Main.kt -> shop/Path.kt", "app/Main.kt -> shop/Path.kt"],
        calls: [
          "app/Main.kt:4 name -> shop/Path.kt Path.name (typed receiver)",
          "app/Main.kt:4 toPath -> shop/Path.kt Path.Companion.String.toPath (imported name)",
          "app/Main.kt:4 root -> shop/Path.kt Path.Companion.root (member of a type)",
          "app/Main.kt:4 make -> shop/Path.kt Factory.make (member of a type)",
          "shop/Path.kt:6 Factory -> shop/Path.kt Factory (same file)",
          "shop/Path.kt:7 Path -> shop/Path.kt Path (same file)",
          "shop/Path.kt:8 Path -> shop/Path.kt Path (same file)",
          "shop/Path.kt:10 name -> shop/Path.kt Path.name (typed receiver)",
          "shop/Path.kt:10 root -> shop/Path.kt Path.Companion.root (own method)",
          "shop/Path.kt:12 up -> shop/Path.kt Path.up (own method)",
          "shop/Path.kt:17 size -> shop/Path.kt Path.size (own method)",
          "shop/Path.kt:18 name -> shop/Path.kt Path.name (typed receiver)",
        ],
      },
    ));

  it("Aliases, wildcards and classes of Java resolve", () =>
    check(
      `//- shop/Cart.kt
package shop
import shop.db.Pool as Connections
import shop.text.*
class Cart(val pool: Connections) {
    fun total(): Int { trim(); return pool.open() }
}
//- shop/db/Pool.java
package shop.db;
public class Pool { public int open() { return 1; } }
//- shop/text/Text.kt
package shop.text
fun trim(): Int = 1
`,
      {
        imports: ["shop/Cart.kt -> shop/db/Pool.java", "shop/Cart.kt -> shop/text/Text.kt"],
        calls: [
          "shop/Cart.kt:5 trim -> shop/text/Text.kt trim (imported name)",
          "shop/Cart.kt:5 open -> shop/db/Pool.java Pool.open (typed receiver)",
        ],
      },
    ));
  it("Extension functions resolve by type or by import, on every platform", () =>
    check(
      `//- common/shop/Pool.kt
package shop
expect class Pool
//- jvm/shop/Pool.kt
package shop
import shop.internal.commonOpen
actual class Pool { fun open() = commonOpen() }
//- common/shop/internal/Pool.kt
package shop.internal
import shop.Pool
inline fun Pool.commonOpen(): Int = 1
inline fun String.toPool(): Pool = Pool()
//- common/shop/internal/Queue.kt
package shop.internal
import shop.Queue
fun Queue.commonOpen(): Int = 2
//- app/Main.kt
package app
import shop.Pool
import shop.internal.*
import shop.internal.toPool
fun main(pool: Pool) {
    pool.commonOpen()
    "a".toPool()
    "a".commonOpen()
}
`,
      {
        imports: [
          "app/Main.kt -> common/shop/Pool.kt",
          "app/Main.kt -> jvm/shop/Pool.kt",
          "app/Main.kt -> common/shop/internal/Pool.kt",
          "app/Main.kt -> common/shop/internal/Pool.kt",
          "common/shop/internal/Pool.kt -> common/shop/Pool.kt",
          "jvm/shop/Pool.kt -> common/shop/internal/Pool.kt",
        ],
        calls: [
          "app/Main.kt:6 commonOpen -> common/shop/internal/Pool.kt Pool.commonOpen (typed receiver)",
          "app/Main.kt:7 toPool -> common/shop/internal/Pool.kt String.toPool (imported name)",
          "common/shop/internal/Pool.kt:4 Pool -> common/shop/Pool.kt Pool (imported name)",
          "jvm/shop/Pool.kt:3 commonOpen -> common/shop/internal/Pool.kt Pool.commonOpen (own method)",
        ],
      },
    ));
  it("Import selectors of Scala resolve", () =>
    check(
      `//- Cart.scala
package shop
import shop.db.{Pool => Connections, Limit}
class Cart(pool: Connections) { def total(): Int = pool.open(Limit.most()) }
//- db.scala
package shop.db
class Pool { def open(n: Int): Int = n }
object Limit { def most(): Int = 1 }
`,
      {
        imports: ["Cart.scala -> db.scala", "Cart.scala -> db.scala"],
        calls: [
          "Cart.scala:3 open -> db.scala Pool.open (typed receiver)",
          "Cart.scala:3 most -> db.scala Limit.most (member of a type)",
        ],
      },
    ));
});

describe("PHP", () => {
  it("Types in doc comments are read for undeclared types, including qualified names and `$this`", () =>
    check(
      `//- src/Table.php
<?php
namespace Shop\\Db;
class Table {
    /** @return $this */
    public function name() { return $this; }
    public function __call($method, $arguments) { return 1; }
}
class Wide extends Table { public function wide() {} }
class Row { public function only() {} }
//- src/Run.php
<?php
namespace Shop\\App;
use Shop\\Db\\Wide;
class Run {
    /**
     * The tables.
     *
     * @var array<string, \\Shop\\Db\\Wide>
     */
    protected array $tables;
    /**
     * @param  \\Shop\\Db\\Row|null  $row
     * @param  list<Wide>  $all
     * @return Wide
     */
    #[Deprecated]
    public static function first($row, array $all) {
        $row->only();
        foreach ($all as $one) $one->wide();
        /** @var Wide $made */
        $made = make();
        return $made->name()->wide();
    }
    public function go() {
        foreach ($this->tables as $table) $table->name();
        self::first(null, [])->wide();
        self::first(null, [])->only();
    }
}
`,
      {
        imports: ["src/Run.php -> src/Table.php"],
        calls: [
          "src/Run.php:18 only -> src/Table.php Row.only (typed receiver)",
          "src/Run.php:19 wide -> src/Table.php Wide.wide (typed receiver)",
          "src/Run.php:22 wide -> src/Table.php Wide.wide (typed receiver)",
          "src/Run.php:22 name -> src/Table.php Table.name (typed receiver)",
          "src/Run.php:25 name -> src/Table.php Table.name (typed receiver)",
          "src/Run.php:26 wide -> src/Table.php Wide.wide (typed receiver)",
          "src/Run.php:26 first -> src/Run.php Run.first (own method)",
          "src/Run.php:27 only -> src/Table.php Row.only (only method of that name)",
          "src/Run.php:27 first -> src/Run.php Run.first (own method)",
        ],
      },
    ));

  it("Closure parameters, `foreach` values and global functions resolve", () =>
    check(
      `//- src/Table.php
<?php
namespace Shop;
class Table { public function add(): Column { return new Column(); } }
class Column { public function hide() {} }
//- src/helpers.php
<?php
function collect($items) { return $items; }
//- src/Run.php
<?php
namespace Shop\\App;
use Shop\\Table;
use Shop\\Column;
function hide(Column ...$all) {
    make(function (Table $table) { $table->add()->hide(); });
    $one = fn (Column $column) => $column->hide();
    foreach ($all as $each) { $each->hide(); }
    foreach ($all as $key => $other) { $other->hide(); }
    collect($all);
}
`,
      {
        imports: ["src/Run.php -> src/Table.php", "src/Run.php -> src/Table.php"],
        calls: [
          "src/Run.php:6 hide -> src/Table.php Column.hide (typed receiver)",
          "src/Run.php:6 add -> src/Table.php Table.add (typed receiver)",
          "src/Run.php:7 hide -> src/Table.php Column.hide (typed receiver)",
          "src/Run.php:8 hide -> src/Table.php Column.hide (typed receiver)",
          "src/Run.php:9 hide -> src/Table.php Column.hide (typed receiver)",
          "src/Run.php:10 collect -> src/helpers.php collect (imported name)",
          "src/Table.php:3 Column -> src/Table.php Column (same file)",
        ],
      },
    ));

  it("Classes resolve by namespace, with aliases and groups", () =>
    check(
      `//- src/Cart.php
<?php
namespace Shop;
use Shop\\Db\\{Pool, Limit as Most};
require_once __DIR__ . '/functions.php';
class Cart extends Base {
    private Pool $pool;
    public function total(): int { Most::of(); $this->price(); return $this->pool->open(1); }
}
//- src/Base.php
<?php
namespace Shop;
class Base { public function price() {} }
//- src/Db/Pool.php
<?php
namespace Shop\\Db;
class Pool { public function open(int $n) { return $n; } }
//- src/Db/Limit.php
<?php
namespace Shop\\Db;
class Limit { public static function of() {} }
//- src/functions.php
`,
      {
        imports: [
          "src/Cart.php -> src/Db/Pool.php",
          "src/Cart.php -> src/Db/Limit.php",
          "src/Cart.php -> src/functions.php",
        ],
        calls: [
          "src/Cart.php:7 of -> src/Db/Limit.php Limit.of (member of a type)",
          "src/Cart.php:7 price -> src/Base.php Base.price (inherited)",
          "src/Cart.php:7 open -> src/Db/Pool.php Pool.open (typed receiver)",
        ],
      },
    ));
});

describe("Ruby", () => {
  it("Required files and constants of enclosing modules resolve", () =>
    check(
      `//- lib/shop.rb
require "shop/cart"
require_relative "shop/db/pool"
require "json"
//- lib/shop/cart.rb
module Shop
  class Cart < Base
    def initialize
      @pool = Db::Pool.new(1)
    end
    def total
      price(1)
      @pool.open(2)
    end
  end
end
//- lib/shop/base.rb
module Shop
  class Base
    def price(n); n; end
  end
end
//- lib/shop/db/pool.rb
module Shop
  module Db
    class Pool
      def initialize(size); end
      def open(n); n; end
    end
  end
end
`,
      {
        imports: ["lib/shop.rb -> lib/shop/cart.rb", "lib/shop.rb -> lib/shop/db/pool.rb"],
        calls: [
          "lib/shop/cart.rb:4 new -> lib/shop/db/pool.rb Shop.Db.Pool.initialize (member of a type)",
          "lib/shop/cart.rb:7 price -> lib/shop/base.rb Shop.Base.price (inherited)",
          "lib/shop/cart.rb:8 open -> lib/shop/db/pool.rb Shop.Db.Pool.open (typed receiver)",
        ],
      },
    ));
});
