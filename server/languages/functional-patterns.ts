/** Definition patterns of functional languages. */

import { type Pattern, raw } from "./pattern.ts";

export const LISP: readonly Pattern[] = [
  raw(
    "class",
    /^\s*\((?:defclass|defstruct|deftype|defrecord|cl-defstruct|struct|define-record-type)\s+\(?(?<name>[^\s()[\]]+)/,
  ),
  raw(
    "interface",
    /^\s*\((?:defprotocol|definterface|defgeneric|cl-defgeneric)\s+(?<name>[^\s()[\]]+)/,
  ),
  raw(
    "function",
    /^\s*\((?:defn-?|defun|defmacro|defsubst|cl-defun|cl-defmethod|defmethod|defmulti|define(?:-\w+)*|define-(?:minor|derived)-mode)\s+\(?(?:\^\S+\s+)?(?<name>[^\s()[\]]+)/,
  ),
  raw(
    "variable",
    /^\((?:defvar(?:-local|-keymap)?|defconst(?:ant)?|defcustom|defparameter)\s+(?<name>[^\s()[\]]+)/,
  ),
];

/** A name, or an operator in parentheses. A binding followed by `in` is local. */
const OCAML_VALUE = String.raw`(?:let|and|val|external)[ \t]+(?:rec[ \t]+|inline[ \t]+)?(?!mutable\b)(?:\([ \t]*(?=[^\w\s()]+[ \t]*\)))?(?<name>[a-z_][\w']*|[^\w\s()"'.]+(?=[ \t]*\)))(?!.*\bin[ \t]*$)`;

/** Quotation marks around a name that would otherwise be a variable or keyword. */
const erlang = (before: string, behind = ""): RegExp =>
  new RegExp(String.raw`^${before}'?(?<name>[a-z][\w@]*|(?<=')[^']+)'?${behind}`);

export const HASKELL: readonly Pattern[] = [
  raw(
    "class",
    /^(?:data|newtype)[ \t]+(?:family[ \t]+|instance[ \t]+)?(?:[^=]*=>[ \t]*)?(?<name>[A-Z][\w']*)/,
  ),
  raw("interface", /^class[ \t]+(?:.*=>[ \t]*)?(?<name>[A-Z][\w']*)/),
  raw("interface", /^type[ \t]+(?:family[ \t]+|instance[ \t]+)?(?<name>[A-Z][\w']*)/),
  raw("owner", /^instance[ \t]+(?:.*=>[ \t]*)?(?<name>[A-Z][\w'.]*)/),
  raw("function", /^(?<name>[a-z_][\w']*|\([^\w\s()]+\))(?:[ \t]*,[^:\n]*)?[ \t]*::/, {
    hasClauses: true,
  }),
  raw("function", /^(?<name>[a-z_][\w']*)[ \t]*$/, { hasClauses: true }),
  raw("function", /^[ \t]+(?<name>[a-z_][\w']*|\([^\w\s()]+\))[ \t]*::/, {
    only: "member",
    hasClauses: true,
  }),
];

export const OCAML: readonly Pattern[] = [
  raw("module", /^[ \t]*module[ \t]+(?:rec[ \t]+)?(?!type\b)(?<name>[A-Z]\w*)/),
  raw("interface", /^[ \t]*module[ \t]+type[ \t]+(?<name>\w+)/),
  raw("class", /^[ \t]*class[ \t]+(?:virtual[ \t]+)?(?:\[[^\]]*\][ \t]*)?(?<name>[a-z_][\w']*)/),
  raw(
    "class",
    /^[ \t]*(?:type|and)[ \t]+(?:nonrec[ \t]+)?(?:\([^)]*\)[ \t]*|'\w+[ \t]+)?(?<name>[a-z_][\w']*)(?=[^:]*=[ \t]*(?:[{|[]|$))/,
  ),
  raw(
    "interface",
    /^[ \t]*type[ \t]+(?:nonrec[ \t]+)?(?:\([^)]*\)[ \t]*|[+-]?'\w+[ \t]+)?(?<name>[a-z_][\w']*)[ \t]*(?:=|:|\[@|$)/,
  ),
  raw("class", /^[ \t]*exception[ \t]+(?<name>[A-Z][\w']*)/),
  raw("function", /^[ \t]*method!?[ \t]+(?:private[ \t]+|virtual[ \t]+)*(?<name>[a-z_][\w']*)/),
  raw("function", new RegExp(String.raw`^[ ]{0,2}${OCAML_VALUE}`)),
  raw("function", new RegExp(String.raw`^[ \t]*${OCAML_VALUE}`), { only: "in-module" }),
  // Specifications in a signature are never local.
  raw("function", /^[ \t]*(?:val|external)[ \t]+(?!mutable\b)(?<name>[a-z_][\w']*)[ \t]*:/),
];

export const FSHARP: readonly Pattern[] = [
  raw(
    "module",
    /^[ \t]*module[ \t]+(?:rec[ \t]+|private[ \t]+|internal[ \t]+)?(?<name>[\w.]+)[ \t]*=/,
  ),
  raw("class", /^[ \t]*(?:type|and)[ \t]+(?:private[ \t]+|internal[ \t]+)?(?<name>[A-Z]\w*)/),
  raw(
    "function",
    /^[ \t]*(?:static[ \t]+)?(?:member|override|abstract|default)[ \t]+(?:inline[ \t]+)?(?:\w+\.)?(?<name>\w+)/,
  ),
  raw(
    "function",
    /^[ \t]*let[ \t]+(?:rec[ \t]+|inline[ \t]+|private[ \t]+)*(?<name>[a-z_]\w*)[ \t]+[^=]/,
  ),
];

export const ERLANG: readonly Pattern[] = [
  // The rest of the file belongs to it.
  raw("module", erlang(String.raw`-module\([ \t]*`), { until: /(?!)/ }),
  raw("class", erlang(String.raw`-record\([ \t]*`)),
  raw("interface", erlang(String.raw`-(?:type|opaque|nominal|callback)[ \t]+\(?`)),
  raw("function", /^-define\([ \t]*(?<name>\w+)/),
  raw("function", erlang("", String.raw`\((?:.*(?:->|,\s*$|\bwhen\b)|\s*$)`), {
    hasClauses: true,
  }),
];

export const GLEAM: readonly Pattern[] = [
  raw("class", /^(?:pub[ \t]+)?(?:opaque[ \t]+)?type[ \t]+(?<name>[A-Z]\w*)(?!.*=)/),
  raw("interface", /^(?:pub[ \t]+)?type[ \t]+(?<name>[A-Z]\w*)/),
  raw("function", /^(?:pub[ \t]+)?(?:fn|const)[ \t]+(?<name>[a-z_]\w*)/),
];
