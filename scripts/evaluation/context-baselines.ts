/** Baselines for packed contexts: simpler ways to fill a token budget. */

import { join } from "node:path";
import { countTokens } from "gpt-tokenizer";
import type { Hit, Lines } from "../../server/contracts/model.ts";
import { linesOfFile, ShownLines } from "./shown-lines.ts";

export interface Baseline {
  readonly shown: ShownLines;
  readonly tokens: number;
}

/** The chunks of a search, or the definitions around them, best first; chunks that do not fit are skipped. */
export function topHits(
  hits: readonly Hit[],
  budget: number,
  linesOf: (hit: Hit) => Lines,
): Baseline {
  const shown = new ShownLines();
  let tokens = 0;
  for (const hit of hits) {
    const { start, end } = linesOf(hit);
    const text = linesOfFile(join(hit.root, hit.path)).slice(start, end + 1);
    const cost = tokensOf(hit.path, { start, end }, text);
    if (tokens + cost > budget) continue;
    tokens += cost;
    shown.addCode(hit.path, start, end);
  }
  return { shown, tokens };
}

/** The files of a search, best first, each in full; the last one is cut. */
export function firstFiles(hits: readonly Hit[], budget: number): Baseline {
  const shown = new ShownLines();
  let tokens = 0;
  for (const { root, path } of new Map(hits.map((hit) => [hit.path, hit])).values()) {
    const text = linesOfFile(join(root, path));
    let fitting = text.length;
    let cost = tokensOf(path, { start: 0, end: fitting }, text);
    while (fitting > 0 && tokens + cost > budget) {
      fitting = Math.min(fitting - 1, Math.floor((fitting * (budget - tokens)) / cost));
      cost = tokensOf(path, { start: 0, end: fitting }, text.slice(0, fitting));
    }
    if (fitting <= 0) break;
    tokens += cost;
    shown.addCode(path, 0, fitting - 1);
  }
  return { shown, tokens };
}

function tokensOf(path: string, { start, end }: Lines, text: readonly string[]): number {
  return countTokens(`## ${path}:${start + 1}-${end + 1}\n\`\`\`\n${text.join("\n")}\n\`\`\`\n\n`);
}
