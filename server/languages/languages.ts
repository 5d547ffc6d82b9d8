/**
 * The entry point of language support for indexing: detects languages, parses, and lends syntax trees. Start reading here.
 */

import type { Node, Tree } from "web-tree-sitter";
import { isMissingOrForbidden, isSystemError, messageOf } from "../common/errors.ts";
import { lineStartsOf } from "../common/text.ts";
import type { FileFacts } from "../contracts/facts.ts";
import type { Languages, Syntax } from "../contracts/languages.ts";
import type { ParseHealth } from "../contracts/model.ts";
import { cgoDefinitions } from "./c-family/cgo.ts";
import { type Declarations, readDeclarations } from "./c-family/declarations.ts";
import { withMacros } from "./c-family/macro-facts.ts";
import { categorize } from "./categories.ts";
import { findDefinitions } from "./definitions.ts";
import { detect } from "./detect.ts";
import { withUses } from "./facts/elixir-uses.ts";
import { extractFacts } from "./facts/extract.ts";
import { manifestFacts } from "./facts/manifests.ts";
import { textFacts } from "./facts/text-facts.ts";
import { formatOf } from "./formats/formats.ts";
import { type Grammar, grammarOf, type Matches, matchesOf } from "./grammars.ts";
import { lostDefinitions } from "./lost-definitions.ts";
import { outline } from "./outline.ts";
import { parsableText } from "./parsable-text.ts";
import { type IsSpent, judge, OVER_BUDGET, startBudget, withTree } from "./parse.ts";
import { type FoundDefinition, toDefinitions } from "./scopes.ts";
import { toFound } from "./sections/section.ts";
import { cutOf } from "./sections/sections.ts";
import { LANGUAGES, type Language, resolveLanguage, TEXT } from "./table.ts";
import { UserGrammars } from "./user-grammars.ts";

/** `load` loads a grammar; tests replace it to simulate a broken grammar. */
export function createLanguages(
  load: (languageId: string) => Promise<Grammar> = grammarOf,
): Languages {
  let broken = false;
  const own = new UserGrammars();

  const lend = async <T>(
    text: string,
    language: Language,
    use: (syntax: Syntax) => T,
  ): Promise<T> => {
    let isLent = false;
    const lendOnce = (syntax: Syntax) => {
      isLent = true;
      return use(syntax);
    };
    let brought: Grammar | undefined;
    try {
      brought = await own.grammar(language.id);
    } catch (error) {
      const reason = `cannot load the user grammar: ${messageOf(error)}`;
      return use(withoutTree(text, language, failure(reason)));
    }
    try {
      const grammar = brought ?? (await load(language.id));
      const isSpent = startBudget();
      const source = toSource(text, language.id);
      const lent = withTree(grammar.parser, source.parsed, isSpent, (tree) => ({
        answer: lendOnce(withTreeOf(tree, grammar, source, language, isSpent)),
      }));
      return lent === undefined ? use(withoutTree(text, language, OVER_BUDGET)) : lent.answer;
    } catch (error) {
      // Errors of the callback are passed on. A grammar that cannot be read now did not crash.
      const isUnread = isSystemError(error) && !isMissingOrForbidden(error);
      if (isLent || isUnread) throw error;
      broken = true;
      return use(withoutTree(text, language, failure(`the grammar crashed: ${messageOf(error)}`)));
    }
  };

  return {
    setUserGrammars: (grammars) => own.setUserGrammars(grammars),
    detect: (path, head) => own.detect(path) ?? detect(path, head),
    resolve: resolveLanguage,
    category: categorize,
    get broken() {
      return broken;
    },
    withSyntax: async (text, languageId, use, about = {}) => {
      const language = own.language(languageId) ?? LANGUAGES.get(languageId) ?? LANGUAGES.get(TEXT);
      if (language === undefined || !language.hasGrammar) {
        return use(withoutTree(text, language, { status: "no_grammar" }, about.path));
      }
      const reason =
        about.unparsed ?? (broken ? "a grammar crashed earlier in this thread" : undefined);
      if (reason !== undefined) return use(withoutTree(text, language, failure(reason)));
      return lend(text, language, use);
    },
  };
}

function failure(message: string): ParseHealth {
  return { status: "error", message };
}

interface Source {
  readonly text: string;
  readonly starts: readonly number[];
  /** The text rewritten for the parser, at the same length. */
  readonly parsed: string;
  readonly declarations: Declarations | undefined;
}

