/**
 * Evaluates callers: asks for the callers of functions and types that are defined once, drawn at random, and counts how many of
 * the lines that call the name in the text are among them.
 *
 * usage: npm run evaluate-callers -- FOLDER... --home DIR [--count N] [--seed N] [--language ID]
 *
 * Needs Universal Ctags. Of each folder N names (25) of one language are drawn, by default of the one with most definitions. A
 * call in the text is `NAME(` outside comments, strings and declarations; homonyms in libraries count as calls.
 */

import type { SyntaxNode } from "../server/contracts/languages.ts";
import type { Session } from "../server/contracts/session.ts";
import { createLanguages } from "../server/languages/languages.ts";
import { definedNames } from "./evaluation/defined-names.ts";
import { evaluateFolders } from "./evaluation/evaluate-folders.ts";
import type { SourceFile } from "./languages/source-files.ts";
import { usageIn } from "./script-options.ts";

/** By name, the lines that call it, as `path:line` with lines from 1. */
type Sites = ReadonlyMap<string, ReadonlySet<string>>;

const MAX_CALLS = 1000;
const languages = createLanguages();

async function main(): Promise<number> {
  return await evaluateFolders(usageIn(import.meta.filename), 25, async (run) => {
    const { session, files } = run;
    const [language, names] = definedNames(files, run.language);
    const once = new Set([...names].flatMap(([name, at]) => (at.size === 1 ? [name] : [])));
    const drawn = new Map(run.draw(await callSites(files, language, once)));
    return { language, ...(await measure(session, drawn, linesOf(files))) };
  });
}

/** The lines of all files, by place. */
function linesOf(files: ReadonlyMap<string, readonly SourceFile[]>): Map<string, string> {
  return new Map(
    [...files.values()]
      .flat()
      .flatMap(({ path, text }) =>
        text.split("\n").map((line, i): [string, string] => [`${path}:${i + 1}`, line]),
      ),
  );
}

/** Names without a call in the text are absent. */
async function callSites(
  files: ReadonlyMap<string, readonly SourceFile[]>,
  drawnLanguage: string,
  names: ReadonlySet<string>,
): Promise<Sites> {
  const sites = new Map<string, Set<string>>();
  for (const language of together(drawnLanguage)) {
    for (const { path, text } of files.get(language) ?? []) {
      await languages.withSyntax(text, language, ({ root }) => {
        if (root === undefined) return;
        const { code, declared } = codeIn(root, text);
        for (const { 1: name = "", index } of code.matchAll(CALLED)) {
          if (!names.has(name) || declared.has(index)) continue;
          const line = code.slice(0, index).split("\n").length;
          sites.set(name, (sites.get(name) ?? new Set()).add(`${path}:${line}`));
        }
      });
    }
  }
  return sites;
}

/** Languages whose files call each other. */
const FAMILIES = [
  ["java", "kotlin"],
  ["c", "cpp"],
  ["javascript", "typescript", "tsx", "vue", "svelte", "astro"],
];

function together(language: string): readonly string[] {
  return FAMILIES.find((family) => family.includes(language)) ?? [language];
}

const CALLED = /(?<![\w$])([A-Za-z_$][\w$]*[!?]?)\(/g;
const TEXT = /comment|^string|_string|heredoc|string_literal|char(?:acter)?_literal|regex/;
const CODE = /^(?:interpolation|interpolated_expression|template_substitution)$/;
const DECLARATION =
  /declaration|definition|function_declarator|signature|function_item|^(?:singleton_)?method$|method_elem/;

interface Code {
  /** The text, with comments and strings blanked, but not the code within strings. */
  readonly code: string;
  /** Where declared names begin. */
  readonly declared: ReadonlySet<number>;
}

function codeIn(root: SyntaxNode, text: string): Code {
  const units = text.split("");
  const declared = new Set<number>();
  const visit = (node: SyntaxNode, isDeclared: boolean) => {
    const isText = TEXT.test(node.type);
    if (isText || CODE.test(node.type)) {
      for (let i = node.startIndex; i < node.endIndex; i++) {
        if (text[i] !== "\n") units[i] = isText ? " " : (text[i] ?? "");
      }
    }
    const isDeclaration = DECLARATION.test(node.type) || isDeclared;
    for (const child of node.children) {
      if (isDeclaration && child.children.length === 0) declared.add(child.startIndex);
      visit(child, isDeclaration && child.type === "qualified_identifier");
    }
  };
  visit(root, false);
  return { code: units.join(""), declared };
}

async function measure(
  session: Session,
  drawn: Sites,
  lines: ReadonlyMap<string, string>,
): Promise<Record<"names" | "calls" | "found" | "without the name", number>> {
  const row = { names: drawn.size, calls: 0, found: 0, "without the name": 0 };
  for (const [name, sites] of drawn) {
    const { calls } = await session.callers({ name, limit: MAX_CALLS });
    const found = new Set(calls.map(({ path, line }) => `${path}:${line + 1}`));
    const missed = [...sites].filter((site) => !found.has(site));
    const nameless = [...found].filter((place) => lines.get(place)?.includes(name) !== true);
    row.calls += sites.size;
    row.found += sites.size - missed.length;
    row["without the name"] += nameless.length;
    for (const [problem, places] of [["missed", missed] as const, ["nameless", nameless] as const])
      for (const at of places) console.error(`${problem} ${name} ${at}: ${lines.get(at)?.trim()}`);
  }
  return row;
}

process.exitCode = await main();
