/** Warnings about the query itself: a filter without matches, an unknown filter, or only common words. */

import { editsBetween } from "../common/edit-distance.ts";
import type { Filter } from "../contracts/lanes.ts";
import { SYMBOL_TYPES } from "../contracts/model.ts";
import type { OpenLanes } from "./context.ts";
import { narrowed } from "./query/filter.ts";
import type { Query } from "./query/query.ts";

const MAX_TYPOS = 2;

/** The remarks are about the query as it was written; nothing is guessed. */
export function remarksOnQuery(
  { kind, text, filters, warnings }: Query,
  languageIds: readonly string[],
): string[] {
  const unknown = filters.unknown.map((written) => {
    const [key = "", value = ""] = written.split(/:(.*)/s);
    if (/^recent$/i.test(key)) {
      return `${written} is no known filter and was searched as words; an age such as recent:30d is`;
    }
    const known = /^lang/i.test(key) ? languageIds : SYMBOL_TYPES;
    const meant = known.find(
      (each) => editsBetween(value.toLowerCase(), each, MAX_TYPOS) !== undefined,
    );
    const remedy = meant === undefined ? "" : `; did you mean ${key}:${meant}?`;
    return `${written} is no known filter and was searched as words${remedy}`;
  });
  const isCommon = kind === "empty" && warnings.length === 0 && /\p{L}/u.test(text);
  const common = isCommon
    ? [`"${text}" has only words that are everywhere; name what you look for`]
    : [];
  return [...unknown, ...common];
}

/** Undefined where something passes, or nothing is filtered. */
export async function remarkOnFilter(
  filter: Filter | undefined,
  open: readonly OpenLanes[],
  since?: string,
): Promise<string | undefined> {
  if ((filter === undefined && since === undefined) || open.length === 0) return undefined;
  const passing = await Promise.all(
    open.map(({ lanes, only }) => lanes.allowsAny(narrowed(filter, only) ?? {})),
  );
  if (passing.includes(true)) return undefined;
  const parts = [
    filter?.languages && `language ${[...filter.languages].join(", ")}`,
    filter?.matchesPath && "path",
    filter?.symbolTypes && `type ${[...filter.symbolTypes].join(", ")}`,
    filter?.matchesName && "name",
    since && `changed since ${since}`,
  ].filter((part) => part !== undefined);
  return `no indexed file passes the filter (${parts.join("; ")})`;
}
