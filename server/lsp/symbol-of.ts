/** Converts a hit to a SymbolInformation, one line in an editor's list of symbols. */

import { basename, extname } from "node:path";
import {
  type PositionEncodingKind,
  type Range,
  type SymbolInformation,
  SymbolKind,
} from "vscode-languageserver";
import { isProse } from "../common/definition-title.ts";
import { oneLine } from "../common/text.ts";
import type { Hit, MatchType, SymbolType } from "../contracts/model.ts";
import { toLineRange, toRange, toUri } from "./convert.ts";
import { focusOf } from "./found-hit.ts";

/** `score` is an extension that some editors sort by; the others ignore it. */
export type ScoredSymbol = SymbolInformation & { readonly score: number };

/** Kinds that no picker filters out by default. */
const KINDS: Record<SymbolType, SymbolKind> = {
  function: SymbolKind.Function,
  class: SymbolKind.Class,
  method: SymbolKind.Method,
  interface: SymbolKind.Interface,
  // Pickers filter out variables and constants by default.
  variable: SymbolKind.Field,
};

/** Why the hit matches, as part of the container name. Editors show it after the word "in" or in its own column. */
const REASONS: Record<MatchType, string> = {
  semantic: "(by meaning)",
  keyword: "(by words)",
  both: "(by meaning and words)",
};

/** Pickers cut names at 25 to 60 columns. */
const MAX_NAME_LENGTH = 60;

/** Helix at 120 columns has 57 columns beside its preview, and the kind takes 11 of them. */
const MAX_HELIX_NAME_LENGTH = 24;
const MAX_HELIX_PATH_LENGTH = 18;

/** `file` is the client's path of the hit. */
export function documentSymbolOf(
  hit: Hit,
  file: string,
  encoding: PositionEncodingKind,
): ScoredSymbol {
  const { name, qualifier } = nameOf(hit);
  const reason = REASONS[hit.matchType];
  return {
    name,
    kind: kindOf(hit),
    containerName: qualifier === "" ? reason : `${qualifier} ${reason}`,
    location: { uri: toUri(file), range: rangeOf(hit, encoding) },
    score: hit.score,
  };
}

/** The range of the best line, which pickers center in their preview. */
function rangeOf(hit: Hit, encoding: PositionEncodingKind): Range {
  if (hit.bestLine !== undefined) return toLineRange(hit.bestLine, encoding).range;
  return toRange({ start: focusOf(hit), end: hit.lines.end });
}

/** Puts the place into the container name and shortens both, for pickers that cut rows on the right. */
export function placeFirst(symbol: ScoredSymbol, hit: Hit): ScoredSymbol {
  const place = `${endOf(hit.path)}:${symbol.location.range.start.line + 1}`;
  const name =
    symbol.name.length > MAX_HELIX_NAME_LENGTH
      ? `${symbol.name.slice(0, MAX_HELIX_NAME_LENGTH - 1)}…`
      : symbol.name;
  return { ...symbol, name, containerName: `${place} ${nameOf(hit).qualifier}`.trim() };
}

/** The end of the path, as many folders as fit. */
function endOf(path: string): string {
  const folders = path.split("/");
  while (folders.length > 1 && folders.join("/").length > MAX_HELIX_PATH_LENGTH) folders.shift();
  return folders.join("/");
}

/**
 * The unqualified name and its qualifier.
 *
 * A chunk without a definition is named by its enclosing scope, its best line, or its file and line.
 */
function nameOf(hit: Hit): { name: string; qualifier: string } {
  const whole = hit.symbol?.name ?? hit.hierarchy ?? "";
  if (isProse(hit.languageId) && whole !== "") return headingOf(whole);
  const [, qualifier = "", name = ""] = /^(?:(.*)(?:\.|::))?(.+)$/s.exec(pickerText(whole)) ?? [];
  if (name !== "") return { name: cut(name), qualifier };
  const text = pickerText(hit.bestLine?.text ?? "");
  if (/\p{L}/u.test(text)) return { name: cut(text), qualifier: "" };
  const stem = basename(hit.path, extname(hit.path));
  return { name: pickerText(`${stem}:${focusOf(hit) + 1}`), qualifier: "" };
}

/** The heading and its parent: the full path would leave no room for the file in Helix. */
function headingOf(path: string): { name: string; qualifier: string } {
  const [name = "", above = ""] = path.split(" > ").toReversed();
  return { name: cut(name), qualifier: cut(above) };
}

function kindOf(hit: Hit): SymbolKind {
  if (isProse(hit.languageId)) return SymbolKind.Namespace;
  return hit.symbol === undefined ? SymbolKind.Module : KINDS[hit.symbol.type];
}

const cut = (name: string) => pickerText(name).slice(0, MAX_NAME_LENGTH);

/** Two pickers split names at `]` and at no-break spaces. */
function pickerText(text: string): string {
  return oneLine(text).replaceAll("[", "(").replaceAll("]", ")");
}
