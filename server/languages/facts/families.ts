/** What extraction needs to know of a language besides its query. */

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
  /** Whether an import counts for all files of the project. */
  isOfProject?(text: string): boolean;
  /** What a method calls the object that it belongs to, where it is assigned to: `self.x = ...`. */
  readonly self?: string;
  /** The names that a pattern binds, where they are written otherwise than `a, b`. */
  patternNames?(pattern: string): readonly BoundName[];
  /** The variables that the written result of a function makes in it. */
  results?(text: string): readonly Parameter[];
  /** Whether only constructors have no type: what else looks like a function without one is a macro. */
  readonly functionsHaveTypes?: boolean;
  /** Begins the names of variables that belong to the object around. */
  readonly fieldSigil?: string;
  /** Whether a namespace has methods, and others include it as they inherit from a class. */
  readonly hasMixins?: boolean;
  /** What a class is called that is written without a name. */
  unnamed?(text: string): string;
  /** The type that a function extends, from the text of its parameters. */
  extended?(params: string): string;
  /** Whether names of functions may end with `?` or `!`. */
  readonly hasMarkedNames?: boolean;
  /** Whether the name of a class has dots in it. */
  readonly hasDottedNames?: boolean;
  /** Whether a function gives bases to classes that use it: `use` in a quote of Elixir. */
  readonly usesInQuotes?: boolean;
  /** Matches the end of the text before a block whose definitions are those of the class or module around. */
  readonly openBlocks?: RegExp;
  /** Writes an expression as other languages would, at the same length. */
  usual?(text: string): string;
  /** Where what is called begins in the text that its grammar takes for it. */
  operandAt?(text: string): number;
  /** How functions of one name are told apart; without it, the first of them stands for all. */
  readonly labels?: Labels;
  /** Types that a comment before a place says. */
  docTypes?(text: string, at: number): DocTypes | undefined;
  /** Makes names and chains what those of other languages look like. */
  clean?(text: string): string;
}

/** A module of which something is used at once. */
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
    // They are read from the text.
    imports: () => [],
    hasMarkedNames: true,
    hasDottedNames: true,
    labels: ELIXIR_LABELS,
    usesInQuotes: true,
    // A module is one name, whose parts are no members of each other.
    clean: (text) =>
      text.replace(/^(?:[A-Z]\w*\.)+[A-Z]\w*(?=\.[a-z_])/, (name) => name.replaceAll(".", ":")),
  },
  ruby: {
    parameters: "plain",
    imports: rubyImports,
    fieldSigil: "@",
    // `attr_reader :name` makes a method `name`.
    clean: (text) => text.replace(/^:(?=[a-z_])/, ""),
    hasMixins: true,
    hasMarkedNames: true,
    usual: usualRuby,
    // Of ActiveSupport's concerns.
    openBlocks: /(?:^|\s)(?:class_methods|included|prepended)\s*$/,
  },
};

/** What a macro gives is not known; a name that it is read from would be that of a function. `Pool { size: 1 }` makes a Pool. */
function usualRust(text: string): string {
  // What will be held later is not known.
  if (text === "None") return "    ";
  const called = text.includes("::") ? withoutPathWords(text) : text;
  const plain = called.includes("!") ? called.replaceAll(/(?<=\w)!(?=\s{0,8}[([{])/g, " ") : called;
  return plain.includes(" {") ? plain.replaceAll(/\b([A-Z]\w*) \{/g, "$1{ ") : plain;
}

/** `self::open()` is what `open()` is, and `<Pool as Open>::open()` what `Pool::open()` is. */
function withoutPathWords(text: string): string {
  const own = text.replace(/^self::(?=\w)/, "      ");
  return own.replace(
    /^<\s*((?:\w+::)*\w+)(?:<[^<>]*>)?(?:\s+as\s[^()=;]*)?>(?=::)/,
    (all, type: string) => type.padEnd(all.length),
  );
}

/** `:cost` names a method as `cost` does; what a call gives is not said by the block behind it. */
function usualRuby(text: string): string {
  const plain = text.replace(/^:(?=[a-z_])/, " ");
  // In such a block a class is written.
  if (/^(?:Struct|Class|Module|Data)\b/.test(plain)) return plain;
  const block = /\sdo(?:\s*\|[^|\n]*\|)?\s[\s\S]*\bend$/.exec(plain);
  return block === null ? plain : plain.slice(0, block.index).padEnd(plain.length);
}

/** `this@Pool` of Kotlin is the object of Pool: the type says it as well. `this@open` is that of a function around. */
function withoutLabels(text: string): string {
  if (!text.includes("@")) return text;
  return text
    .replaceAll(/\bthis@(?=[A-Z])/g, "     ")
    .replaceAll(/\b(this|super)@[A-Za-z_]\w*/g, (all, word: string) => word.padEnd(all.length));
}

function withRequiredNames(text: string, pattern: RegExp): string {
  return text.includes("require") ? text.replaceAll(pattern, nameOfRequired) : text;
}

/** `\A\open()` is `A.open()`, and `namespace\open()` is `open()`. */
function usualPhp(text: string): string {
  if (!text.includes("\\")) return text;
  return text
    .replace(/(?<=^\s*(?:new\s+)?)(?:namespace)?\\(?=[A-Za-z_])/, (found) =>
      " ".repeat(found.length),
    )
    .replaceAll(/(?<=\w)\\(?=[A-Za-z_])/g, ".");
}

/** `$this->db` is `this.db`, `A\B` is `A.B`, and `parent` is `super`. */
function cleanPhp(text: string): string {
  return text
    .replaceAll("$", "")
    .replace(/^\\/, "")
    .replaceAll("\\", ".")
    .replace(/^parent\b/, "super");
}

/** Undefined for languages of which no facts are extracted. */
export function familyOf(languageId: string): Family | undefined {
  return FAMILIES[languageId];
}
