/** Members of exported objects, of inline `require`, of global tables in Lua, and of called objects in PHP. */

import { describe, it } from "vitest";
import { checkCalls } from "../support/graph.ts";

describe("an object that is exported", () => {
  it("resolves to the functions that it refers to, and to its methods", () =>
    checkCalls(
      `//- a.js
import utils from "./utils.js";
import { named } from "./utils.js";
utils.isArray(1);
utils.renamed();
utils.inside();
named.isArray();
named.other();
//- utils.js
function isArray() {}
function renamedLater() {}
export const named = { isArray, other: renamedLater };
export default { isArray, renamed: renamedLater, inside: () => 2 };
`,
      [
        "a.js:3 isArray -> utils.js isArray (typed receiver)",
        "a.js:4 renamed -> utils.js renamedLater (typed receiver)",
        "a.js:5 inside -> utils.js default.inside (typed receiver)",
        "a.js:6 isArray -> utils.js isArray (typed receiver)",
        "a.js:7 other -> utils.js renamedLater (typed receiver)",
      ],
    ));
});

describe("an inline `require`", () => {
  it("resolves in JavaScript", () =>
    checkCalls(
      `//- a.js
const Pool = require("./pool").Pool;
new Pool();
require("./pool").open();
//- pool.js
class Pool {}
function open() {}
module.exports = { Pool, open };
//- other.js
function open() {}
exports.open = open;
`,
      [
        "a.js:2 Pool -> pool.js Pool (same file)",
        "a.js:3 open -> pool.js open (member of a module)",
      ],
    ));
  it("resolves in Lua, with and without parentheses", () =>
    checkCalls(
      `//- a.lua
require("shop.pool").open()
local name = require "shop.pool".close()
//- shop/pool.lua
local M = {}
function M.open() end
function M.close() end
return M
//- shop/door.lua
local M = {}
function M.open() end
return M
`,
      [
        "a.lua:1 open -> shop/pool.lua M.open (member of a module)",
        "a.lua:2 close -> shop/pool.lua M.close (member of a module)",
      ],
    ));
});

describe("an unbound name of Lua", () => {
  it("belongs to the host program, even if one file has a function of the name", () =>
    checkCalls(
      `//- a.lua
local timer = require("timer")
vim.schedule()
local loop = vim.uv
loop.schedule()
function run(given) given.schedule() end
//- timer.lua
local M = {}
function M.schedule() end
return M
`,
      ["a.lua:5 schedule -> timer.lua M.schedule (only method of that name)"],
    ));
  it("resolves to the global table of the name, if one file defines it", () =>
    checkCalls(
      `//- main.lua
Player.jump()
Level.load()
//- player.lua
Player = {}
function Player.jump() end
//- one.lua
Level = {}
function Level.load() end
//- two.lua
Level = {}
function Level.load() end
`,
      ["main.lua:1 jump -> player.lua Player.jump (member of a type)"],
    ));
});

it("PHP: calling an object calls `__invoke`", () =>
  checkCalls(
    `//- a.php
<?php
class Retry {
    public function __construct() {}
    public function __invoke($x) { return $x; }
    public function again($x) { return $this($x); }
}
class Plain {
    public function __construct() {}
    public function again($x) { return $this($x); }
}
`,
    ["a.php:5 this -> a.php Retry.__invoke (own method)"],
  ));
