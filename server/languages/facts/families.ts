/** The rules of fact extraction per language family, besides the query. */

import { includes } from "./imports/c.ts";
import { csharpImports, isGlobalUsing } from "./imports/csharp.ts";
import { ecmascriptImports } from "./imports/ecmascript.ts";
import { goImports } from "./imports/go.ts";
import { javaImports, kotlinImports, scalaImports } from "./imports/jvm.ts";
import { luaImports } from "./imports/lua.ts";
import { phpImports } from "./imports/php.ts";
import { pythonImports } from "./imports/python.ts";
import { nameOfRequired } from "./imports/required-name.ts";
import { rubyImports } from "./imports/ruby.ts";
import { rustImports } from "./imports/rust.ts";
import type { ImportStatement } from "./imports/statement.ts";
import { swiftImports } from "./imports/swift.ts";
import { CSHARP_LABELS, ELIXIR_LABELS, JAVA_LABELS, type Labels, SWIFT_LABELS } from "./labels.ts";
import { lastOperandAt } from "./last-operand.ts";
import { namedResults, type Parameter, type ParameterStyle } from "./parameters.ts";
import { type DocTypes, docTypes } from "./php-docs.ts";
import { rustNames } from "./rust-patterns.ts";
import type { BoundName } from "./split-names.ts";
import { withoutTrailingClosures } from "./trailing-closures.ts";

export interface Family {
  readonly parameters: ParameterStyle;
  imports(text: string): ImportStatement[];
  /** Whether an import statement applies to all files of the project. */
  isOfProject?(text: string): boolean;
  /** The name of the receiver in methods, for assigned fields: `self.x = ...`. */
  readonly self?: string;
  /** The names that a pattern binds, if the syntax differs from `a, b`. */
  patternNames?(pattern: string): readonly BoundName[];
  /** The variables of named results. */
  results?(text: string): readonly Parameter[];
  /** Whether all functions except constructors have a return type, so that other matches are macros. */
  readonly functionsHaveTypes?: boolean;
  /** The sigil of field names. */
  readonly fieldSigil?: string;
  /** Whether namespaces have methods and can be included like base classes (Ruby modules). */
  readonly hasMixins?: boolean;
  /** The name of an anonymous class. */
  unnamed?(text: string): string;
  /** The extended type of an extension function, from the text of its parameters. */
  extended?(params: string): string;
  /** Whether function names may end with `?` or `!`. */
  readonly hasMarkedNames?: boolean;
  /** Whether class names contain dots. */
  readonly hasDottedNames?: boolean;
  /** Whether a function adds bases to classes that use it (Elixir: `use` in a quote). */
  readonly usesInQuotes?: boolean;
  /**
   * Matches the text before a block that does not open a scope: its definitions belong to the enclosing class or module.
   */
  readonly openBlocks?: RegExp;
  /** Rewrites an expression to common syntax of the same length. */
  usual?(text: string): string;
  /** The offset of the callee in the text that the grammar captures as the callee. */
  operandAt?(text: string): number;
  /** How overloads are distinguished; if absent, the first function of a name is used. */
  readonly labels?: Labels;
  /** The types in a doc comment before an offset. */
  docTypes?(text: string, at: number): DocTypes | undefined;
  /** Normalizes names and chains to common syntax. */
  clean?(text: string): string;
}

