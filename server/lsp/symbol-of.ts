/** A hit as one line in an editor's list of symbols. */

import { basename, extname } from "node:path";
import {
  type PositionEncodingKind,
  type Range,
  type SymbolInformation,
  SymbolKind,
} from "vscode-languageserver";
import { isProse } from "../common/definition-word.ts";
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
};

/** Why it is in the list, in as little room as possible. Editors show it behind the word "in", or in a column of its own. */
const REASONS: Record<MatchType, string> = {
  semantic: "(by meaning)",
  keyword: "(by words)",
  both: "(by meaning and words)",
};

/** Pickers cut names at 25 to 60 columns. */
const MAX_NAME_LENGTH = 60;

/** Helix at 120 columns leaves 57 beside its preview, of which the kind takes 11. */
const MAX_HELIX_NAME_LENGTH = 24;
const MAX_HELIX_PATH_LENGTH = 18;

/** `file` is the client's name for the hit's file. */
export function symbolOf(hit: Hit, file: string, encoding: PositionEncodingKind): ScoredSymbol {
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

/** The best line: lists show it, and pickers put it into the middle of their preview. */
function rangeOf(hit: Hit, encoding: PositionEncodingKind): Range {
  if (hit.bestLine !== undefined) return toLineRange(hit.bestLine, encoding).range;
  return toRange({ start: focusOf(hit), end: hit.lines.end });
}

/** The place where others have what the name is in, and all of it short, for pickers that cut what comes last. */
export function placeFirst(symbol: ScoredSymbol, hit: Hit): ScoredSymbol {
  const place = `${endOf(hit.path)}:${symbol.location.range.start.line + 1}`;
  const name =
    symbol.name.length > MAX_HELIX_NAME_LENGTH
      ? `${symbol.name.slice(0, MAX_HELIX_NAME_LENGTH - 1)}…`
      : symbol.name;
  return { ...symbol, name, containerName: `${place} ${nameOf(hit).qualifier}`.trim() };
}

/** The file, and as many of the folders around it as there is room for. */
function endOf(path: string): string {
  const folders = path.split("/");
  while (folders.length > 1 && folders.join("/").length > MAX_HELIX_PATH_LENGTH) folders.shift();
  return folders.join("/");
}

/**
 * The unqualified name, and what it is in.
 *
 * A piece of code without a definition of its own goes by the scope around it, by its best line, or by its file and line.
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

/** The heading, and the one above it: the whole path would leave Helix no room for the file. */
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
