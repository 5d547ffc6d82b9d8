/** Compiles the filters of the request and the query into one predicate, which every lane applies. */

import { isAscii } from "../../common/ascii.ts";
import { BadRequest } from "../../common/errors.ts";
import {
  compileGlob,
  compilePathGlobs,
  expandBraces,
  MAX_ALTERNATIVES,
} from "../../common/glob.ts";
import type { ChunkFacts, Filter } from "../../contracts/lanes.ts";
import type { ResolveLanguage } from "../../contracts/languages.ts";
import type { CodeSymbol } from "../../contracts/model.ts";
import type { SearchRequest } from "../../contracts/session.ts";
import { toName } from "../lanes/symbol-names.ts";
import type { InlineFilters } from "./query.ts";

/** Maximum number of languages listed in an error. */
const NAMED_LANGUAGES = 40;

interface KnownLanguages {
  readonly resolveLanguage: ResolveLanguage;
  readonly languageIds: readonly string[];
}

/** The filter of a search, undefined when everything is allowed. Throws BadRequest for an unknown language. */
export function toFilter(
  request: SearchRequest,
  inline: InlineFilters,
  known: KnownLanguages,
): Filter | undefined {
  const languages = [
    ...(request.languages ?? []).map((alias) => languageOf(alias, known)),
    ...inline.languages,
  ].flatMap((id) => [id, ...(DIALECTS[id] ?? [])]);
  const types = [...(request.symbolTypes ?? []), ...inline.symbolTypes];
  const paths = [...(request.paths ?? []), ...inline.paths];
  const filter: Filter = {
    ...(languages.length > 0 ? { languages: new Set(languages) } : {}),
    ...(types.length > 0 ? { symbolTypes: new Set(types) } : {}),
    ...(request.symbolName ? { matchesName: nameMatcher(request.symbolName) } : {}),
    ...(paths.length > 0 ? { matchesPath: pathMatcher(paths) } : {}),
  };
  return Object.keys(filter).length > 0 ? filter : undefined;
}

/** A filter on one of these languages means the others too, though each has a grammar of its own. */
const DIALECTS: Readonly<Record<string, readonly string[]>> = { typescript: ["tsx"] };

function languageOf(alias: string, { resolveLanguage, languageIds }: KnownLanguages): string {
  const id = resolveLanguage(alias);
  if (id !== undefined) return id;
  const named = languageIds.slice(0, NAMED_LANGUAGES).join(", ");
  const more = languageIds.length - NAMED_LANGUAGES;
  throw new BadRequest(
    `unknown language "${alias}"; allowed are ${named}${more > 0 ? ` and ${more} more` : ""}`,
    { parameter: "languages" },
  );
}

/** A glob over the qualified name or its last segment, with regard to case: `User*`, `*.get_*`. */
export function nameMatcher(glob: string): (name: string) => boolean {
  // `initWithTask:` is a method of Objective-C with one argument, which its definition calls `initWithTask`.
  const written = /^[^:]+:$/.test(glob) ? glob.slice(0, -1) : glob;
  const globs = alternativesOf("symbolName", written).map((each) =>
    compileGlob(each, { isPath: false }),
  );
  const matches = (text: string) => globs.some((each) => each(text));
  return (name) => {
    const { text, last } = toName(name);
    return matches(name) || matches(text) || matches(last);
  };
}

/**
 * Matches any of the patterns, except paths that a pattern with `!` excludes. A pattern may also be the name of a file or
 * folder; a pattern with wildcards and without a slash applies in every folder (`*.py`).
 */
export function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const composed = patterns.map((pattern) => pattern.normalize("NFC"));
  const wanted = composed.filter((pattern) => !pattern.startsWith("!")).map(onePathMatcher);
  const unwanted = composed
    .filter((pattern) => pattern.startsWith("!"))
    .map((pattern) => onePathMatcher(pattern.slice(1)));
  return (written) => {
    const path = isAscii(written) ? written : written.normalize("NFC");
    return (
      (wanted.length === 0 || wanted.some((matches) => matches(path))) &&
      !unwanted.some((matches) => matches(path))
    );
  };
}

function onePathMatcher(pattern: string): (path: string) => boolean {
  const glob = pattern.replaceAll("\\", "/").replace(/^(?:\.?\/)+/, "");
  const folder = glob.replace(/\/+$/, "");
  if (folder === "" || folder === ".") return () => true;
  const isNamed = (path: string) => path === folder || path.startsWith(`${folder}/`);
  const isPlain = !/[*?[\]{}]/.test(folder);
  if (isPlain) return isNamed;
  const matchesOne = compilePathGlobs(alternativesOf("paths", folder));
  const matches = glob.endsWith("/")
    ? (path: string) => enclosingFolders(path).some((each) => matchesOne(each))
    : matchesOne;
  // Names hold such signs, too: `app/[slug]`.
  return (path) => isNamed(path) || matches(path);
}

/** Expands the braces of a pattern. Throws BadRequest if there are more than MAX_ALTERNATIVES results. */
function alternativesOf(parameter: string, glob: string): readonly string[] {
  const expanded = expandBraces(glob, MAX_ALTERNATIVES);
  if (expanded !== undefined) return expanded;
  throw new BadRequest(
    `the braces of "${glob.slice(0, 60)}" stand for more than ${MAX_ALTERNATIVES} patterns`,
    { parameter },
  );
}

/** The folders that contain a file: `a/b/c.ts` -> a, a/b. */
function enclosingFolders(path: string): string[] {
  const segments = path.split("/").slice(0, -1);
  return segments.map((_, i) => segments.slice(0, i + 1).join("/"));
}

/** Restricts the filter to these files. */
export function narrowed(
  filter: Filter | undefined,
  only: ReadonlySet<string> | undefined,
): Filter | undefined {
  if (only === undefined) return filter;
  const matches = filter?.matchesPath;
  return { ...filter, matchesPath: (path) => only.has(path) && (matches?.(path) ?? true) };
}

/** Whether a chunk passes what a filter says of its definitions: one of them must have the type and the name. */
export function passesSymbols(filter: Filter, facts: Pick<ChunkFacts, "symbols">): boolean {
  return !isOfSymbols(filter) || facts.symbols.some((symbol) => passesSymbol(filter, symbol));
}

/** The definitions that a filter lets through; all of them where it says nothing of definitions. */
export function symbolsPassing(
  filter: Filter | undefined,
  symbols: readonly CodeSymbol[],
): readonly CodeSymbol[] {
  if (filter === undefined || !isOfSymbols(filter)) return symbols;
  return symbols.filter((symbol) => passesSymbol(filter, symbol));
}

function isOfSymbols({ symbolTypes, matchesName }: Filter): boolean {
  return symbolTypes !== undefined || matchesName !== undefined;
}

function passesSymbol({ symbolTypes, matchesName }: Filter, { name, type }: CodeSymbol): boolean {
  return (symbolTypes?.has(type) ?? true) && (matchesName?.(name) ?? true);
}

/** Whether a chunk passes the whole filter. */
export function passes(filter: Filter | undefined, facts: ChunkFacts): boolean {
  if (filter === undefined) return true;
  return (
    (filter.languages?.has(facts.languageId) ?? true) &&
    (filter.matchesPath?.(facts.path) ?? true) &&
    passesSymbols(filter, facts)
  );
}
