/** Extracts the facts of a parsed file from the captures of grammars/<language>/references.scm. Start reading here. */

import { lineAt } from "../../common/text.ts";
import {
  CALL_CONTEXT,
  type CallFact,
  type DefinitionFact,
  type FileFacts,
  FLAG,
  type ImportFact,
} from "../../contracts/facts.ts";
import type { IsSpent } from "../parse.ts";
import { basesOf } from "./bases.ts";
import { type Chain, chainOfValue, toChain } from "./chains.ts";
import { type Item, type Span } from "./collect.ts";
import { type Family, familyOf } from "./families.ts";
import { GeneratingMacros } from "./generating-macros.ts";
import { canBeModule, type ImportStatement } from "./imports/statement.ts";
import { labelsOfCall, labelsOfFunction } from "./labels.ts";
import { Locals } from "./locals.ts";
import { hasCode, itemsInTokens } from "./macro-tokens.ts";
import { OpenBlocks } from "./open-blocks.ts";
import { type Parameter, toParameters } from "./parameters.ts";
import { type DocTypes, surerType } from "./php-docs.ts";
import {
  boundNames,
  clip,
  hasSigil,
  NAME_WORD,
  receiverType,
  selfField,
  splitName,
} from "./split-names.ts";

/** Limits for generated files; the first calls represent the file well enough. */
const MAX_CALLS = 20_000;
const MAX_DEFINITIONS = 50_000;
/** Longer names are not facts. */
const MAX_NAME_LENGTH = 120;
const MAX_VALUE_LENGTH = 4_000;
const NEW_LENGTH = "new".length;
/** The text before a block that may name the call it is passed to. */
const MAX_BLOCK_NAME_LENGTH = 40;

type MutableDefinition = { -readonly [Key in keyof DefinitionFact]: DefinitionFact[Key] };

/** The kind of definition for each kind of item. */
const KIND_OF = {
  class: "class",
  interface: "interface",
  namespace: "namespace",
  extension: "extension",
  function: "function",
  method: "function",
  lambda: "function",
  object: "variable",
} as const;
type ContainerKind = keyof typeof KIND_OF;

/** Undefined for a language without fact extraction, and if the budget is spent. */
export function extractFacts(
  items: readonly Item[],
  text: string,
  starts: readonly number[],
  languageId: string,
  isSpent: IsSpent,
): FileFacts | undefined {
  const family = familyOf(languageId);
  if (family === undefined || isSpent()) return undefined;
  return new Extraction(text, starts, family).run(items, languageId);
}

class Extraction {
  readonly #text: string;
  readonly #starts: readonly number[];
  readonly #family: Family;
  readonly #definitions: MutableDefinition[] = [];
  readonly #imports: ImportFact[] = [];
  readonly #calls: CallFact[] = [];
  readonly #open = new OpenBlocks(this.#definitions);
  readonly #macros: GeneratingMacros;
  readonly #locals = new Locals(this.#definitions);
  #packageName = "";
  /** The offset of the name of the definition opened last. */
  #namedAt = -1;
  /** The end of the current ignored item: types in an Elixir specification look like calls. */
  #ignoredUntil = 0;
  /** Imports that apply to the whole project. */
  readonly #projectImports: ImportStatement[] = [];
  /** The end of the last import. */
  #importedUntil = 0;

  constructor(text: string, starts: readonly number[], family: Family) {
    this.#text = text;
    this.#starts = starts;
    this.#family = family;
    this.#macros = new GeneratingMacros(text);
  }

  run(items: readonly Item[], language: string): FileFacts {
    this.#addAll(items);
    return {
      language,
      packageName: this.#packageName,
      imports: this.#imports,
      definitions: this.#definitions,
      calls: this.#calls,
      ...(this.#projectImports.length === 0 ? {} : { manifest: { usings: this.#projectImports } }),
    };
  }

  #addAll(items: readonly Item[]): void {
    for (const item of items) {
      this.#open.closeBefore(item.start);
      this.#add(item);
    }
  }

