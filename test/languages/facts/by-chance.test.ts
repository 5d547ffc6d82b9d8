/** Facts of random expressions, parameters, names and imports: read the files under golden/. */

import { join } from "node:path";
import { expect, it } from "vitest";
import { splitList, toChain } from "../../../server/languages/facts/chains.ts";
import { includes } from "../../../server/languages/facts/imports/c.ts";
import { csharpImports } from "../../../server/languages/facts/imports/csharp.ts";
import { ecmascriptImports } from "../../../server/languages/facts/imports/ecmascript.ts";
import { goImports } from "../../../server/languages/facts/imports/go.ts";
import {
  javaImports,
  kotlinImports,
  scalaImports,
} from "../../../server/languages/facts/imports/jvm.ts";
import { luaImports } from "../../../server/languages/facts/imports/lua.ts";
import { phpImports } from "../../../server/languages/facts/imports/php.ts";
import { pythonImports } from "../../../server/languages/facts/imports/python.ts";
import { rubyImports } from "../../../server/languages/facts/imports/ruby.ts";
import { rustImports } from "../../../server/languages/facts/imports/rust.ts";
import { type ParameterStyle, toParameters } from "../../../server/languages/facts/parameters.ts";
import { boundNames, splitName } from "../../../server/languages/facts/split-names.ts";
import { type Random, random } from "../../support/random.ts";

const golden = (name: string) => join(import.meta.dirname, "golden", name);

const some = (chance: Random, from: readonly string[], most: number) =>
  Array.from({ length: chance.int(most + 1) }, () => chance.pick(from)).join("");

const HEADS =
  'a|this|self|super|$x|@y|Foo|größe|new Pool|new Pool(1)|await f|*p|&v|(a)|(a + b)|(x as Foo)|(Foo) x|[1, 2]|{ a: 1 }|\'t\'|"u"|`v${w}`|f\'{x}\'|3|1.5|-1|true|null|undefined|None|nil|<Foo>x|<div/>|async () => 1|x => y|function () {}|lambda: 0|/re/g|!a|not a|a ? b : c|yield z|typeof q|#p|::Root|std::move|vec!|Foo{}|&Foo{A: 1}|(*p)|go run|match x {}|if a {}|"""doc"""|/* c */ a|a // b'.split(
    "|",
  );
const STEPS =
  ".b|?.c|!.d|->e|::f|()|(1, 'x)')|(g => h(g))|[0]|[i + 1]|['k']|<T>(1)|<A<B>, C>()|::<T>()| .g|\n  .h|.#p|?.[0]|?.()|.await|?|!| as Foo| + 1| || z|{ a }|.then(() => { return ')' })|.0|;|.class|&.i|@j|.`k`|/* ) */.l|.m // n\n|\"s\"".split(
    "|",
  );

it("Chains of random expressions equal the golden file", async () => {
  const chance = random(1);
  const texts = [
    ...HEADS,
    ...Array.from({ length: 150 }, () => chance.pick(HEADS) + some(chance, STEPS, 4)),
    `${"a.".repeat(3000)}end`,
    "(".repeat(3000),
    `${"x".repeat(3000)}!`,
  ];
  const lines = texts.map((text) => {
    const { chain, nameAt, end } = toChain(text);
    return `${JSON.stringify(text.slice(0, 80))} ${JSON.stringify(chain.slice(0, 80))} ${nameAt} ${end}`;
  });
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden("chains-by-chance.txt"));
});

const PARTS =
  "a|b = 1|c: Foo|d?: Foo = x|...e|*f|**g|private h: Foo|readonly i|mut j: &Foo|self|&self|&mut self|self: Box<Self>|{ k, l: m }: Props|[n, o]|Foo p|final Foo q|const Foo &r|Foo<A, B> s = {}|Foo... t|@In Foo u|int v[3]|Foo|Foo *w|w, x Foo|y ...Foo|z *pkg.Foo|_|_: Foo|this: Foo|val aa: Foo|vararg bb: Foo|cc: (x: A, y: B) => C|dd = f(1, 2)|ee = 'a, b'|#[attr] ff: Foo|@Dec() gg: Foo|/* note */ hh|out ii|ref Foo jj|$kk|?Foo $ll = null|Foo|Bar $mm|&$nn|...$oo|in pp: Foo|name qq: Foo|func rr() int|chan Foo|/|*|".split(
    "|",
  );

const STYLES: readonly ParameterStyle[] = ["colon", "typeFirst", "go", "plain"];