function toSource(text: string, languageId: string): Source {
  const parsable = parsableText(text, languageId);
  const starts = lineStartsOf(text);
  const declarations = readDeclarations(parsable, starts, languageId);
  return { text, starts, parsed: declarations?.parsable ?? parsable, declarations };
}

function withTreeOf(
  { rootNode: root }: Tree,
  { queries }: Grammar,
  { text, starts, parsed, declarations }: Source,
  language: Language,
  isSpent: IsSpent,
): Syntax {
  const { health, isTrusted } = judge(root, text, starts);
  const { id, separator } = language;
  const isAsked = queries !== undefined && (isTrusted || !isWide(root));
  const matches = isAsked ? matchesOf(queries, root, isSpent) : undefined;
  if (!isTrusted) {
    const plain = withoutTree(text, language, health);
    return { ...plain, facts: plain.facts ?? importsAlone(matches, text, starts, id, isSpent) };
  }
  const found =
    matches === undefined
      ? outline(text, starts, id)
      : findDefinitions(matches.symbols, text, starts, separator, declarations?.names);
  if (matches !== undefined && root.hasError)
    found.push(...lostDefinitions(root, outline(text, starts, id), found, starts, id));
  found.push(...objectsAmong(found, declarations));
  if (id === "go") found.push(...cgoDefinitions(text, starts));
  if (isSpent()) return withoutTree(text, language, OVER_BUDGET);
  const extracted =
    matches?.references === undefined
      ? undefined
      : extractFacts(matches.references, parsed, starts, id, isSpent);
  const read = extracted && declarations ? withMacros(extracted, declarations, starts) : extracted;
  const plain = read === undefined || id === TEXT_IMPORTS ? textFacts("", text, id) : undefined;
  const facts =
    read === undefined || plain === undefined
      ? (read ?? plain)
      : withUses({ ...read, imports: plain.imports });
  return { root, definitions: toDefinitions(found, starts, separator), health, facts };
}

/** Objects that no query finds, unless their line has a definition with the same name. */
function objectsAmong(
  found: readonly FoundDefinition[],
  declarations: Declarations | undefined,
): readonly FoundDefinition[] {
  const known = new Set(found.map(({ nameLine, name }) => `${nameLine} ${name}`));
  const objects = declarations?.objects ?? [];
  return objects.filter(({ nameLine, name }) => !known.has(`${nameLine} ${name}`));
}

/** Elixir imports are calls in the grammar and are read from the text instead. */
const TEXT_IMPORTS = "elixir";
/** A node with more children is generated. Queries take quadratic time over children without names. */
const MAX_PARTS = 1_000;

function isWide(root: Node): boolean {
  return root.childCount > MAX_PARTS || root.children.some((one) => one.childCount > MAX_PARTS);
}

/** The facts of a tree with many errors: imports at the top level, which are self-contained. */
function importsAlone(
  matches: Matches | undefined,
  text: string,
  starts: readonly number[],
  languageId: string,
  isSpent: IsSpent,
): FileFacts | undefined {
  if (matches?.references === undefined) return undefined;
  const facts = extractFacts(matches.references, text, starts, languageId, isSpent);
  const imports = facts?.imports.filter(({ scope }) => scope === -1) ?? [];
  if (facts === undefined || imports.length === 0) return undefined;
  return { ...facts, imports, definitions: [], calls: [] };
}

function withoutTree(
  text: string,
  language: Language | undefined,
  health: ParseHealth,
  path = "",
): Syntax {
  if (language === undefined) return { root: undefined, definitions: [], health };
  const starts = lineStartsOf(text);
  const found = findSections(text, starts, language.id, path) ?? outline(text, starts, language.id);
  const facts = manifestFacts(path, text) ?? textFacts(path, text, language.id);
  const definitions = toDefinitions(found, starts, language.separator);
  return { root: undefined, definitions, health, facts };
}

/** Undefined for languages that are neither markup nor configuration. */
function findSections(
  text: string,
  starts: readonly number[],
  languageId: string,
  path = "",
): FoundDefinition[] | undefined {
  const format = formatOf(path, languageId, text);
  const cut = format === undefined ? cutOf(languageId) : format.sections;
  if (cut === undefined) return undefined;
  const lines = starts.map((start, i) =>
    text.slice(start, starts[i + 1] ?? text.length).replace(/\r?\n$/, ""),
  );
  return toFound(cut(lines), lines, starts, text);
}
