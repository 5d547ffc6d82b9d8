/** Definition patterns of hardware description languages: Verilog, SystemVerilog and VHDL. */

import { type Pattern, raw } from "./pattern.ts";

/** A unit that ends at its own keyword, because modules are often not indented. */
const unit = (kind: "module" | "class" | "interface", words: string, ends: string): Pattern =>
  raw(
    kind,
    new RegExp(
      String.raw`^[ \t]*(?:\(\*.*?\*\)[ \t]*)?(?:${words})[ \t]+(?:(?:automatic|static)[ \t]+)?(?<name>[A-Za-z_\\][\w$]*)`,
    ),
    { until: new RegExp(String.raw`(?:^|;[ \t]*)end(?:${ends})\b`) },
  );

const UNITS = "module|program|package|checker|primitive";

export const VERILOG: readonly Pattern[] = [
  unit("module", `${UNITS}|macromodule`, UNITS),
  // Before `interface`: an interface class ends like a class.
  unit("class", String.raw`(?:(?:virtual|interface)[ \t]+)*class`, "class"),
  unit("interface", "interface", "interface"),
  raw(
    "class",
    /^[ \t]*typedef[ \t]+(?!(?:interface[ \t]+)?class\b|.*\{[^}]*$)(?:[^;{]|\{[^}]*\})*?\b(?<name>[A-Za-z_][\w$]*)[ \t]*(?:\[[^\]]*\][ \t]*)*;/,
  ),
  // The name of an enum or struct is after its closing brace.
  raw("class", /^[ \t]*\}[ \t]*(?<name>[A-Za-z_][\w$]*)[ \t]*;/),
  raw("class", /^[ \t]*covergroup[ \t]+(?<name>[A-Za-z_][\w$]*)/),
  raw(
    "function",
    /^[ \t]*(?:(?:extern|pure|virtual|static|protected|local|import|export|"DPI(?:-C)?"|context|forkjoin)[ \t]+)*(?:function|task)\b(?:\[[^\]]*\]|[^;([])*?(?<name>[A-Za-z_][\w$]*)[ \t]*(?=[;(]|$)/,
  ),
  raw("function", /^[ \t]*(?:property|sequence|constraint)[ \t]+(?<name>[A-Za-z_][\w$]*)/),
  // A macro with a value; one without is only a condition.
  raw("function", /^[ \t]*`define[ \t]+(?<name>[A-Za-z_][\w$]*)(?=\(|[ \t]+[^ \t/])/),
];

const VHDL_NAME = String.raw`(?<name>[A-Za-z]\w*|\\[^\\]+\\|"[^"]+")`;
const vhdl = (kind: "module" | "class" | "function", form: string, more: Partial<Pattern> = {}) =>
  raw(kind, new RegExp(String.raw`^[ \t]*${form}`, "i"), more);

export const VHDL: readonly Pattern[] = [
  vhdl("class", String.raw`entity[ \t]+${VHDL_NAME}[ \t]+is\b`),
  vhdl("class", String.raw`(?:architecture|configuration)[ \t]+${VHDL_NAME}[ \t]+of\b`),
  vhdl("module", String.raw`package[ \t]+(?:body[ \t]+)?(?!body\b)${VHDL_NAME}[ \t]+is\b`),
  vhdl("class", String.raw`(?:context|component)[ \t]+${VHDL_NAME}[ \t]*(?:is\b|$)`),
  vhdl("class", String.raw`(?:sub)?type[ \t]+${VHDL_NAME}[ \t]+is\b`),
  vhdl("function", String.raw`(?:(?:pure|impure)[ \t]+)?(?:function|procedure)[ \t]+${VHDL_NAME}`),
  vhdl("function", String.raw`${VHDL_NAME}[ \t]*:[ \t]*(?:postponed[ \t]+)?process\b`),
];