/** The parameters in each style; styles with equal answers share a line. */
function parametersByStyle(list: string): string[] {
  const styles = new Map<string, ParameterStyle[]>();
  for (const style of STYLES) {
    const shown = toParameters(list, style)
      .map(({ name, type, value, flags }) => `${name}|${type}|${value}|${flags}`)
      .join("; ");
    styles.set(shown, [...(styles.get(shown) ?? []), style]);
  }
  return [...styles].map(([shown, equal]) => `  ${equal.join(", ")}: ${shown}`);
}

it("Random parameters equal the golden file", async () => {
  const chance = random(2);
  const lists = [
    ...PARTS.map((part) => [part]),
    ...Array.from({ length: 25 }, () =>
      Array.from({ length: chance.int(5) }, () => chance.pick(PARTS)),
    ),
  ].map((parts) => (chance.chance(0.7) ? `(${parts.join(", ")})` : parts.join(",")));
  const lines = lists.flatMap((list) => [
    JSON.stringify(list),
    ...parametersByStyle(list),
    `  parts: ${JSON.stringify(splitList(list))} ${JSON.stringify(splitList(list, ";"))}`,
  ]);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden("parameters-by-chance.txt"));
});

it("Random split names equal the golden file", async () => {
  const chance = random(3);
  const pieces =
    "foo|Bar|.|::|exports.|module.exports|prototype.|\"q\"|'r'|[s]|[Symbol.iterator]|#t|get |~|operator+|$u|-v|this.|, |{ |}|: |= |...|*| |(a)|<T>".split(
      "|",
    );
  const texts = [...pieces, ...Array.from({ length: 80 }, () => some(chance, pieces, 5))];
  const lines = texts.map((text) => {
    const { own, owner } = splitName(text);
    const names = boundNames(text).map(({ name }) => name);
    return `${JSON.stringify(text)} own ${own} owner ${owner} variables ${names.join(" ")}`;
  });
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden("names-by-chance.txt"));
});

const READERS = {
  includes,
  csharpImports,
  ecmascriptImports,
  goImports,
  javaImports,
  kotlinImports,
  scalaImports,
  luaImports,
  phpImports,
  pythonImports,
  rubyImports,
  rustImports,
};

const STATEMENTS = [
  "#include <a/b.h>",
  '# include "c.h" // d',
  "#include",
  "using A.B;",
  "global using static A.B.C;",
  "using D = A.B;",
  "using global::A;",
  'import a from "b";',
  'import a, { b as c, type D } from "./e";',
  'import * as f from "g"',
  'import type { H } from "i";',
  'import "j";',
  'export { k as l, default as m } from "n";',
  'export * from "o";',
  'export * as p from "q";',
  "export { r };",
  "export default s;",
  'const { t, u: v } = require("w");',
  'const x = await import("y");',
  "module.exports = { z, a: b, c() {}, ...d };",
  "module.exports = require('e').f;",
  'import (\n\t"fmt"\n\tg "a/b"\n\t. "c"\n\t_ "d"\n)',
  'import h "i/j/v2"',
  "import a.b.C;",
  "import static a.b.C.d;",
  "import a.b.*;",
  "import a.b.C as D",
  "import a.{B, C => D, _}",
  "import a.b.{given, *}",
  'local a = require("b.c")',
  "require 'd'",
  "use A\\B;",
  "use A\\B as C, D\\E;",
  "use A\\{B, C as D, function e};",
  "use function A\\b;",
  "require_once __DIR__ . '/c.php';",
  "include('d.php');",
  "import a.b, c as d",
  "from a.b import (c as d, e,\n  f)",
  "from . import g",
  "from ..h import *",
  "from __future__ import annotations",
  'require_relative "../i"',
  'load "j.rb"',
  "autoload :K, 'k'",
  "use a::b;",
  "pub use a::{b, c as d, e::*, self};",
  "pub(crate) use super::super::f;",
  "use crate::{g::{h, i::{self, j}}, k};",
  "mod l;",
  "pub mod m { }",
  "extern crate n as o;",
  "",
];

it("Imports of random statements equal the golden file", async () => {
  const chance = random(4);
  /** Typos: one character removed or doubled. */
  const bent = (text: string) => {
    const at = chance.int(Math.max(1, text.length));
    return (
      text.slice(0, at) +
      (chance.chance(0.5) ? text.slice(at, at + 1) : "") +
      text.slice(at + 1 - chance.int(2))
    );
  };
  const texts = STATEMENTS.flatMap((text, i) => (i % 3 === 0 ? [text, bent(text)] : [text]));
  const lines = texts.flatMap((text) => [
    JSON.stringify(text),
    ...Object.entries(READERS).flatMap(([name, read]) => {
      const found = read(text);
      return found.length === 0 ? [] : [`  ${name} ${JSON.stringify(found)}`];
    }),
  ]);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden("imports-by-chance.txt"));
});