/** A module that is used in the importing expression itself. */
const LUA_REQUIRE = /\brequire\s*(?:\(\s*)?(?:"[\w./-]+"|'[\w./-]+')\s*\)?(?=\s*[.:]\s*[A-Za-z_])/g;
const ECMASCRIPT_REQUIRE = /\brequire\(\s*(?:"[^"\n]+"|'[^'\n]+')\s*\)(?=\s*\.\s*[A-Za-z_$])/g;

const ECMASCRIPT: Family = {
  parameters: "colon",
  imports: ecmascriptImports,
  self: "this",
  usual: (text) => withRequiredNames(text, ECMASCRIPT_REQUIRE),
};

const FAMILIES: Readonly<Record<string, Family>> = {
  javascript: ECMASCRIPT,
  typescript: ECMASCRIPT,
  tsx: ECMASCRIPT,
  python: { parameters: "colon", imports: pythonImports, self: "self" },
  go: { parameters: "go", imports: goImports, results: namedResults },
  java: { parameters: "typeFirst", imports: javaImports, self: "this", labels: JAVA_LABELS },
  rust: {
    parameters: "colon",
    imports: rustImports,
    patternNames: rustNames,
    usual: usualRust,
  },
  kotlin: {
    parameters: "colon",
    imports: kotlinImports,
    self: "this",
    usual: (text) => withoutTrailingClosures(withoutLabels(text)),
    unnamed: (text) => (/^(?:\w+\s+){0,3}companion\b/.test(text) ? "Companion" : ""),
  },
  swift: {
    parameters: "colon",
    imports: swiftImports,
    self: "self",
    labels: SWIFT_LABELS,
    operandAt: lastOperandAt,
    usual: (text) => withoutTrailingClosures(text).replace(/\btry[?!]/, "try "),
  },
  scala: { parameters: "colon", imports: scalaImports, self: "this" },
  csharp: {
    parameters: "typeFirst",
    imports: csharpImports,
    isOfProject: isGlobalUsing,
    self: "this",
    labels: CSHARP_LABELS,
    clean: (text) => text.replace(/^base\b/, "super"),
    extended: (params) =>
      /^\(\s*this\s+(?:(?:ref|in|scoped)\s+)*([A-Za-z][\w.]*)\b/.exec(params)?.[1] ?? "",
  },
  php: {
    parameters: "typeFirst",
    imports: phpImports,
    usual: usualPhp,
    clean: cleanPhp,
    docTypes,
  },
  c: { parameters: "typeFirst", imports: includes },
  cpp: { parameters: "typeFirst", imports: includes, functionsHaveTypes: true },
  lua: {
    parameters: "plain",
    imports: luaImports,
    usual: (text) => withRequiredNames(text, LUA_REQUIRE).replaceAll(/:(?=[A-Za-z_])/g, "."),
  },
  elixir: {
    parameters: "plain",
    // Imports are read from the text.
    imports: () => [],
    hasMarkedNames: true,
    hasDottedNames: true,
    labels: ELIXIR_LABELS,
    usesInQuotes: true,
    // A module name is a single name; its parts are not members.
    clean: (text) =>
      text.replace(/^(?:[A-Z]\w*\.)+[A-Z]\w*(?=\.[a-z_])/, (name) => name.replaceAll(".", ":")),
  },
  ruby: {
    parameters: "plain",
    imports: rubyImports,
    fieldSigil: "@",
    // `attr_reader :name` defines a method `name`.
    clean: (text) => text.replace(/^:(?=[a-z_])/, ""),
    hasMixins: true,
    hasMarkedNames: true,
    usual: usualRuby,
    // ActiveSupport concerns.
    openBlocks: /(?:^|\s)(?:class_methods|included|prepended)\s*$/,
  },
};

/** Values of macros are unknown and must not be read as functions. `Pool { size: 1 }` makes a Pool. */
function usualRust(text: string): string {
  // The value of a lazily initialized static is unknown.
  if (text === "None") return "    ";
  const called = text.includes("::") ? withoutPathWords(text) : text;
  const plain = called.includes("!") ? called.replaceAll(/(?<=\w)!(?=\s{0,8}[([{])/g, " ") : called;
  return plain.includes(" {") ? plain.replaceAll(/\b([A-Z]\w*) \{/g, "$1{ ") : plain;
}

/** Normalizes `self::open()` to `open()` and `<Pool as Open>::open()` to `Pool::open()`. */
function withoutPathWords(text: string): string {
  const own = text.replace(/^self::(?=\w)/, "      ");
  return own.replace(
    /^<\s*((?:\w+::)*\w+)(?:<[^<>]*>)?(?:\s+as\s[^()=;]*)?>(?=::)/,
    (all, type: string) => type.padEnd(all.length),
  );
}

/** A symbol `:cost` names the method `cost`. The block of a call does not determine its value. */
function usualRuby(text: string): string {
  const plain = text.replace(/^:(?=[a-z_])/, " ");
  // The block of `Class.new` or `Struct.new` is a class body.
  if (/^(?:Struct|Class|Module|Data)\b/.test(plain)) return plain;
  const block = /\sdo(?:\s*\|[^|\n]*\|)?\s[\s\S]*\bend$/.exec(plain);
  return block === null ? plain : plain.slice(0, block.index).padEnd(plain.length);
}

/** Kotlin: `this@Pool` is an object of type Pool; `this@open` is the receiver of the enclosing function. */
function withoutLabels(text: string): string {
  if (!text.includes("@")) return text;
  return text
    .replaceAll(/\bthis@(?=[A-Z])/g, "     ")
    .replaceAll(/\b(this|super)@[A-Za-z_]\w*/g, (all, word: string) => word.padEnd(all.length));
}

function withRequiredNames(text: string, pattern: RegExp): string {
  return text.includes("require") ? text.replaceAll(pattern, nameOfRequired) : text;
}

/** `\A\open()` becomes `A.open()`, `namespace\open()` becomes `open()`. */
function usualPhp(text: string): string {
  if (!text.includes("\\")) return text;
  return text
    .replace(/(?<=^\s*(?:new\s+)?)(?:namespace)?\\(?=[A-Za-z_])/, (found) =>
      " ".repeat(found.length),
    )
    .replaceAll(/(?<=\w)\\(?=[A-Za-z_])/g, ".");
}

/** `$this->db` becomes `this.db`, `A\B` becomes `A.B`, and `parent` becomes `super`. */
function cleanPhp(text: string): string {
  return text
    .replaceAll("$", "")
    .replace(/^\\/, "")
    .replaceAll("\\", ".")
    .replace(/^parent\b/, "super");
}

/** Undefined for languages without fact extraction. */
export function familyOf(languageId: string): Family | undefined {
  return FAMILIES[languageId];
}
