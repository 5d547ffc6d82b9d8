/** The further places of a hit's file on one line, as the terminal and agents show them. */

import { definitionTitle } from "./definition-title.ts";

interface Place {
  readonly lines: { readonly start: number };
  readonly symbol?: { readonly type: string; readonly name: string; readonly nameLine: number };
  readonly hierarchy?: string;
}

/** Lines and names, such as `12 method Pool.close, 40 Pool`; empty without further places. */
export function furtherPlaces({
  places = [],
  languageId,
}: {
  readonly places?: readonly Place[];
  readonly languageId: string;
}): string {
  const shown = places.map(({ lines, symbol, hierarchy = "" }) => {
    const name = symbol === undefined ? hierarchy : definitionTitle(symbol, languageId);
    return `${(symbol?.nameLine ?? lines.start) + 1} ${name}`.trimEnd();
  });
  return shown.length === 0 ? "" : `  also in this file: ${shown.join(", ")}`;
}
