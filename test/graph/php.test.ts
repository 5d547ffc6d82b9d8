/** PHP calls by qualified names, and by names that begin with an imported namespace. */

import { it } from "vitest";
import { checkCalls } from "../support/graph.ts";

it("Qualified functions and classes resolve", () =>
  checkCalls(
    `//- src/functions.php
<?php
namespace Shop;
function choose() {}
//- src/Db/Factory.php
<?php
namespace Shop\\Db;
class Factory { public static function finish() { namespace\\close(); } public function open() {} }
function close() {}
//- src/Http/Controllers/Home.php
<?php
namespace App\\Http\\Controllers;
class Home { public static function show() {} }
//- tests/run.php
<?php
namespace Shop\\Tests;
use Shop;
use Shop\\Db;
function run() {
    Shop\\choose();
    \\Shop\\choose();
    Db\\Factory::finish();
    (new Db\\Factory())->open();
    \\Shop\\Db\\Factory::finish();
    \\App\\Http\\Controllers\\Home::show();
    \\strlen("Shop\\choose()");
    Shop\\Other::finish();
    Unknown\\Factory::finish();
}
`,
    [
      "src/Db/Factory.php:3 close -> src/Db/Factory.php close (same file)",
      "tests/run.php:6 choose -> src/functions.php choose (member of a module)",
      "tests/run.php:7 choose -> src/functions.php choose (member of a module)",
      "tests/run.php:8 finish -> src/Db/Factory.php Factory.finish (member of a type)",
      "tests/run.php:9 open -> src/Db/Factory.php Factory.open (typed receiver)",
      "tests/run.php:9 Factory -> src/Db/Factory.php Factory (member of a module)",
      "tests/run.php:10 finish -> src/Db/Factory.php Factory.finish (member of a type)",
      "tests/run.php:11 show -> src/Http/Controllers/Home.php Home.show (member of a type)",
    ],
  ));

it("Promoted constructor parameters have types, including nullable types", () =>
  checkCalls(
    `//- a.php
<?php
class Repo { public function send() {} }
class Other { public function send() {} }
class Field { private ?Repo $repo = null; function go() { $this->repo?->send(); } }
class Promoted {
    function __construct(private ?Repo $repo, protected readonly Repo $two, public $limit = 3) {}
    function go() { $this->repo?->send(); $this->two->send(); }
}
`,
    [
      "a.php:4 send -> a.php Repo.send (typed receiver)",
      "a.php:7 send -> a.php Repo.send (typed receiver)",
      "a.php:7 send -> a.php Repo.send (typed receiver)",
    ],
  ));

it("A partially qualified name resolves below the namespace of the file first", () =>
  checkCalls(
    `//- src/Factory.php
<?php
namespace Shop;
class Factory { function make() { new Db\\Pool(); } }
//- src/Db/Pool.php
<?php
namespace Shop\\Db;
class Pool {}
//- other/Db/Pool.php
<?php
namespace Db;
class Pool {}
`,
    ["src/Factory.php:3 Pool -> src/Db/Pool.php Pool (member of a module)"],
  ));
