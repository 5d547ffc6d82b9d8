/** Definition patterns of languages without a grammar, and of files whose tree is not trusted. */

import { COBOL } from "./cobol-patterns.ts";
import { FORTRAN } from "./fortran-patterns.ts";
import { ERLANG, FSHARP, GLEAM, HASKELL, LISP, OCAML } from "./functional-patterns.ts";
import { VERILOG, VHDL } from "./hardware-patterns.ts";
import {
  constructor,
  functions,
  keyword,
  type Pattern,
  raw,
  typedMember,
  typedSignature,
  types,
  WORD,
} from "./pattern.ts";

const JAVASCRIPT: readonly Pattern[] = [
  types("class|enum"),
  types("interface|type", "interface"),
  types("namespace|module", "module"),
  keyword("function", String.raw`function[ \t]*\*?[ \t]*${WORD}`),
  keyword(
    "function",
    String.raw`(?:const|let|var)[ \t]+${WORD}[^=\n]*=[ \t]*(?:async[ \t]*)?(?:function\b|\([^()\n]*\)[^=\n]*=>|[\w$]+[ \t]*=>)`,
  ),
  raw(
    "function",
    /^[ \t]*(?:(?:public|private|protected|static|async|get|set|override|readonly)[ \t]+)*(?!(?:if|for|while|switch|catch|return|function)\b)(?<name>#?[\p{L}_$][\w$]*)[ \t]*(?:<[^<>()]*>)?\([^;]*\{\s*$/u,
    { only: "member" },
  ),
];

/** Options of a component, which qualify their members: `methods.open`. */
const VUE: readonly Pattern[] = [
  raw("owner", /^[ \t]+(?<name>methods|computed|watch|filters)[ \t]*:[ \t]*\{[ \t]*$/),
  // A computed property with `get` and `set`.
  raw("owner", /^[ \t]+(?<name>[\w$]+)[ \t]*:[ \t]*\{[ \t]*$/, { only: "member" }),
  raw("function", /^[ \t]+(?<name>[\w$]+)[ \t]*:[ \t]*(?:async[ \t]+)?function\b/, {
    only: "member",
  }),
  ...JAVASCRIPT,
];

const C_LIKE: readonly Pattern[] = [
  raw(
    "class",
    /^[ \t]*(?:typedef[ \t]+)?(?:class|struct|union|enum(?:[ \t]+(?:class|struct))?)[ \t]+(?:[A-Z_]+[ \t]+)?(?<name>[A-Za-z_]\w*)[^;()=]*$/,
  ),
  raw("namespace", /^[ \t]*(?:inline[ \t]+)?namespace[ \t]+(?<name>[\w:]+)/),
  raw("function", /^[ \t]*#[ \t]*define[ \t]+(?<name>\w+)\(/),
  typedMember("member"),
  typedMember("top"),
];

const OBJECTIVE_C: readonly Pattern[] = [
  raw("class", /^[ \t]*@(?:interface|implementation)[ \t]+(?<name>\w+)/, { until: /^@end/ }),
  raw("interface", /^[ \t]*@protocol[ \t]+(?<name>\w+)[^;]*$/, { until: /^@end/ }),
  raw("method", /^[ \t]*[-+][ \t]*\((?:[^()]|\([^()]*\))*\)[ \t]*(?<name>\w+)/, {
    hasSelector: true,
  }),
  // A block property has its name in parentheses, any other property at the end.
  raw(
    "method",
    /^[ \t]*@property\b[ \t]*(?:\([^)]*\)[ \t]*)?[^;()]*\(\^[ \t]*(?:_?[Nn](?:onn)?ull\w*[ \t]+)?(?<name>\w+)[ \t]*\)/,
    { only: "member", until: /;/ },
  ),
  raw(
    "method",
    /^[ \t]*@property\b[ \t]*(?:\([^)]*\)[ \t]*)?[^;()]*?[ \t*>](?<name>\w+)[ \t]*(?:;|[A-Z]+_[A-Z_]+\b|__)/,
    { only: "member", until: /;/ },
  ),
  raw(
    "class",
    /^[ \t]*typedef[ \t]+(?:NS|CF)_(?:CLOSED_|ERROR_)?(?:ENUM|OPTIONS)\([^,()]*,[ \t]*(?<name>\w+)[ \t]*\)/,
  ),
  raw("interface", /^[ \t]*typedef\b[^;{]*\(\^[ \t]*(?<name>\w+)[ \t]*\)/, { until: /;/ }),
  ...C_LIKE,
];

const SHELL: readonly Pattern[] = [
  raw("function", /^[ \t]*(?:function[ \t]+)?(?<name>[\w:.@-]+)[ \t]*\(\)/),
  raw("function", /^[ \t]*function[ \t]+(?<name>[\w:.@-]+)/),
];

/** After the first selector of a rule: more selectors, and the block; a comment may follow. */
const REST_OF_RULE = String.raw`[^{};@]*(?:,|(?<!#)\{(?:.*\})?)[ \t]*(?:\/\/.*|\/\*.*\*\/)?$`;

/** Selectors of rules, mixins and functions; not lines that only close a block or declare a property. */
const STYLES: readonly Pattern[] = [
  raw("function", /^[ \t]*@(?:mixin|function)[ \t]+(?<name>[\w-]+)/),
  raw("class", /^[ \t]*@keyframes[ \t]+(?<name>[\w-]+)/),
  // A Less mixin.
  raw("function", /^[ \t]*[.#](?<name>[\w-]+)[ \t]*\([^{}]*\)[^{};]*\{/),
  raw("class", new RegExp(String.raw`^[ \t]*(?:[.%]|&(?=[\w-]))(?<name>[\w-]+)${REST_OF_RULE}`)),
  // `color: red,` is a property or map entry.
  raw(
    "class",
    new RegExp(
      String.raw`^[ \t]*(?![\w-]+[ \t]*:[ \t])(?<name>#?[a-z][\w-]*)(?=[.# \t,:>+~[{])${REST_OF_RULE}`,
    ),
  ),
];

/** Whether the language extends CSS; `#`, `%` and `--` do not begin comments then. */
export function isStyle(languageId: string): boolean {
  return PATTERNS[languageId] === STYLES;
}

const SQL_END = /;\s*$/;
/** A name, optionally quoted in one of three dialects. */
const SQL_NAME = String.raw`(?:[^\s(;."\x60[]+|"[^"]+"|\x60[^\x60]+\x60|\[[^\]]+\])`;
const sql = (kind: "class" | "interface" | "function", what: string): Pattern => ({
  kind,
  line: new RegExp(
    String.raw`^\s*create[ \t]+${what}[ \t]+(?:if[ \t]+not[ \t]+exists[ \t]+)?(?!on\b)(?<name>${SQL_NAME}(?:\.${SQL_NAME})*)`,
    "i",
  ),
  until: SQL_END,
});

const PASCAL_END = /^end;/i;

/** `Config* {.packed.} = ref object of Root`: a star exports the type; type parameters are in brackets. */
const nimType = (word: string, type: string): Pattern =>
  raw(
    "class",
    new RegExp(
      String.raw`^[ \t]*${word}(?<name>[A-Za-z]\w*)\*?(?:\[[^\]]*\])?[ \t]*(?:\{\.[^}]*\}[ \t]*)?=[ \t]*(?:${type})`,
    ),
  );

/** By language. The first matching pattern of a line is used. */
const PATTERNS: Readonly<Record<string, readonly Pattern[]>> = {
  csharp: [
    types(String.raw`class|struct|enum|record[ \t]+(?:class|struct)|record`),
    types("interface", "interface"),
    raw("namespace", /^[ \t]*namespace[ \t]+(?<name>[\w.]+)\s*\{?\s*$/),
    keyword(
      "interface",
      String.raw`delegate[ \t]+[\w.<>,\[\]? \t]+?(?<name>\w+)[ \t]*(?:<[^<>]*>)?\(`,
    ),
    constructor,
    typedMember("member"),
    typedSignature,
  ],
  kotlin: [
    types(String.raw`class|object|enum[ \t]+class`),
    types(String.raw`(?:fun[ \t]+)?interface|typealias`, "interface"),
    keyword(
      "function",
      String.raw`fun[ \t]+(?:<[^()\n]*?>[ \t]+)?(?:[\w.<>?*, ]+\.)?(?<name>[\p{L}_]\w*|${"`[^`]+`"})[ \t]*\(`,
    ),
  ],
  scala: [
    types(String.raw`(?:case[ \t]+)?(?:class|object)|package[ \t]+object|enum`),
    types("trait|type", "interface"),
    keyword("function", String.raw`def[ \t]+(?<name>[\p{L}_$][\w$]*|[^\s\w(\[{:=]+(?=[\s(\[:]))`),
    keyword("function", String.raw`given[ \t]+(?<name>[\p{L}_]\w*)`),
  ],
  swift: [
    types("class|struct|enum|actor"),
    types("protocol|typealias|associatedtype", "interface"),
    keyword("owner", String.raw`extension[ \t]+(?<name>[\w.]+)`),
    keyword("function", String.raw`(?:class[ \t]+)?func[ \t]+(?<name>[\p{L}_]\w*|[^\s\w(]+)`),
    keyword("function", String.raw`(?<name>init|subscript)[?!]?[ \t]*(?:<[^<>]*>)?\(`, {
      only: "member",
    }),
    keyword("function", String.raw`(?<name>deinit)\b`, { only: "member" }),
  ],
  elixir: [
    raw("module", /^[ \t]*defmodule[ \t]+(?<name>[\w.]+)/),
    raw("interface", /^[ \t]*defprotocol[ \t]+(?<name>[\w.]+)/),
    raw("owner", /^[ \t]*defimpl[ \t]+(?<name>[\w.]+)/),
    raw(
      "function",
      /^[ \t]*(?:def|defp|defmacro|defmacrop|defguard|defguardp|defdelegate|defn|defnp)[ \t]+(?<name>[a-z_]\w*[?!]?)/,
      { hasClauses: true },
    ),
  ],
  haskell: HASKELL,
  lua: [
    raw("class", /^[ \t]*---[ \t]*@class[ \t]+(?:\([^)]*\)[ \t]*)?(?<name>[\w.]+)/),
    raw("function", /^[ \t]*(?:local[ \t]+)?function[ \t]+(?<name>[\w.:]+)/),
    raw("function", /^[ \t]*(?:local[ \t]+)?(?<name>[\w.:]+)[ \t]*=[ \t]*function\b/),
  ],
  bash: SHELL,
  scss: STYLES,
  less: STYLES,
  fish: [raw("function", /^[ \t]*function[ \t]+(?<name>[\w:.@-]+)/)],
  zig: [
    raw(
      "class",
      /^[ \t]*(?:pub[ \t]+)?(?:const|var)[ \t]+(?<name>\w+)(?:[ \t]*:[^=]*)?[ \t]*=[ \t]*(?:packed[ \t]+|extern[ \t]+)?(?:struct|enum|union|opaque|error)\b/,
    ),
    raw(
      "function",
      /^[ \t]*(?:(?:pub|export|extern|inline|noinline)[ \t]+(?:"[^"]*"[ \t]+)?)*fn[ \t]+(?<name>\w+|@"[^"]+")/,
    ),
  ],
  sql: [
    sql(
      "class",
      String.raw`(?:or[ \t]+replace[ \t]+)?(?:global[ \t]+|local[ \t]+|temp(?:orary)?[ \t]+|unlogged[ \t]+|materialized[ \t]+|recursive[ \t]+|external[ \t]+)*(?:table|view)`,
    ),
    sql("class", String.raw`(?:unique[ \t]+)?index(?:[ \t]+concurrently)?`),
    sql("interface", String.raw`(?:or[ \t]+replace[ \t]+)?(?:type|domain)`),
    sql(
      "function",
      String.raw`(?:or[ \t]+(?:replace|alter)[ \t]+)?(?:constraint[ \t]+)?(?:function|procedure|trigger|proc|macro)`,
    ),
  ],
  r: [
    raw(
      "class",
      /^\s*(?<name>[\w.]+)[ \t]*(?:<-|=)[ \t]*(?:R6::)?(?:R6Class|setRefClass|setClass|new_class)\(/,
    ),
    raw("class", /^\s*set(?:Ref)?Class\([ \t]*["'](?<name>[\w.]+)/),
    raw("function", /^\s*set(?:Generic|Method)\([ \t]*["'](?<name>[^"']+)/),
    raw("function", /^\s*(?<name>`[^`]+`|[\w.]+)[ \t]*(?:<<?-|=)[ \t]*(?:function\b|\\\()/),
  ],
  julia: [
    raw("module", /^[ \t]*(?:bare)?module[ \t]+(?<name>\w+)/),
    raw("class", /^[ \t]*(?:[\w.]*@\w+[ \t]+)*(?:mutable[ \t]+)?struct[ \t]+(?<name>\w+)/),
    raw("interface", /^[ \t]*(?:abstract|primitive)[ \t]+type[ \t]+(?<name>\w+)/),
    raw(
      "function",
      /^[ \t]*(?:[\w.]*@[\w.]+[ \t]+)*(?:function|macro)[ \t]+(?:[\w.]+\.)?(?<name>[\p{L}_][\w!]*)/u,
    ),
    // `Base.first(df::Table; n=1) where T = df[1:n]`, with up to three levels of parentheses.
    raw(
      "function",
      /^[ \t]*(?:[\w.]*@[\w.]+[ \t]+)*(?<name>[\p{L}_][\p{L}\w!.]*)(?:\{[^{}]*\})?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)(?:::[^=]+)?(?:[ \t]*where[^=]*)?[ \t]*=(?![=>~])/u,
    ),
    // The same over several lines; calls without indentation have no types.
    raw(
      "function",
      /^(?:[\w.]*@[\w.]+[ \t]+)*(?<name>[\p{L}_][\p{L}\w!.]*)\([^()]*::[^()]*[,;]\s*$/u,
    ),
  ],
  dart: [
    types("class|mixin|enum|extension|extension[ \\t]+type"),
    types("typedef", "interface"),
    typedMember("member"),
    typedMember("top"),
  ],
  groovy: [
    types("class|enum|trait"),
    types("interface|@interface", "interface"),
    functions("def"),
    typedMember("member"),
    typedMember("top"),
  ],
  solidity: [
    types(String.raw`contract|library|struct|enum`),
    types("interface", "interface"),
    functions("function|modifier|event|error"),
    keyword("function", String.raw`(?<name>constructor|receive|fallback)[ \t]*\(`, {
      only: "member",
    }),
  ],
  ocaml: OCAML,
  fsharp: FSHARP,
  perl: [
    raw("module", /^[ \t]*package[ \t]+(?<name>[\w:]+)[^;]*$/),
    raw("function", /^[ \t]*(?:sub|method)[ \t]+(?<name>[\w:]+)/),
  ],
  nix: [raw("function", /^[ \t]*(?<name>[\w-]+)[ \t]*=[ \t]*(?:\w+:|\{[^}]*\}:)/)],
  powershell: [
    raw("class", /^[ \t]*(?:class|enum)[ \t]+(?<name>\w+)/i),
    raw("function", /^[ \t]*(?:function|filter|workflow)[ \t]+(?:\w+:)?(?<name>[\w-]+)/i),
  ],
  erlang: ERLANG,
  gleam: GLEAM,
  crystal: [
    raw(
      "class",
      /^[ \t]*(?:(?:private|abstract)[ \t]+)*(?:class|struct|module|enum|union|annotation)[ \t]+(?<name>[A-Z][\w:]*)/,
    ),
    raw("class", /^[ \t]*(?:private[ \t]+)?record[ \t]+(?<name>[A-Z]\w*)/),
    raw("owner", /^[ \t]*lib[ \t]+(?<name>[A-Z]\w*)/),
    raw("interface", /^[ \t]*(?:private[ \t]+)?(?:alias|type)[ \t]+(?<name>[A-Z]\w*)[ \t]*=/),
    raw(
      "function",
      /^[ \t]*(?:(?:private|protected|abstract)[ \t]+)*(?:def|macro|fun)[ \t]+(?:self\.)?(?<name>[\p{L}_]\w*(?:[?!]|=(?=\())?|[^\s\w(.]+)/u,
    ),
  ],
  cobol: COBOL,
  move: [
    raw("module", /^[ \t]*module[ \t]+(?:\w+[ \t]*::[ \t]*)?(?<name>\w+)/),
    raw("class", /^[ \t]*(?:(?:public|native)[ \t]+)*(?:struct|enum)[ \t]+(?<name>\w+)/),
    raw(
      "function",
      /^[ \t]*(?:(?:public|native|entry|inline|macro)(?:\([\w, :]*\))?[ \t]+)*fun[ \t]+(?<name>\w+)/,
    ),
    raw("function", /^[ \t]*(?:public[ \t]+)?const[ \t]+(?<name>\w+)[ \t]*:/),
    raw("function", /^[ \t]*spec[ \t]+(?:schema|fun)[ \t]+(?<name>\w+)/),
  ],
  verilog: VERILOG,
  vhdl: VHDL,
  clojure: LISP,
  elisp: LISP,
  racket: LISP,
  scheme: LISP,
  objc: OBJECTIVE_C,
  fortran: FORTRAN,
  pascal: [
    raw(
      "class",
      /^[ \t]*(?<name>\w+)[ \t]*=[ \t]*(?:packed[ \t]+)?(?:class|record|object)\b[^;]*$/i,
      {
        until: PASCAL_END,
      },
    ),
    raw("interface", /^[ \t]*(?<name>\w+)[ \t]*=[ \t]*interface\b[^;]*$/i, {
      until: PASCAL_END,
    }),
    raw(
      "function",
      /^[ \t]*(?:class[ \t]+)?(?:procedure|function|constructor|destructor)[ \t]+(?<name>[\w.]+)/i,
    ),
  ],
  visualbasic: [
    raw(
      "class",
      /^[ \t]*(?:\w+[ \t]+)*?(?<!end[ \t]+)(?:class|module|structure|enum)[ \t]+(?<name>\w+)/i,
    ),
    raw("function", /^[ \t]*(?!end\b)(?:\w+[ \t]+)*?(?:sub|function)[ \t]+(?<name>\w+)/i),
  ],
  nim: [
    nimType(
      "",
      String.raw`(?:(?:ptr|ref|distinct)[ \t]+)*(?:object|enum|tuple|concept|(?:proc|iterator)[ \t]*\()|(?:ptr|ref|distinct)[ \t]`,
    ),
    // Any type may follow the keyword.
    nimType(String.raw`type[ \t]+`, String.raw`\S`),
    raw(
      "function",
      /^[ \t]*(?:proc|func|method|template|macro|iterator|converter)[ \t]+(?<name>\w+|`[^`]+`)/,
    ),
  ],
  tcl: [raw("function", /^[ \t]*proc[ \t]+(?<name>[\w:]+)/)],
  vim: [raw("function", /^[ \t]*fu(?:n|nc|nction)?!?[ \t]+(?<name>[\w:#.]+)/)],
  awk: [raw("function", /^[ \t]*func(?:tion)?[ \t]+(?<name>\w+)/)],
  cmake: [
    raw("function", /^[ \t]*(?:function|macro)[ \t]*\([ \t]*(?<name>\w+)/i),
    raw(
      "class",
      /^[ \t]*add_(?:library|executable|custom_target)[ \t]*\([ \t]*(?!\S+[ \t]+ALIAS\b)(?<name>[\w.-]+)/i,
    ),
  ],
  batch: [raw("function", /^:(?<name>[a-z_]\w*)/i, { until: /^(?:goto[ \t]+:?eof|exit\b)/i })],
  assembly: [raw("function", /^(?<name>[a-z_][\w.$]*):/i)],
  protobuf: [
    raw("class", /^[ \t]*(?:message|enum|service)[ \t]+(?<name>\w+)/),
    raw("function", /^[ \t]*rpc[ \t]+(?<name>\w+)/),
  ],
  graphql: [
    raw("class", /^[ \t]*(?:extend[ \t]+)?(?:type|input|enum)[ \t]+(?<name>\w+)/),
    raw("interface", /^[ \t]*(?:extend[ \t]+)?(?:interface|union|scalar)[ \t]+(?<name>\w+)/),
    raw(
      "function",
      /^[ \t]*(?:query|mutation|subscription|fragment|directive)[ \t]+@?(?<name>\w+)/,
    ),
    raw("class", /^[ \t]*(?:extend[ \t]+)?(?<name>schema)(?=[ \t]*(?:@.*)?\{)/),
  ],
  thrift: [raw("class", /^[ \t]*(?:struct|union|exception|enum|service)[ \t]+(?<name>\w+)/)],
  dtd: [
    raw("class", /^<!ELEMENT[ \t]+(?<name>[\w:.-]+)/, { until: />\s*$/ }),
    raw("class", /^<!ENTITY[ \t]+(?:%[ \t]+)?(?<name>[\w:.-]+)/, { until: />\s*$/ }),
  ],
  d: [
    types("class|struct|enum|union|template"),
    types("interface", "interface"),
    typedMember("member"),
    typedMember("top"),
  ],
  cuda: C_LIKE,
  glsl: C_LIKE,
  vue: VUE,
  svelte: JAVASCRIPT,
  astro: JAVASCRIPT,

  // For trees that are not trusted.
  javascript: JAVASCRIPT,
  typescript: JAVASCRIPT,
  tsx: JAVASCRIPT,
  python: [types("class"), functions("def")],
  ruby: [
    types("class|module"),
    keyword("function", String.raw`def[ \t]+(?:self\.)?(?<name>[\w?!=]+)`),
  ],
  php: [types("class|trait|enum"), types("interface", "interface"), functions("function")],
  go: [
    raw("method", /^func[ \t]*\([^)]*\)[ \t]*(?<name>\w+)/),
    raw("function", /^func[ \t]+(?<name>\w+)/),
    raw("interface", /^[ \t]*(?:type[ \t]+)?(?<name>\w+)[ \t]+interface\b/),
    raw("class", /^(?:type[ \t]+|[ \t]+)(?<name>\w+)(?:\[[^\]]*\])?[ \t]+struct\b/),
  ],
  rust: [
    types("struct|enum|union"),
    types("trait", "interface"),
    keyword("owner", String.raw`impl\b(?:<[^>]*>)?(?:.*[ \t]for)?[ \t]+&?(?<name>\w+)`),
    functions("fn|macro_rules!"),
  ],
  java: [
    types("class|record|enum"),
    types(String.raw`@?interface`, "interface"),
    constructor,
    typedMember("member"),
    typedSignature,
  ],
  c: C_LIKE,
  cpp: C_LIKE,
};

/** Empty for prose, markup and configuration, whose headings and keys are not symbols. */
export function patternsOf(languageId: string): readonly Pattern[] {
  return PATTERNS[languageId] ?? [];
}