  #add(item: Item): void {
    switch (item.kind) {
      case "import":
        return this.#addImport(item);
      case "package":
        this.#packageName ||= this.#slice(item)
          .replace(/^(?:package|namespace)\s+/, "")
          .replaceAll(/[\s;{]/g, "")
          .replaceAll("\\", ".");
        return;
      case "call":
        // The body of a macro has tokens only.
        if (item.parts.callee !== undefined || item.parts.tokens === undefined) this.#addCall(item);
        return this.#addTokens(item);
      case "handed":
        return this.#addHanded(item);
      case "made":
        return this.#addMade(item);
      case "bare":
        if (this.#locals.has(this.#open.parent, this.#slice(item))) return;
        return this.#addCall(item);
      case "loop":
      case "condition":
      case "try":
        this.#open.push({ end: item.end, definition: undefined, context: CALL_CONTEXT[item.kind] });
        return;
      case "ignored":
        this.#ignoredUntil = item.end;
        return;
      case "variable":
      case "alias":
        return this.#addVariables(item);
      case "return":
        return this.#addReturn(item);
      case "base":
        return this.#addBase(item);
      case "generated":
        return this.#addGenerated(item);
      case "class":
      case "interface":
      case "namespace":
      case "extension":
      case "function":
      case "lambda":
      case "method":
      case "object":
        return this.#addContainer(item, item.kind);
    }
  }

  #addImport(item: Item): void {
    const line = lineAt(this.#starts, item.start);
    // `const x = require("y")` was added as a whole before.
    const isInside = item.end <= this.#importedUntil;
    const text = this.#slice(item);
    const isOfProject = this.#family.isOfProject?.(text) === true;
    for (const { lineOffset = 0, ...statement } of this.#family.imports(text)) {
      if (isInside && statement.kind === "dynamic") continue;
      if (!canBeModule(statement.module)) continue;
      if (isOfProject) this.#projectImports.push(statement);
      this.#imports.push({ ...statement, line: line + lineOffset, scope: this.#open.parent });
      this.#importedUntil = item.end;
    }
  }

  /** A local variable is not a reference to a function of the same name. */
  #addHanded(item: Item): void {
    const text = this.#slice(item);
    if (this.#locals.has(this.#open.parent, text)) return;
    const made = /^(.*\w>?)::new$/s.exec(text)?.[1];
    if (made === undefined) return this.#addCall(item, CALL_CONTEXT.handed);
    // Java: `Pool::new` calls the constructor.
    const type = { start: item.start, end: item.start + made.length };
    this.#addCall({ ...item, ...type, parts: {} }, CALL_CONTEXT.handed);
  }

  #addCall(item: Item, ownContext = 0): void {
    if (this.#calls.length >= MAX_CALLS) return;
    const { callee, receiver, name } = item.parts;
    const first = receiver?.start ?? callee?.start ?? name?.start ?? item.start;
    const end = name?.end ?? callee?.end ?? item.end;
    const start = first + (this.#family.operandAt?.(this.#text.slice(first, end)) ?? 0);
    // Elixir's grammar parses `open(x)` in `def open(x)` as a call.
    if (start === this.#namedAt || start < this.#ignoredUntil) return;
    const { chain: written, nameAt } = this.#toChain(this.#text.slice(start, end));
    if (nameAt < 0) return;
    const chain = this.#clean(written);
    const at = start + nameAt;
    const line = lineAt(this.#starts, at);
    const column = at - (this.#starts[line] ?? 0);
    const labels = labelsOfCall(this.#family.labels, this.#text, { start, end: item.end }, end);
    const context = this.#open.contextOf(chain) | ownContext;
    this.#calls.push({ chain, line, column, scope: this.#open.parent, context, labels });
  }

  /** `Pool pool = new(1)` calls the constructor of the expected type, which must be named nearby. */
  #addMade({ start, end, parts: { callee } }: Item): void {
    const enclosing = this.#definitions[this.#enclosingFunction() ?? -1];
    const type = callee === undefined ? (enclosing?.type ?? "") : this.#slice(callee);
    const chain = this.#clean(this.#toChain(type.replace(/\?$/, "")).chain);
    if (!/^[\p{Lu}_][\p{L}\p{N}_.]*$/u.test(chain) || this.#calls.length >= MAX_CALLS) return;
    const at = callee?.start ?? start;
    const line = lineAt(this.#starts, at);
    const column = at - (this.#starts[line] ?? 0);
    const labels = labelsOfCall(
      this.#family.labels,
      this.#text,
      { start, end },
      start + NEW_LENGTH,
    );
    const context = this.#open.contextOf(chain);
    this.#calls.push({ chain, line, column, scope: this.#open.parent, context, labels });
  }

  /** Calls in the arguments of a macro. */
  #addTokens({ parts: { callee, tokens } }: Item): void {
    if (tokens === undefined) return;
    if (callee !== undefined && !hasCode(this.#slice(callee))) return;
    this.#addAll(itemsInTokens(this.#text, tokens, this.#open.parent >= 0));
  }

  #addContainer(item: Item, written: ContainerKind): void {
    if (this.#mergesInto(item) || this.#addMacroBody(item) || this.#isOpenBlock(item)) return;
    const { name, type, bases, receiver } = item.parts;
    const kind = KIND_OF[written];
    // The object of `export default { ... }` has no name.
    const unnamed =
      written === "object" ? "default" : (this.#family.unnamed?.(this.#slice(item)) ?? "");
    const text = name === undefined ? unnamed : this.#slice(name);
    const { own, owner } = this.#family.hasDottedNames ? { own: text, owner: "" } : splitName(text);
    this.#namedAt = name?.start ?? -1;
    const docs = kind === "function" ? this.#family.docTypes?.(this.#text, item.start) : undefined;
    const number = this.#define({
      kind,
      name: own,
      at: name?.start ?? item.start,
      end: item.end,
      type: surerType(type === undefined ? "" : this.#typeOf(type), docs?.own),
      bases: bases === undefined ? [] : basesOf(this.#slice(bases)).map(clip),
      owner:
        receiver === undefined
          ? owner || this.#extended(item)
          : receiverType(this.#slice(receiver)),
      flags: item.flags,
      labels: kind === "function" ? labelsOfFunction(this.#family.labels, this.#text, item) : "",
    });
    if (number === undefined) return;
    this.#open.push({ end: item.end, definition: number, context: 0 });
    this.#addParameters(receiver);
    this.#addParameters(item.parts.params, docs);
    if (type !== undefined) this.#addEach(this.#family.results?.(this.#slice(type)) ?? [], type);
  }

  #extended({ parts: { params } }: Item): string {
    const { extended } = this.#family;
    return params === undefined || extended === undefined ? "" : extended(this.#slice(params));
  }

  /** A macro that defines a function, such as `TEST_F(PoolTest, Opens) {`; its first argument is usually the class. */
  #addMacroBody(item: Item): boolean {
    const { name, params, type } = item.parts;
    if (!this.#family.functionsHaveTypes || item.kind !== "function") return false;
    if (name === undefined || params === undefined || type !== undefined) return false;
    const macro = this.#slice(name);
    if (!NAME_WORD.test(macro) || macro === "main" || this.#enclosingClass() !== undefined)
      return false;
    this.#addCall({ ...item, parts: { name } });
    const owner = /^\(\s*([A-Za-z_]\w*)\s*[,)]/.exec(this.#slice(params))?.[1] ?? "";
    const body = { kind: "function", name: "", at: name.start, end: item.end, owner } as const;
    const number = this.#define(body);
    if (number !== undefined) this.#open.push({ end: item.end, definition: number, context: 0 });
    return true;
  }

  /** `const f = (x) => ...` is one function, not two. */
  #mergesInto(item: Item): boolean {
    if (item.kind !== "lambda") return false;
    const enclosing = this.#open.last;
    const definition = this.#definitions[enclosing?.definition ?? -1];
    if (enclosing === undefined || definition?.kind !== "function" || definition.name === "")
      return false;
    const rest = this.#text.slice(item.end, enclosing.end).trim();
    if (rest !== "" && rest !== ";" && rest !== ",") return false;
    this.#addParameters(item.parts.params);
    if (item.parts.type !== undefined) definition.type = this.#typeOf(item.parts.type);
    return true;
  }

  /** Whether a lambda belongs to the enclosing definition, so that its content counts as that of the enclosing scope. */
  #isOpenBlock({ kind, start }: Item): boolean {
    const { openBlocks } = this.#family;
    if (kind !== "lambda" || openBlocks === undefined) return false;
    return openBlocks.test(this.#text.slice(Math.max(0, start - MAX_BLOCK_NAME_LENGTH), start));
  }

  #addParameters(list: Span | undefined, docs?: DocTypes): void {
    if (list === undefined) return;
    this.#addEach(toParameters(this.#slice(list), this.#family.parameters), list, docs);
  }

  #addEach(parameters: readonly Parameter[], { start: at }: Span, docs?: DocTypes): void {
    const parent = this.#open.parent;
    for (const { type: written, ...one } of parameters) {
      const { name, flags } = one;
      const type = clip(surerType(written, docs?.parameters.get(name.replace("$", ""))));
      const variable = { kind: "variable", ...one, at, end: at, type } as const;
      this.#define(variable);
      // A constructor parameter that is also a field.
      if ((flags & FLAG.field) === 0) continue;
      const owner =
        this.#definitions[parent]?.kind === "function" ? this.#definitions[parent]?.parent : parent;
      this.#define({ ...variable, flags: 0 }, owner);
    }
  }

  #addVariables(item: Item): void {
    const { name, type, value: held, iterable } = item.parts;
    const written = name === undefined ? "default" : this.#slice(name).trim();
    const docs = this.#family.docTypes?.(this.#text, item.start);
    const typeText = surerType(type === undefined ? "" : this.#typeOf(type), docs?.own);
    const chain = this.#valueOf(held, iterable);
    // `require` and `import()` bind the variable as an import.
    if (chain === "require()" || chain === "import()") return;
    const at = name?.start ?? item.start;
    const { patternNames } = this.#family;
    for (const { name: own, steps } of patternNames?.(written) ?? boundNames(written)) {
      // The type of a pattern is the type of the whole value.
      const isPart = patternNames !== undefined && typeText !== "" && steps !== "";
      const whole = isPart ? `:${typeText};` : chain;
      const selfName = selfField(own, this.#family.self);
      const isField = selfName !== undefined || hasSigil(own, this.#family.fieldSigil);
      const parent = isField ? this.#enclosingClass() : this.#open.parent;
      if (parent === undefined) continue;
      const { own: short, owner } = splitName(selfName ?? own);
      if (owner !== "" && item.kind !== "alias") continue;
      const kind = item.kind === "alias" ? "alias" : "variable";
      const flags = item.flags | (isField ? FLAG.field : 0);
      const value = steps === undefined || whole === "" ? "" : whole + steps;
      const given = { type: isPart ? "" : typeText, value, flags } as const;
      this.#define({ kind, name: short, at, end: item.end, ...given }, parent);
    }
  }

  #valueOf(value: Span | undefined, iterable: Span | undefined): string {
    const span = value ?? iterable;
    if (span === undefined || span.end - span.start > MAX_VALUE_LENGTH) return "";
    const text = this.#usual(this.#slice(span));
    return chainOfValue(text, iterable !== undefined, this.#family.hasMarkedNames);
  }

  #addReturn(item: Item): void {
    const enclosing = this.#enclosingFunction();
    const chain = this.#valueOf(item.parts.value, undefined);
    if (enclosing === undefined || chain === "") return;
    // A declared return type takes precedence.
    if ((this.#definitions[enclosing]?.type ?? "") !== "") return;
    const values = {
      kind: "return",
      name: "",
      at: item.start,
      end: item.start,
      value: chain,
    } as const;
    this.#define(values, enclosing);
  }

  #addBase(item: Item): void {
    const { usesInQuotes } = this.#family;
    const enclosing =
      this.#definitions[(usesInQuotes ? this.#open.parent : this.#enclosingClass()) ?? -1];
    const bases = basesOf(this.#slice(item)).map((base) => this.#clean(clip(base)));
    if (enclosing !== undefined) enclosing.bases = [...enclosing.bases, ...bases];
    // Ruby: a top-level `include Shop` applies to all objects.
    else if (this.#family.hasMixins === true && this.#open.parent === -1)
      this.#define({ kind: "extension", name: "Object", at: item.start, end: item.end, bases });
  }

  /** `handler!(get, GET);` defines a function `get` if the file's macro `handler` does so. */
  #addGenerated(item: Item): void {
    const { callee, params } = item.parts;
    if (callee === undefined || params === undefined) return;
    const made = this.#macros.functionOf(this.#slice(callee), this.#slice(params));
    if (made === undefined) return;
    const { name, type } = made;
    this.#define({ kind: "function", name, at: item.start, end: item.end, type: clip(type) });
  }

  #toChain(text: string): Chain {
    return toChain(this.#usual(text), this.#family.hasMarkedNames);
  }

  #usual(text: string): string {
    return this.#family.usual?.(text) ?? text;
  }

  #clean(text: string): string {
    return this.#family.clean?.(text) ?? text;
  }

  #define(
    one: Pick<DefinitionFact, "kind" | "name"> &
      Partial<Pick<DefinitionFact, "type" | "value" | "flags" | "owner" | "bases" | "labels">> & {
        readonly at: number;
        readonly end: number;
      },
    parent = this.#open.parent,
  ): number | undefined {
    if (this.#definitions.length >= MAX_DEFINITIONS || one.name.length > MAX_NAME_LENGTH)
      return undefined;
    const { kind, flags = 0, owner = "", labels = "" } = one;
    const name = this.#clean(one.name);
    const type = this.#clean(one.type ?? "");
    const value = this.#clean(one.value ?? "");
    const bases = (one.bases ?? []).map((base) => this.#clean(base));
    const line = lineAt(this.#starts, one.at);
    const endLine = lineAt(this.#starts, Math.max(one.at, one.end - 1));
    const place = { line, endLine, parent };
    this.#definitions.push({ kind, name, ...place, flags, type, value, bases, owner, labels });
    return this.#definitions.length - 1;
  }

  #enclosingFunction(): number | undefined {
    const parent = this.#open.parent;
    return this.#definitions[parent]?.kind === "function" ? parent : undefined;
  }

  #enclosingClass(): number | undefined {
    for (let at = this.#open.parent; at >= 0; at = this.#definitions[at]?.parent ?? -1) {
      const kind = this.#definitions[at]?.kind;
      if (kind === "class" || kind === "interface" || kind === "extension") return at;
      if (kind === "namespace" && this.#family.hasMixins === true) return at;
    }
    return undefined;
  }

  #typeOf(span: Span): string {
    const text = this.#slice(span).replace(/^\s*(?::|->)\s*/, "");
    const results = this.#family.results?.(text) ?? [];
    return clip(results.length === 0 ? text : `(${results.map(({ type }) => type).join(", ")})`);
  }

  #slice({ start, end }: Span): string {
    return this.#text.slice(start, end);
  }
}
