/** Imports of each language, and paths in configuration and prose. */

import { expect, it } from "vitest";
import { decodeFacts } from "../../../server/contracts/encoded-facts.ts";
import { factsOf } from "../../support/graph.ts";

/** `line kind module {name as alias}` with 1-based lines; `*` is a whole module. */
it.each<[path: string, text: string, imports: readonly string[]]>([
  [
    "a.ts",
    'import D, { a, b as c, type E } from "./one";',
    ["1 import ./one {default as D, a, b as c, E}"],
  ],
  ["a.ts", 'import type F from "./one";', ["1 type ./one {default as F}"]],
  ["a.ts", 'import type { G } from "./one";', ["1 type ./one {G}"]],
  ["a.ts", 'import type from "./one";', ["1 import ./one {default as type}"]],
  ["a.ts", 'import * as ns from "./one";', ["1 import ./one {* as ns}"]],
  ["a.ts", 'import D, * as ns from "./one";', ["1 import ./one {default as D, * as ns}"]],
  ["a.ts", 'import "./one";', ["1 sideEffect ./one"]],
  ["a.ts", 'import one = require("./one");', ["1 import ./one {* as one}"]],
  ["a.ts", 'import {\n  a, // why\n  /* b, */ c,\n} from "./one";', ["1 import ./one {a, c}"]],
  ["a.ts", 'export * from "./one";', ["1 wildcardReexport ./one"]],
  ["a.ts", 'export * as ns from "./one";', ["1 reexport ./one {* as ns}"]],
  ["a.ts", 'export { a, b as default } from "./one";', ["1 reexport ./one {a, b as default}"]],
  ["a.ts", 'export type { T } from "./one";', ["1 reexport ./one {T}"]],
  ["a.ts", "const x = 1;\nexport { x as y };", ["2 reexport  {x as y}"]],
  ["a.ts", "const x = 1;\nexport default x;", ["2 reexport  {x as default}"]],
  [
    "a.ts",
    'const load = async () => { const { a, b: c } = await import("./one"); };',
    ["1 dynamic ./one {a, b as c}"],
  ],
  [
    "a.ts",
    'const load = async () => { const all = await import("./one"); };',
    ["1 dynamic ./one {* as all}"],
  ],
  ["a.ts", "const load = (name) => import(`./${name}`);", []],
  ["a.js", 'const one = require("./one");', ["1 dynamic ./one {* as one}"]],
  ["a.js", 'const { a, b: c } = require("./one");', ["1 dynamic ./one {a, b as c}"]],
  ["a.js", 'require("./one");', ["1 dynamic ./one {* as require____one__}"]],
  ["a.js", "module.exports = { a, b: c, d() {} };", ["1 reexport  {a, c as b}"]],
  ["a.py", "import os", ["1 import os"]],
  ["a.py", "import os.path as p, sys", ["1 import os.path {* as p}", "1 import sys"]],
  ["a.py", "from . import a, b as c", ["1 import . {a, b as c}"]],
  ["a.py", "from .one import(a, b)", ["1 import .one {a, b}"]],
  ["a.py", "from .import a", ["1 import . {a}"]],
  ["a.py", "from .one import*", ["1 wildcard .one"]],
  [
    "a.py",
    "from ..pkg.mod import (\n    a,  # why\n    b as c,\n)",
    ["1 import ..pkg.mod {a, b as c}"],
  ],
  ["a.py", "from one import *", ["1 wildcard one"]],
  ["a.py", "from one import a, \\\n    b", ["1 import one {a, b}"]],
  ["a.go", 'package a\nimport "fmt"', ["2 import fmt {* as }"]],
  [
    "a.go",
    'package a\nimport (\n\tf "fmt"\n\t_ "embed"\n\t. "math"\n)',
    ["3 import fmt {* as f}", "4 sideEffect embed", "5 wildcard math"],
  ],
  [
    "A.java",
    "import a.b.C;\nimport static a.b.C.run;\nimport a.b.*;\nclass A {}",
    ["1 import a.b.C {* as C}", "2 import a.b.C.run {* as run}", "3 wildcard a.b"],
  ],
  [
    "a.kt",
    "import a.b.C\nimport a.b.D as E\nimport a.b.*",
    ["1 import a.b.C {* as C}", "2 import a.b.D {* as E}", "3 wildcard a.b"],
  ],
  [
    "a.scala",
    "import a.b.{C, D => E, F => _, _}\nimport g.h._\nimport i.J",
    [
      "1 import a.b.C {* as C}",
      "1 import a.b.D {* as E}",
      "1 wildcard a.b",
      "2 wildcard g.h",
      "3 import i.J {* as J}",
    ],
  ],
  ["a.rs", "use a::b;", ["1 import a::b {* as b}"]],
  [
    "a.rs",
    "pub use a::{b, c as d, e::*, self};",
    [
      "1 reexport a::b {* as b}",
      "1 reexport a::c {* as d}",
      "1 wildcardReexport a::e",
      "1 reexport a {* as a}",
    ],
  ],
  [
    "a.rs",
    "mod pool;\npub(crate) mod shop;",
    ["1 module pool {* as pool}", "2 module shop {* as shop}"],
  ],
  ["a.rs", "extern crate serde as s;", ["1 import ::serde {* as s}"]],
  ["a.rs", "use a::*;", ["1 wildcard a"]],
  [
    "a.rs",
    `use ${"a::{".repeat(8)}b, ${"}".repeat(8)};`,
    [`1 import ${"a::".repeat(8)}b {* as b}`],
  ],
  ["a.rs", `use { c, ${"a::{".repeat(8)}b${"}".repeat(8)} };`, ["1 import c {* as c}"]],
  [
    "a.rs",
    "use a::{b::{c, d}, e};",
    ["1 import a::b::c {* as c}", "1 import a::b::d {* as d}", "1 import a::e {* as e}"],
  ],
  [
    "a.c",
    '#include "pool.h"\n#include <stdio.h>\n#include <x/y.hpp>\n',
    ["1 include pool.h", "2 systemInclude stdio.h", "3 systemInclude x/y.hpp"],
  ],
  ["a.cpp", "#include <x/y.hpp>\n", ["1 systemInclude x/y.hpp"]],
  [
    "a.cs",
    "using A.B;\nusing C = A.D;\nusing static A.E;\nglobal using A.F;",
    ["1 wildcard A.B", "2 import A.D {* as C}", "3 wildcard A.E", "4 wildcard A.F"],
  ],
  [
    "a.rb",
    'require "json"\nrequire_relative "pool"\nrequire_relative "../shop"\nload "x.rb"',
    ["1 include json", "2 include ./pool", "3 include ../shop", "4 include x.rb"],
  ],
  [
    "a.lua",
    'local pool = require("lib.pool")\nrequire "shop"',
    ["1 import lib.pool {* as pool}", "2 dynamic shop {* as require__shop_}"],
  ],
  [
    "a.php",
    "<?php\nuse A\\B;\nuse A\\{C, D as E};\nuse function A\\run;\nrequire_once __DIR__ . '/pool.php';\ninclude 'lib/x.php';",
    [
      "2 import A.B {* as B}",
      "3 import A.C {* as C}",
      "3 import A.D {* as E}",
      "4 import A.run {* as run}",
      "5 include ./pool.php",
      "6 include ./lib/x.php",
    ],
  ],
  [
    "a.md",
    '[a](./b.md) [c](d%20e.md#x) [f](https://x.y) [g](%zz.md)\n\n[ref]: ../h.md "title"\n![i](/i.png)',
    [
      "1 include ./b.md",
      "1 include ./d e.md",
      "1 include ./%zz.md",
      "3 include ../h.md",
      "4 include /i.png",
    ],
  ],
  [
    "Dockerfile",
    "FROM node:20 AS build\nCOPY --from=build /a /b\nCOPY a.txt b/ /app/\nADD *.tgz /x\nCOPY . .\nFROM build",
    ["1 include node:20", "3 include ./a.txt", "3 include ./b/"],
  ],
  [
    "main.tf",
    'module "a" {\n  source = "./mod"\n}\nmodule "b" {\n  source = "x/y/z"\n}',
    ["2 include ./mod", "5 include x/y/z"],
  ],
  [
    ".github/workflows/ci.yml",
    'jobs:\n  a:\n    uses: ./.github/workflows/b.yml\n  b:\n    steps:\n      - uses: actions/checkout@v4\n      - "uses": "./x"',
    ["3 include /.github/workflows/b.yml", "6 include actions/checkout@v4", "7 include /x"],
  ],
  [
    ".gitlab-ci.yml",
    'include:\n  - local: "/ci/a.yml"\n  - ci/b.yml\n',
    ["2 include /ci/a.yml", "3 include /ci/b.yml"],
  ],
  [
    "docker-compose.yml",
    "services:\n  a:\n    build: ./web\n    env_file: .env\n  b:\n    build:\n      context: ${DIR}\n",
    ["3 include ./web", "4 include ./.env"],
  ],
  [
    "Chart.yaml",
    'dependencies:\n  - name: a\n    repository: "file://../a"\n  - repository: https://x.y\n',
    ["3 include ../a"],
  ],
  [
    "kustomization.yaml",
    "resources:\n  - base\n  - ../x.yaml\n  - https://x.y/z\n",
    ["2 include ./base", "3 include ../x.yaml"],
  ],
  [
    "app.yaml",
    "apiVersion: argoproj.io/v1alpha1\nspec:\n  source:\n    path: apps/one\n",
    ["4 include /apps/one"],
  ],
])("%s: %s", async (path, text, imports) => {
  const facts = decodeFacts(await factsOf(path, text));
  const read = facts?.imports.map(({ kind, module, names, line }) => {
    const named = names.map(({ name, alias }) =>
      name === alias ? alias : `${name ?? "*"} as ${alias}`,
    );
    return `${line + 1} ${kind} ${module}${named.length > 0 ? ` {${named.join(", ")}}` : ""}`;
  });
  expect(read).toEqual(imports);
});
