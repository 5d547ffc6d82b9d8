/** Definitions by line and name in a small sample of each language without a grammar. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createLanguages } from "../../server/languages/languages.ts";

const SAMPLES = join(import.meta.dirname, "pattern-samples");
const languages = createLanguages();

const ROWS: readonly (readonly [claim: string, file: string, expected: readonly string[]])[] = [
  [
    "Verilog and SystemVerilog record modules, packages, types, functions, tasks and macros with a value",
    "counter.sv",
    [
      "2 WIDTH",
      "4 up_counter",
      "12 up_counter.next_value",
      "15 up_counter.reset_all",
      "24 types_pkg",
      "25 types_pkg.state_t",
      "29 types_pkg.pair_t",
      "30 types_pkg.Driver",
      "31 types_pkg.Driver.run",
      "32 types_pkg.Driver.new",
      "36 types_pkg.c_add",
      "38 bus_if",
    ],
  ],
  [
    "VHDL records entities, architectures, packages, types, functions, procedures and processes",
    "uart.vhd",
    [
      "3 uart_tx",
      "7 rtl",
      "8 rtl.state_t",
      "9 rtl.small",
      "10 rtl.parity",
      "15 rtl.send",
      "19 util",
      "20 util.+",
      "23 util.log_line",
    ],
  ],
  [
    "Gleam records functions, types and constants",
    "list.gleam",
    ["3 fold_left", "10 Tree", "14 Set", "15 Headers", "18 reverse", "19 max_depth"],
  ],
  [
    "Crystal records macros, modules, classes, enums, records, aliases, methods and functions of libraries",
    "server.cr",
    [
      "1 define_route",
      "5 Kemal.Web",
      "6 Kemal.Web.Verb",
      "10 Kemal.Web.Point",
      "11 Kemal.Web.Handler",
      "13 Kemal.Web.Base",
      "15 Kemal.Web.Base.call",
      "16 Kemal.Web.Base.open?",
      "19 Kemal.Web.Base.value=",
      "22 Kemal.Web.Base.==",
      "27 Kemal.Web.LibC.strlen",
    ],
  ],
  [
    "Move records modules, structures, functions and constants",
    "coin.move",
    [
      "1 coin",
      "3 coin::E_EMPTY",
      "5 coin::Coin",
      "8 coin::transfer",
      "11 coin::burn",
      "13 coin::test_transfer",
    ],
  ],
  [
    "COBOL records programs, files, data, sections and paragraphs, with numbered lines",
    "pay.cbl",
    [
      "3 PAYROLL",
      "7 EMPLOYEES",
      "9 WS-TOTALS",
      "10 WS-TOTALS.WS-GROSS",
      "11 WS-TOTALS.WS-GROSS.NO-GROSS",
      "13 WS-PROGRAM",
      "15 MAINLINE",
      "21 CALC-PAY",
    ],
  ],
  [
    "Nim records types behind the word and in a section, and operators",
    "conf.nim",
    ["1 Config", "4 Level", "6 Node", "8 Id", "9 Callback", "10 load", "12 =="],
  ],
  [
    "Erlang records modules, macros, records, types, callbacks and functions with quoted names",
    "mod.erl",
    [
      "2 shop_order",
      "4 shop_order.TIMEOUT",
      "5 shop_order.order",
      "6 shop_order.line",
      "7 shop_order.ref",
      "8 shop_order.init",
      "9 shop_order.start",
      "11 shop_order.GET",
      "13 shop_order.long",
    ],
  ],
  [
    "Fortran records interfaces, bound procedures and procedures of submodules, no name that an interface lists, and no end",
    "m.f90",
    [
      "1 shapes",
      "3 shapes.area",
      "6 shapes.operator(+)",
      "9 shapes.circle",
      "13 shapes.circle.grow",
      "14 shapes.circle.operator(==)",
      "18 shapes.circle_area",
      "23 more",
      "25 more.grow_it",
    ],
  ],
  [
    "Fortran with fypp records names without their placeholders",
    "s.fypp",
    ["3 stdlib_stats", "6 stdlib_stats.mean", "7 stdlib_stats.mean.mean_", "14 stdlib_stats.var_"],
  ],
  [
    "Terraform records each local value",
    "main.tf",
    ["1 locals", "2 locals.bucket_name", "4 locals.tags", "8 aws_s3_bucket.data"],
  ],
];

it.each(ROWS)("%s", async (_, file, expected) => {
  const text = readFileSync(join(SAMPLES, file), "utf8");
  const found = await languages.withSyntax(text, languages.detect(file, text), ({ definitions }) =>
    definitions.map(({ symbol: { name, nameLine } }) => `${nameLine + 1} ${name}`),
  );
  expect(found).toEqual(expected);
});

/** A name of the maximum length, as of a test that is a sentence. */
const LONG_NAME = `a_${"very_".repeat(59)}end`;

it.each([
  ["csharp", `class Names {\n    public void ${LONG_NAME}()\n    {\n    }\n}\n`],
  ["python", `class Names:\n    def ${LONG_NAME}(self):\n        pass\n`],
  ["perl", `sub ${LONG_NAME} {\n}\n`],
  ["fortran", `subroutine ${LONG_NAME}()\nend subroutine\n`],
])("A name of 300 characters is found in %s", async (languageId, text) => {
  expect(LONG_NAME).toHaveLength(300);
  const names = await languages.withSyntax(text, languageId, ({ definitions }) =>
    definitions.map(({ symbol }) => symbol.name),
  );
  expect(names.at(-1)?.endsWith(LONG_NAME)).toBe(true);
});

it.each([
  ["Verilog", "a.v", "module a;\nendmodule\n", "verilog"],
  ["Coq", "a.v", "Require Import List.\nTheorem a : True.\n", "text"],
  ["V", "a.v", "module main\n\npub fn a() {\n}\n", "text"],
])("A .v file of %s is detected by its content", (_, path, text, expected) => {
  expect(languages.detect(path, text)).toBe(expected);
});
